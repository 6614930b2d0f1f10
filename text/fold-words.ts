/**
 * Returns the words of a text in small letters without accents and punctuation, a space before and after each.
 *
 * @example
 * foldText("Füge Tee hinzu!"); // " fuge tee hinzu "
 */
export function foldText(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return ` ${words.join(" ")} `;
}
