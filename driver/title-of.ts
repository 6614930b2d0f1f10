const LONGEST = 60;

/** What a thread is called that has no title yet: the beginning of its first message, on one line, 60 characters at most. Pure. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, LONGEST).join("");
}
