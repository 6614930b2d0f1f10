/**
 * A text as XML may hold it, between tags or in quotes.
 *
 * Contract: characters that XML knows no way to write are left out, lone surrogates replaced.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[[\p{Cc}\uFFFE\uFFFF]--[\n\t]]/gv, "")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
