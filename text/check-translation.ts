const PLACEHOLDER = /\{([a-zA-Z]+)(\|[^|{}]*\|[^|{}]*)?\}/gu;

/** Longer than so many times the English one, no sentence is a translation. */
const LONGEST = 3;

/** Characters that even a translation of one word may have. */
const LEAST = 24;

/**
 * Returns why a text cannot stand in for a template; null where it can: it has the same placeholders, as
 * often, those that choose between two words with two words again, no other braces, no marker of a control
 * block, one paragraph, and at most three times the length.
 *
 * Source: memory.md §3.1.
 */
export function findTranslationFault(template: string, text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (text.length > Math.max(LEAST, template.length * LONGEST)) return "it is too long";
  if (/<<|[\n\r]/u.test(text)) return "it has a marker or a line break";
  const [wanted, given] = [template, text].map(listPlaceholders);
  if (wanted !== given) return "its placeholders are not those of the English one";
  return /[{}]/u.test(text.replaceAll(PLACEHOLDER, ""))
    ? "it has a brace that opens nothing"
    : null;
}

function listPlaceholders(text: string): string {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = "", words]) =>
    words === undefined ? name : `${name}|`,
  )
    .toSorted()
    .join(" ");
}
