/** Returns the text, with a full stop where it has no end mark. */
export function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
