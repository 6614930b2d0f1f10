import { z } from "zod";
import { isContentWord } from "../../registry/shared-words.ts";
import { listNames } from "../../output-filter/asked-change.ts";
import { readAskedParts } from "../../output-filter/read-asked-parts.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { CallResult } from "../../state/step.ts";
import type { Understanding } from "../../state/understanding.ts";
import { FOREVER } from "../../text/end-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { splitSentences } from "../../text/split-sentences.ts";
import { listNamedIn } from "./named-in-text.ts";
import { isBesideName } from "./other-names.ts";

type Entry = Registry["entries"][number];
type Reference = Understanding["references"][number];

/** A request, and what the turn has read for it. */
interface FoundRows {
  readonly request: string;
  readonly calls: readonly Pick<
    CallResult,
    "table" | "args" | "effect" | "ok" | "refs" | "count"
  >[];
  readonly entries: readonly Pick<Entry, "ref" | "type" | "label" | "row">[];
  readonly entityTypes: readonly Pick<EntityType, "type" | "table" | "words">[];
}

/**
 * Returns references to rows that the turn has read, by a word of their names that stands where their end is
 * ordered: no model could refer to them before. The word has to be of no other known row, and every row that has it
 * has to be known: by a read of the whole table, or of what has that word in its name. Where the clause that orders
 * names none, its sentence has to name one row alone: "Bea is out, remove her". Pure.
 */
export function findReferences({
  request,
  calls,
  entries,
  entityTypes,
}: FoundRows): readonly Reference[] {
  const named = splitSentences(request).flatMap((sentence) =>
    listNamedToEnd(sentence, entries, entityTypes),
  );
  return named.flatMap((entry) => {
    const others = entries.filter((other) => other !== entry);
    const taken = new Set(others.flatMap(({ label }) => foldWords(label)));
    const table = entityTypes.find(({ type }) => type === entry.type)?.table;
    const reads = calls.filter(
      (call) =>
        call.ok && call.effect === "read" && call.table === table && call.refs.includes(entry.ref),
    );
    const spoken = new Set(foldWords(request));
    const text = foldWords(entry.label).find(
      (word) =>
        isContentWord(word) &&
        spoken.has(word) &&
        !taken.has(word) &&
        reads.some((read) => coversWord(read, word, entry)),
    );
    return text === undefined ? [] : [{ text, ref: entry.ref }];
  });
}

/** Lists the rows of one type that a sentence names where it orders an end; where only the rest of it names any, the one that it is about. */
function listNamedToEnd<T extends FoundRows["entries"][number]>(
  sentence: string,
  entries: readonly T[],
  entityTypes: FoundRows["entityTypes"],
): readonly T[] {
  const { ordered } = readAskedParts(sentence, "gone");
  if (ordered.trim() === "") return [];
  const named = listNamedIn(ordered, entries, entityTypes);
  const [first] = named;
  if (first === undefined) {
    const beside = listNamedIn(sentence, entries, entityTypes);
    return beside.length === 1 && saysNoMore(sentence, beside, entityTypes) ? beside : [];
  }
  const isOfOne = named.every(({ type }) => type === first.type);
  return isOfOne && saysNoMore(ordered, named, entityTypes) ? named : [];
}

/** Returns true for words that name nothing but some rows and their types: "Bea's contract is void, remove it" may mean the contract. */
function saysNoMore(
  text: string,
  rows: readonly { readonly label: string }[],
  entityTypes: FoundRows["entityTypes"],
): boolean {
  const known = new Set(
    [...rows.map(({ label }) => label), ...entityTypes.flatMap(listNouns)].flatMap(foldWords),
  );
  return listNames(text.replaceAll(FOREVER, " ")).every(
    (word) => known.has(word) || word === POSSESSIVE || isBesideName(word),
  );
}

const POSSESSIVE = "s";
const ReadArgsSchema = z.looseObject({
  refs: z.array(z.string()),
  where: z.array(z.looseObject({ column: z.string(), op: z.string(), value: z.unknown() })),
  anyOf: z.array(z.unknown()),
  after: z.string().nullable(),
});

/** A pattern of what stands anywhere in a text. */
const PATTERN = /^(%?)([^%_]*)\1$/u;

/** Returns true for a read that has found every row with a word in its name: one of all rows, or by that word in a column that the name shows. */
function coversWord(
  { args, refs, count }: FoundRows["calls"][number],
  word: string,
  { label, row }: FoundRows["entries"][number],
): boolean {
  const read = ReadArgsSchema.safeParse(args);
  if (!read.success || refs.length < count) return false;
  const { refs: asked, where, anyOf, after } = read.data;
  if (asked.length > 0 || anyOf.length > 0 || after !== null) return false;
  const [first, ...others] = where;
  if (first === undefined) return true;
  const value = row?.[first.column];
  return (
    others.length === 0 &&
    first.op === "ilike" &&
    foldText(PATTERN.exec(typeof first.value === "string" ? first.value : "")?.[2] ?? "") ===
      ` ${word} ` &&
    typeof value === "string" &&
    foldText(label).includes(foldText(value))
  );
}
