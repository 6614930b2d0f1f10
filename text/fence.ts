/**
 * The text with every run of three or more `<` turned into as many `‹`, so that no data can open a
 * signal block; readable, idempotent, and nothing else is changed.
 */
export function neutralise(text: string): string {
  return text.replace(/<{3,}/g, (run) => "‹".repeat(run.length));
}

/**
 * The text between `<name>` and `</name>`, as data.
 *
 * Contract: whatever the text holds, it cannot end the fence or open another: `<` before a letter,
 * `/`, `!` or `?` becomes `‹`, and runs of `<` are neutralised. Fences are leaves; they do not nest.
 */
export function fence(name: string, text: string): string {
  return `<${name}>\n${neutralise(text).replace(/<(?=[\p{L}/!?])/gu, "‹")}\n</${name}>`;
}

/** The text on one line, white space collapsed, neutralised: for quoting data inside a section. */
export function oneLine(text: string): string {
  // Most lines of a prompt are such already, and to look is quicker than to replace every space.
  const collapsed = UNEVEN.test(text) ? text.replace(/[\s\p{Cc}]+/gu, " ") : text;
  return neutralise(collapsed.trim());
}

/** White space that is not one space between words. */
const UNEVEN = /[^\S ]|\p{Cc}| {2}/u;
