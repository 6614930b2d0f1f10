import { readFenceLine } from "./fences.ts";

/** Keys as they may be written, in letters only (`keyfindings`), to the field they fill. */
export type KeyNames<Field extends string> = ReadonlyMap<string, Field>;

/** Of each field that occurs, its lines: what stood beside the key, then what followed. */
export type FieldLines<Field extends string> = ReadonlyMap<Field, readonly string[]>;

interface KeyLine<Field extends string> {
  readonly field: Field;
  readonly rest: string;
  readonly bulleted: boolean;
}

const LONGEST_KEY = 64;
const LIST_MARK = /^(?:[-*•–+]|\d{1,3}[.)])\s+/;

/** Returns the table of keys from each field's keys, separated by blanks; its own name is one as well. */
export function keyNames<Field extends string>(
  keys: Readonly<Record<Field, string>>,
): KeyNames<Field> {
  const names = new Map<string, Field>();
  for (const field in keys)
    for (const key of [field, ...keys[field].split(" ")]) names.set(keepKeyLetters(key), field);
  return names;
}

/**
 * Reads a YAML-like body into the lines of its fields.
 *
 * A key may be in any case, with spaces, underscores or hyphens, bold, quoted, a heading or a bullet
 * (when the body's first key is one). Of a field that comes twice, the first that says something
 * counts. A line with an unknown snake-case key ends a value and is left out with its own.
 */
export function readFields<Field extends string>(
  body: string,
  names: KeyNames<Field>,
): FieldLines<Field> {
  const fields = new Map<Field, string[]>();
  let current: string[] = [];
  let bulletedKeys: boolean | null = null;
  for (const line of splitLines(body)) {
    if (readFenceLine(line) !== null || /^\s*[{}]\s*,?\s*$/.test(line)) continue;
    const key = readKey(line, names);
    if (key !== null && (!key.bulleted || bulletedKeys !== false)) {
      bulletedKeys ??= key.bulleted;
      current = [key.rest];
      if (saysSomething(fields.get(key.field))) continue;
      fields.set(key.field, current);
    } else if (bulletedKeys !== null && isUnknownKey(line)) current = [];
    else current.push(line);
  }
  return fields;
}

/**
 * Parts a body at the first line that has one of the keys: what stands before it, and all after the
 * key, untouched; null when no line has it. A bullet is a key only in a body that begins with one.
 */
export function splitAtKey(
  body: string,
  names: KeyNames<string>,
): { readonly before: string; readonly after: string | null } {
  const lines = splitLines(body);
  const bulletedKeys = LIST_MARK.test((lines.find((line) => line.trim() !== "") ?? "").trim());
  const index = lines.findIndex((line) => {
    const key = readKey(line, names);
    return key !== null && (!key.bulleted || bulletedKeys);
  });
  if (index === -1) return { before: body, after: null };
  const rest = readKey(lines[index] ?? "", names)?.rest ?? "";
  return {
    before: lines.slice(0, index).join("\n"),
    after: [rest, ...lines.slice(index + 1)].join("\n"),
  };
}

function splitLines(body: string): string[] {
  return body.split(/\r\n|\n/);
}

function readKey<Field extends string>(
  line: string,
  names: KeyNames<Field>,
): KeyLine<Field> | null {
  const text = line.trim();
  const unlisted = text.replace(LIST_MARK, "");
  const bulleted = unlisted !== text;
  const marked = unlisted.replace(/^(?:>\s*)?(?:#{1,6}\s+)?/, "");
  const colon = marked.slice(0, LONGEST_KEY).search(/[:：]/);
  if (colon === -1) {
    const heading = marked !== unlisted || /^(?:\*\*|__)[^*]{1,40}(?:\*\*|__)$/.test(marked);
    const field =
      heading && marked.length <= LONGEST_KEY ? names.get(keepKeyLetters(marked)) : undefined;
    return field === undefined ? null : { field, rest: "", bulleted };
  }
  const head = marked.slice(0, colon);
  const field = names.get(keepKeyLetters(head));
  if (field === undefined) return null;
  return { field, rest: unbold(head, marked.slice(colon + 1)), bulleted };
}

/** Takes off the end of the bold that began at the key. */
function unbold(head: string, value: string): string {
  const rest = value.trim();
  const mark = /^(?:\*{1,3}|_{1,2}|`)/.exec(head)?.[0];
  if (
    mark === undefined ||
    (head.trimEnd().length > mark.length * 2 && head.trimEnd().endsWith(mark))
  )
    return rest;
  if (rest.startsWith(mark)) return rest.slice(mark.length).trimStart();
  if (rest.endsWith(mark)) return rest.slice(0, -mark.length).trimEnd();
  return rest;
}

/** The key's letters without what may stand between and around them. */
function keepKeyLetters(key: string): string {
  return key.replace(/[*_`"'\s-]/g, "").toLowerCase();
}

function isUnknownKey(line: string): boolean {
  return /^\s*[a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}:(?:\s|$)/.test(line);
}

function saysSomething(lines: readonly string[] | undefined): boolean {
  return lines?.some((line) => line.trim() !== "") ?? false;
}
