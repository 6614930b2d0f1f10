/** Whether a message asks how the assistant came to know what it said. */
export function isMetaQuery(text: string): boolean {
  return /\bhow do you know\b|\bwhere does (?:that|this) come from\b/iu.test(text);
}
