import { Temporal } from "temporal-polyfill";
import type { Column } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { MisfitError, ToolInputError, UnknownRefError, type RefBook } from "../../state/tool.ts";
import { readExactNumber } from "../../text/exact-json.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { resolveSavedRef } from "./refs.ts";

/** A value that is sent to the database as one parameter. */
export type SqlValue = string | number | boolean | null | readonly string[];

/** Longest text one column takes, in characters. */
export const MAX_TEXT = 20_000;

/** A number that a text may give. */
export const DECIMAL = /^-?\d{1,1000}(\.\d{1,1000})?$/;

/** Returns the SQL type of a column's parameters; undefined where it is the key's type of another table, which the server knows. */
export function sqlType(column: Column): string | undefined {
  if (column.references !== undefined) return undefined;
  switch (column.kind) {
    case "text":
    case "choice":
      return "text";
    case "integer":
      return "bigint";
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    case "date":
      return "date";
    case "timestamp":
      return "timestamptz";
    case "tags":
      return "text[]";
    case "json":
      return "jsonb";
  }
  return column.kind satisfies never;
}

/**
 * Reads a value for a column: checked, normalised, refs turned into ids. Null passes.
 *
 * @throws ToolInputError that says what the column takes; UnknownRefError for a ref that does not exist.
 */
export function readValue(column: Column, value: Json, refs: RefBook): SqlValue {
  if (value === null) return null;
  if (column.references !== undefined) {
    if (typeof value !== "string")
      throw wrongValue(column, value, `a ref of type ${column.references}`);
    return readRef(column, { value, type: column.references }, refs);
  }
  switch (column.kind) {
    case "text":
      return readText(column, value);
    case "integer":
      return readInteger(column, value);
    case "number":
      return readNumber(column, value);
    case "boolean":
      return readBoolean(column, value);
    case "date":
      return readDate(column, value);
    case "timestamp":
      return readTimestamp(column, value);
    case "choice":
      return readChoice(column, value);
    case "tags":
      return readTags(column, value);
    case "json":
      throw wrongValue(column, value, "nothing: it can only be read");
  }
  return column.kind satisfies never;
}

interface GivenRef {
  readonly value: string;
  readonly type: string;
}

/** A ref that stands for nothing stays an error of its own: its message names near ones. */
function readRef({ name }: Column, { value, type }: GivenRef, refs: RefBook): string {
  try {
    return resolveSavedRef(refs, value, { type, place: name }).id;
  } catch (error) {
    if (error instanceof UnknownRefError || !(error instanceof ToolInputError)) throw error;
    throw new MisfitError(error.message, [{ column: name, value }], { cause: error });
  }
}

function readText(column: Column, value: Json): string {
  if (typeof value !== "string") throw wrongValue(column, value, "a text");
  assertStorable(column, value);
  return isUnseen(value) ? "" : value;
}

/** Returns true for a text of which nothing can be seen: no name is made of zero-width spaces. */
export function isUnseen(text: string): boolean {
  return !/[^\s\p{Cf}\p{DI}]/u.test(text);
}

function readInteger(column: Column, value: Json): number | string {
  const number = parseNumber(column, value);
  const isWhole = number !== null && /^-?\d+$/.test(String(number));
  if (!isWhole || BigInt.asIntN(64, BigInt(number)) !== BigInt(number)) {
    throw wrongValue(column, value, "a whole number");
  }
  return number;
}

function readNumber(column: Column, value: Json): number | string {
  const number = parseNumber(column, value);
  if (number === null) throw wrongValue(column, value, "a number such as 0.5");
  return number;
}

/** The number, or the text of one that JavaScript cannot hold; null for anything else. A number that may have been rounded is refused. */
function parseNumber(column: Column, value: Json): number | string | null {
  if (typeof value === "string") {
    return DECIMAL.test(value.trim()) ? readExactNumber(value.trim()) : null;
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw wrongValue(column, value, "all its digits as a text");
  }
  return value;
}

function readBoolean(column: Column, value: Json): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw wrongValue(column, value, "true or false");
}

function readDate(column: Column, value: Json): string {
  const expected = "a date as YYYY-MM-DD";
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    throw wrongValue(column, value, expected);
  }
  try {
    return Temporal.PlainDate.from(value, { overflow: "reject" }).toString();
  } catch {
    throw wrongValue(column, value, `${expected}; that day does not exist`);
  }
}

function readTimestamp(column: Column, value: Json): string {
  const expected = "a time with offset such as 2026-01-12T18:30:00+01:00";
  if (typeof value !== "string") throw wrongValue(column, value, expected);
  try {
    const instant = Temporal.Instant.from(value).toString();
    if (!/^\d{4}-/.test(instant)) throw new RangeError("year out of range");
    return instant;
  } catch {
    throw wrongValue(column, value, expected);
  }
}

function readChoice(column: Column, value: Json): string {
  const values = column.values ?? [];
  const wanted = typeof value === "string" ? value.trim().toLowerCase() : null;
  const found = values.find((choice) => choice.toLowerCase() === wanted);
  if (found === undefined) throw wrongValue(column, value, `one of ${values.join(", ")}`);
  return found;
}

function readTags(column: Column, value: Json): readonly string[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  return list.map((tag) => {
    if (typeof tag !== "string" || isUnseen(tag)) {
      throw wrongValue(column, value, "a list of short texts");
    }
    assertStorable(column, tag);
    return tag.trim();
  });
}

function assertStorable(column: Column, text: string): void {
  if (text.includes("\0")) throw wrongValue(column, "…", "a text without NUL characters");
  if (text.length > MAX_TEXT) throw wrongValue(column, text, `at most ${MAX_TEXT} characters`);
}

function wrongValue({ name: column }: Column, value: Json, expected: string): MisfitError {
  return new MisfitError(
    `Cannot use value ${quoteValue(value)} for column "${column}": it does not fit; give ${expected}`,
    [{ column, value }],
  );
}
