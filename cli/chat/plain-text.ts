/**
 * A text without what a terminal would obey: control characters, and with them escape sequences,
 * other than line ends and tabs. Rows and models may hold anything.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\t]]/gv, "");
}
