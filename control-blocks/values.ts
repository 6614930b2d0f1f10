import { z } from "zod";
import type { FieldLines } from "./fields.ts";
import { splitItems } from "./split-items.ts";
import { isPlaceholder } from "./placeholders.ts";

/** Values that say nothing, in lower case. */
const NOTHING: ReadonlySet<string> = new Set(
  "|null|nil|none|n/a|na|nothing|nothing explicit|none identified|none yet|none so far|not applicable|undefined|~|-|–|—|...|…".split(
    "|",
  ),
);

const BULLET = /^(?:[-*•–+]|\d{1,3}[.)])(?:\s+|$)/;

/** Reads the fields of a schema: a list where it has one, else a text. */
export function readBlockValues(
  fields: FieldLines<string>,
  shape: Readonly<Record<string, z.ZodType>>,
): Record<string, string | string[]> {
  const entries = Object.entries(shape).map(([field, type]) => {
    const lines = fields.get(field) ?? [];
    return [field, type instanceof z.ZodArray ? readList(lines) : readBlockText(lines)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The value's lines as one text, white space collapsed; `""` for nothing, null, none, n/a or a
 * placeholder of the template. The first line is what stood beside the key.
 *
 * Quotes around the whole are taken off and their escapes read; a list becomes its items, joined
 * by `"; "`.
 */
export function readBlockText(lines: readonly string[]): string {
  const solid = solidLines(lines);
  if (solid[0] !== undefined && BULLET.test(solid[0].trim()) && isEmptyBeside(lines)) {
    return bulletItems(solid).flatMap(readItem).join("; ");
  }
  const joined = joinLines(solid);
  if (saysNothing(joined)) return "";
  const inner = insideBrackets(joined);
  if (inner !== null) return splitItems(inner).flatMap(readItem).join("; ");
  return unquote(joined) ?? joined.replace(/\s+/g, " ");
}

/**
 * The value's lines as a list: bullets, an inline list, lines, or a list with commas or semicolons.
 * Items that say nothing are left out.
 */
export function readList(lines: readonly string[]): string[] {
  const solid = solidLines(lines);
  if (solid.some((line) => BULLET.test(line.trim()))) return bulletItems(solid).flatMap(readItem);
  const joined = joinLines(solid);
  if (saysNothing(joined)) return [];
  if (joined.startsWith("[")) return splitItems(openBrackets(joined)).flatMap(readItem);
  const separate = isEmptyBeside(lines) && solid.length > 1;
  if (separate && !solid.some((line) => line.trim().endsWith(","))) return solid.flatMap(readItem);
  if (unquote(joined) !== null) return readItem(joined);
  return splitItems(joined).flatMap(readItem);
}

/** One item as a list of itself, or of nothing. */
function readItem(raw: string): string[] {
  const text = raw.trim().replace(/(["\]]),$/, "$1");
  if (saysNothing(text)) return [];
  const item = unquote(text) ?? text.replace(/\s+/g, " ");
  return item.trim() === "" ? [] : [item];
}

function saysNothing(text: string): boolean {
  if (text.length > 200) return false;
  const bare = text
    .replace(/^[-*•]\s+/, "")
    .replace(/^[\s"'([{*_`]+/, "")
    .replace(/[\s"')\]}*_`.,]+$/, "")
    .toLowerCase();
  if (NOTHING.has(bare) || NOTHING.has(text.trim())) return true;
  return isPlaceholder(text);
}

/** Returns the text inside a pair of quotes that surrounds it; null when there is no such pair. */
function unquote(text: string): string | null {
  const [open] = text;
  if (text.length < 2) return null;
  if (open === '"') return unquoteDouble(text);
  if (open === "“") return between(text, "”");
  if (open === "'") return between(text, "'")?.replaceAll("''", "'") ?? null;
  if (open === "`") return between(text, "`");
  return null;
}

function between(text: string, closing: string): string | null {
  if (!text.endsWith(closing)) return null;
  const inner = text.slice(1, -1);
  return inner.replaceAll(closing + closing, "").includes(closing) ? null : inner;
}

function unquoteDouble(text: string): string | null {
  if (closingQuote(text) !== text.length - 1) return null;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1).replaceAll('\\"', '"');
  }
}

/** Returns the index of the quote that closes the one opening the text; -1 when there is none. */
function closingQuote(text: string): number {
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] === '"') return index;
    // An escaped character closes nothing.
    if (text[index] === "\\") index += 1;
  }
  return -1;
}

function insideBrackets(text: string): string | null {
  return text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : null;
}

function openBrackets(text: string): string {
  return insideBrackets(text) ?? text.slice(1);
}

function joinLines(lines: readonly string[]): string {
  const text = lines.map((line) => line.trim()).join(" ");
  // What follows an inline list is YAML's comment.
  const joined = text.startsWith("[") ? text.replace(/\]\s+#[^\]]*$/, "]") : text;
  return joined.replace(/(["\]]),$/, "$1");
}

/** The lines that hold something, without the sign of a YAML block (`|`, `>-`). */
function solidLines(lines: readonly string[]): string[] {
  const [first = "", ...others] = lines;
  const beside = /^[|>][+-]?\d?$/.test(first.trim()) ? "" : first;
  return [beside, ...others].filter((line) => line.trim() !== "");
}

function isEmptyBeside(lines: readonly string[]): boolean {
  const [first = ""] = lines;
  return /^(?:[|>][+-]?\d?)?$/.test(first.trim());
}

function bulletItems(lines: readonly string[]): string[] {
  const items: string[][] = [];
  for (const line of lines) {
    const text = line.trim();
    if (BULLET.test(text)) items.push([text.replace(BULLET, "")]);
    else if (items.length === 0) items.push(text.endsWith(":") ? [] : [text]);
    else items.at(-1)?.push(text);
  }
  return items.map((parts) => parts.join(" "));
}
