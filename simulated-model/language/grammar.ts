import { readFileSync } from "node:fs";
import { type Grammar, grammars, type Node } from "ohm-js";
import type { Symbol } from "./symbols.ts";
import { WORDINGS } from "./wordings.ts";

/** A parse: rules of the grammar, down to the symbols, which carry their place in the row. */
export interface Tree {
  readonly rule: string;
  readonly place: number | null;
  readonly children: readonly Tree[];
}

/** Symbols that carry a value of the message; the others carry their meaning in their name. */
const VALUED = ["n", "u", "ord", "date", "number", "unit", "value", "part", "schedule"];

const grammar = loadGrammar();
const semantics = grammar.createSemantics().addOperation<Tree>("tree", {
  _nonterminal(this: Node) {
    return readTree(this);
  },
});

/** A symbol is written `<:add:buy:#4>`: every name it can have, then its place. */
function loadGrammar(): Grammar {
  const names = [...Object.keys(WORDINGS.symbols), ...VALUED];
  const rules = names.map((name) => `${name} = sym<":${name}:">`).join("\n");
  const symbols = `Symbols { sym<tag> = "<" (~tag ~"#" any)* tag (~"#" any)* "#" digit+ ">"\n${rules} }`;
  const source = readFileSync(new URL("grammar.ohm", import.meta.url), "utf8");
  const loaded = grammars(`${symbols}\n${source}`)["Request"];
  if (loaded === undefined) throw new TypeError('Cannot load "grammar.ohm": it defines no Request');
  return loaded;
}

function readTree({ ctorName, children, sourceString }: Node): Tree {
  const isSymbol = children[0]?.ctorName === "sym";
  const place = isSymbol ? Number(/#(\d+)>/.exec(sourceString)?.[1]) : null;
  // What is only looked ahead to belongs to the next clause.
  const own = isSymbol || ctorName === "Next" ? [] : children;
  return { rule: ctorName, place, children: own.map(readTree) };
}

/** Rows that were matched last: every role of a turn reads the same message. */
const matched = new Map<string, Tree | number>();
const MOST_MATCHED = 500;

/** Matches all of a row of symbols; returns the place where it failed otherwise. */
export function matchSymbols(symbols: readonly Symbol[]): Tree | number {
  const texts = symbols.map(({ tags }, index) => `<:${tags.join(":")}:#${index}>`);
  const row = texts.join(" ");
  const result = matched.get(row) ?? matchTexts(texts);
  if (matched.size === MOST_MATCHED) matched.clear();
  matched.set(row, result);
  return result;
}

function matchTexts(texts: readonly string[]): Tree | number {
  const match = grammar.match(texts.join(" "), "Message");
  const failedAt = match.failed() ? match.getRightmostFailurePosition() : -1;
  if (failedAt < 0) return semantics(match)["tree"]();
  let length = 0;
  const at = texts.findIndex((text) => (length += text.length + 1) > failedAt);
  return at === -1 ? texts.length : at;
}
