import { types, type CustomTypesConfig } from "pg";

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
  [JSON_TYPE, parseJson],
  [JSONB_TYPE, parseJson],
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

/** Few values have a number of so many digits, and to look at every one costs time. */
const MANY_DIGITS = /\d[\d.]{15}/;

function parseJson(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
}

function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return normalizeNumber(source) === normalizeNumber(String(value)) ? value : source;
}

/** Writes a decimal number as its digits and the place of the last one: "1.50e3" is "15 2". */
function normalizeNumber(text: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/u, "");
  const short = digits.replace(/0+$/u, "");
  const place = Number(power) - part.length + digits.length - short.length;
  return short === "" ? "0" : `${sign}${short} ${place}`;
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
