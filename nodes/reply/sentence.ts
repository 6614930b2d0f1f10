/** The text with a full stop where it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
