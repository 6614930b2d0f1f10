const LONGEST = 60;

/** Returns a title for a new thread: the start of its first message, on one line, at most 60 characters. Pure. */
export function createTitle(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, LONGEST).join("");
}
