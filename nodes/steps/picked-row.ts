import { isContentWord } from "../../registry/shared-words.ts";
import type { EntityType } from "../../state/entity.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { readOrdinal } from "../../text/count-words.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { listNamedIn } from "./named-in-text.ts";

type ChosenRow = Pick<RegistryEntry, "ref" | "type" | "label" | "facts">;

/** An answer, and the question before it. */
interface Answer {
  readonly message: string;
  readonly lastReply: string;
  readonly registry: { readonly entries: readonly ChosenRow[] };
  readonly entityTypes: readonly Pick<EntityType, "words">[];
}

/**
 * Returns the ref of the row that a message picks of those of one type that the question before it names, by
 * words that belong to one of them alone or by its place among them. Null where it picks none or several, and
 * where it names a row that was not asked about. Pure.
 */
export function findPicked({ message, lastReply, registry, entityTypes }: Answer): string | null {
  if (!endsAsQuestion(lastReply)) return null;
  const offered = listNamedIn(lastReply, registry.entries, entityTypes);
  const [first] = offered;
  if (first === undefined || offered.length < 2) return null;
  if (offered.some(({ type }) => type !== first.type)) return null;
  const named = listNamedIn(message, registry.entries, entityTypes);
  if (named.some((row) => !offered.includes(row))) return null;
  const words = foldWords(message);
  const reply = foldText(lastReply);
  const inOrder = offered.toSorted(
    (one, other) => reply.indexOf(foldText(one.label)) - reply.indexOf(foldText(other.label)),
  );
  const isWhole = offered.every(({ label }) => reply.includes(foldText(label)));
  const placed = words.flatMap((word) => {
    const place = isWhole ? readOrdinal(word, offered.length) : null;
    return place === null ? [] : [inOrder[place - 1]?.ref ?? ""];
  });
  const described = offered.filter((row) => hasOwnWord(words, row, offered)).map(({ ref }) => ref);
  const [picked = null, ...others] = new Set([...placed, ...described]);
  return others.length === 0 && picked !== "" ? picked : null;
}

/** Returns true where words have one of a row's label or facts that no other row has. */
function hasOwnWord(words: readonly string[], row: ChosenRow, rows: readonly ChosenRow[]): boolean {
  const listWords = ({ label, facts }: ChosenRow): readonly string[] =>
    foldWords(`${label} ${facts}`);
  const others = new Set(rows.filter((other) => other !== row).flatMap(listWords));
  const own = new Set(listWords(row).filter((word) => isContentWord(word) && !others.has(word)));
  return words.some((word) => own.has(word));
}
