import { types, type CustomTypesConfig } from "pg";
import { parseExactJson } from "../../text/exact-json.ts";

type Parse = (text: string) => unknown;

const TEXT_ARRAY = 1009;

const JSON_TYPE = 114;
const JSONB_TYPE = 3802;

/**
 * Parsers for columns, so that every value is strict JSON.
 *
 * `date` as `YYYY-MM-DD`; `timestamptz` as ISO 8601 in UTC with milliseconds; `bigint` and `numeric`
 * as numbers. Their arrays likewise. A number within JSON that JavaScript cannot hold is a text. To be given to a pool or client as `types`.
 *
 * @throws RangeError (as the query's error) for a `bigint` beyond 2^53 or a `numeric` that is not finite.
 */
export const columnTypes: CustomTypesConfig = { getTypeParser: findParser };

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [types.builtins.DATE, String],
  [types.builtins.TIMESTAMPTZ, parseTimestamp],
  [types.builtins.INT8, parseBigint],
  [types.builtins.NUMERIC, parseNumeric],
  [JSON_TYPE, parseExactJson],
  [JSONB_TYPE, parseExactJson],
  [1182, parseArrayWith(String)],
  [1185, parseArrayWith(parseTimestamp)],
  [1016, parseArrayWith(parseBigint)],
  [1231, parseArrayWith(parseNumeric)],
]);

function findParser(oid: number, format?: "text" | "binary") {
  const own = format === "binary" ? undefined : PARSERS.get(oid);
  return own ?? types.getTypeParser(oid, format);
}

function parseTimestamp(text: string): string {
  const time = new Date(text);
  // `infinity` and years that JavaScript does not know stay as Postgres writes them.
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`Cannot read the number "${text}": it is beyond what JSON keeps exactly`);
}

function parseNumeric(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new RangeError(`Cannot read the number "${text}": JSON has no such number`);
}

/** Parses an array of any depth as texts, then each text. */
function parseArrayWith(parse: Parse): Parse {
  const parseTexts: Parse = types.getTypeParser(TEXT_ARRAY as number, "text");
  const parseEach = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(parseEach);
    return typeof value === "string" ? parse(value) : value;
  };
  return (text) => parseEach(parseTexts(text));
}
