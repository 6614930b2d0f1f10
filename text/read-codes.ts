/** Lists the words of a text that have both letters and figures, such as "AB-12". Pure. */
export function readCodes(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{Nd}][\p{L}\p{Nd}._/#-]*[\p{L}\p{Nd}]/gu) ?? [];
  return words.filter((word) => /\p{L}/u.test(word) && /\p{Nd}/u.test(word));
}
