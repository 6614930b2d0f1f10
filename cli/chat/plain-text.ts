/**
 * A text without what a terminal would obey: control characters, and with them escape sequences, other
 * than line ends and tabs, and marks that turn the direction of what follows. Rows and models may hold
 * anything.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[[\p{Cc}\u202A-\u202E\u2066-\u2069]--[\n\t]]/gv, "");
}
