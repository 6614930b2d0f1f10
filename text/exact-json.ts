/** Few values have a number of so many digits, and to look at every one costs time. */
const MANY_DIGITS = /\d[\d.]{15}/;

/** Parses JSON as `JSON.parse` does, but a number that JavaScript cannot hold is the text of its digits. @throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, keepSource) : JSON.parse(text);
}

function keepSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value !== "number" || source === undefined ? value : readExactNumber(source);
}

/** The number that a text writes; the text where JavaScript cannot hold it. */
export function readExactNumber(text: string): number | string {
  const value = Number(text);
  return normalizeNumber(text) === normalizeNumber(String(value)) ? value : text;
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
