/**
 * Returns a key for comparing claims by their words: equal for texts that
 * differ in case, white space, punctuation or the Unicode form of their characters.
 *
 * Signs that carry meaning stay: those inside numbers, and a sign, currency or per cent at one. A text
 * of nothing but punctuation is kept as it is.
 */
export function claimKey(text: string): string {
  const folded = text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase()
    .normalize("NFKC");
  const key = folded
    .replaceAll(/\p{P}/gu, (mark, at: number) => (isInNumber(folded, { mark, at }) ? mark : " "))
    .replaceAll(/\s+/gu, " ")
    .trim();
  return key === "" ? text.trim() : key;
}

interface MarkPosition {
  readonly mark: string;
  readonly at: number;
}

function isInNumber(text: string, { mark, at }: MarkPosition): boolean {
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + mark.length, at + mark.length + 1);
  const follows = /\d/u.test(after);
  if (/\d/u.test(before)) return follows || mark === "%";
  // "-5" is a number, "two-5" is not.
  return follows && /[-–#]/u.test(mark) && !/[\p{L}\p{N}]/u.test(before);
}
