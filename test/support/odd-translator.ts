/** Translates a template into a language of its own: capitals, placeholders as they are. */
export function translateOddly(template: string): string {
  const parts = template.split(/(\{[^}]*\})/u);
  return parts
    .map((part) =>
      part.startsWith("{")
        ? part.replaceAll(/\|([^|}]*)/gu, (_, word: string) => `|${word.toUpperCase()}`)
        : part.toUpperCase(),
    )
    .join("");
}
