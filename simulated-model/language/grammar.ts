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

/** Ends a symbol. */
const STOP = ".";

/** The first letter of those that stand for nothing else. */
const FIRST_LETTER = 0xe000;

/** The names of symbols, each written as a letter of its own: the shorter a row, the faster it is matched. */
const LETTERS = new Map(
  [...Object.keys(WORDINGS.symbols), ...VALUED].map((name, index) => [
    name,
    String.fromCodePoint(FIRST_LETTER + index),
  ]),
);

/** A matcher that keeps what it has matched before, and the reader of its matches. */
function createParser() {
  const grammar = readGrammar();
  const semantics = grammar.createSemantics().addOperation<Tree>("tree", {
    _nonterminal(this: Node) {
      return readTree(this);
    },
  });
  return { matcher: grammar.matcher(), semantics };
}

/** A symbol is written as the letters of every name that it can have, and a stop. */
function readGrammar(): Grammar {
  const rules = [...LETTERS].map(([name, letter]) => `${name} = sym<"${letter}">`).join("\n");
  const symbols = `Symbols { sym<tag> = (~tag ~"${STOP}" any)* tag (~"${STOP}" any)* "${STOP}"\n${rules} }`;
  const source = readFileSync(new URL("grammar.ohm", import.meta.url), "utf8");
  const loaded = grammars(`${symbols}\n${source}`)["Request"];
  if (loaded === undefined) throw new TypeError('Cannot load "grammar.ohm": it defines no Request');
  return loaded;
}

function readTree({ ctorName, children, source }: Node): Tree {
  const isSymbol = children[0]?.ctorName === "sym";
  const place = isSymbol ? countSymbols(source.sourceString, source.startIdx) : null;
  // What is only looked ahead to belongs to the next clause.
  const own = isSymbol || ctorName === "Next" ? [] : children;
  return { rule: ctorName, place, children: own.map(readTree) };
}

/** Counts the symbols of a row that end before a place in its text. */
function countSymbols(row: string, end: number): number {
  return row.slice(0, end).split(STOP).length - 1;
}

/** Loaded with the module (0.3 s): within a turn, on a busy machine, it would hold up the renewal of the thread's lease for seconds. */
const PARSER = createParser();

/** Rows that were matched last: every role of a turn reads the same message. */
const matched = new Map<string, Tree | number>();
const MOST_MATCHED = 500;

/** Matches all of a row of symbols; returns the place where it failed otherwise. */
export function matchSymbols(symbols: readonly Symbol[]): Tree | number {
  const row = symbols.map(({ tags }) => tags.map(findLetter).join("") + STOP).join("");
  const result = matched.get(row) ?? matchRow(row);
  if (matched.size === MOST_MATCHED) matched.clear();
  matched.set(row, result);
  return result;
}

function findLetter(tag: string): string {
  return LETTERS.get(tag) ?? "";
}

/** Matches again no more than the part of a row that is another than before. */
function matchRow(row: string): Tree | number {
  const { matcher, semantics } = PARSER;
  const before = matcher.getInput();
  const start = countSame(row, before, (index) => index);
  const rest = Math.min(row.length, before.length) - start;
  const end = Math.min(
    rest,
    countSame(row, before, (index, { length }) => length - 1 - index),
  );
  matcher.replaceInputRange(start, before.length - end, row.slice(start, row.length - end));
  const match = matcher.match("Message");
  const failedAt = match.failed() ? match.getRightmostFailurePosition() : -1;
  // A row that ends too early fails at its last symbol.
  return failedAt < 0
    ? semantics(match)["tree"]()
    : countSymbols(row, Math.min(failedAt, row.length - 1));
}

/** Counts the letters that two rows have in common, from a side of them. */
function countSame(
  one: string,
  other: string,
  place: (index: number, row: string) => number,
): number {
  let index = 0;
  while (index < one.length && one[place(index, one)] === other[place(index, other)]) index += 1;
  return index;
}
