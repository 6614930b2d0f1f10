/** Returns a title for a new thread: the start of its first message on one line, at most `longest` characters. Pure. */
export function createTitle(text: string, longest: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, longest).join("");
}
