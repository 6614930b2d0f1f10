import type { Json } from "../../state/json.ts";

const REF = /(?<![\p{L}\p{N}_])[a-z]+(?:_[a-z]+)*_[1-9]\d*(?![\p{L}\p{N}_])/gu;
const RUN = / through $/u;
/** A run is never longer than a registry; a longer one was not written by this program. */
const LONGEST_RUN = 1_000;

/** Returns every ref that a text names, in order, each once; "recipe_1 through recipe_9" names nine. */
export function refsInText(text: string): string[] {
  const refs: string[] = [];
  let end = 0;
  for (const match of text.matchAll(REF)) {
    const [ref] = match;
    const before = refs.at(-1);
    const isRun = before !== undefined && RUN.test(text.slice(end, match.index));
    refs.push(...(isRun ? runTo(before, ref) : [ref]));
    end = match.index + ref.length;
  }
  return [...new Set(refs)];
}

/** Returns every ref that the texts of a JSON value name at any depth, in order, each once; keys are not texts. */
export function refsInJson(value: Json): string[] {
  return refsInText(textsIn(value).join("\n"));
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((inner: Json) => textsIn(inner));
}

/** Returns the refs after `first` up to `last`; only `last` where the two do not form a run. */
function runTo(first: string, last: string): string[] {
  const [from, to] = [first, last].map((ref) => ref.lastIndexOf("_") + 1);
  const prefix = last.slice(0, to);
  const start = Number(first.slice(from));
  const length = Number(last.slice(to)) - start;
  if (first.slice(0, from) !== prefix || length < 1 || length > LONGEST_RUN) return [last];
  return Array.from({ length }, (_, index) => `${prefix}${start + index + 1}`);
}
