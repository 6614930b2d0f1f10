/**
 * Returns the words of a text in small letters, without accents and punctuation.
 *
 * @example
 * foldWords("Füge Tee hinzu!"); // ["fuge", "tee", "hinzu"]
 */
export function foldWords(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Returns the same as one text, with a space before and after each word.
 *
 * @example
 * foldText("Füge Tee hinzu!"); // " fuge tee hinzu "
 */
export function foldText(text: string): string {
  return ` ${foldWords(text).join(" ")} `;
}
