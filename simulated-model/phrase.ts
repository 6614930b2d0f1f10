/** "a, b and c". */
export function joinNames(names: readonly string[], last: "and" | "or" = "and"): string {
  return names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}

/** Begins what is said of things that are not there. */
export const LACKING = "Missing";

/** `"a", "b" and "c"`. */
export function joinQuoted(names: readonly string[]): string {
  return joinNames(names.map((name) => `"${name}"`));
}

/** A person's words in quotation marks: “a”, “b”. */
export function quoteWords(texts: readonly string[]): string {
  return texts.map((text) => `“${text}”`).join(", ");
}

export function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

export function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Joins paragraphs; empty ones are left out. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** Fills the names in braces of a template. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.trim().replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
