import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import type { Effect } from "../../state/step.ts";
import type { Understanding } from "../../state/understanding.ts";

/** The request of the person, and the changes made for it. */
export interface AskedFor {
  readonly message: string;
  readonly understanding: Pick<Understanding, "references" | "curation" | "answersPending"> | null;
  readonly plan: Pick<Plan, "steps" | "origin">;
  /** Those of the turn so far. */
  readonly effects: readonly Effect[];
  readonly registry: Pick<Registry, "entries">;
  readonly entityTypes: readonly EntityType[];
}

/**
 * Returns the updates of rows that have nothing to do with the message as far as code can tell, in a
 * turn that has something to do with it: a row of another type is created or changed, or the message
 * refers to another row. A row has to do with it where a reference of Understand means it, where its
 * label or the word for its type shares a word with the message, where it points at such a row, or
 * where the turn has changed it already. The only change of a turn whose message refers to nothing is
 * what was asked for. What a tool of the domain finds itself is that tool's affair. Pure.
 */
export function selectUnrelated(changes: readonly Change[], asked: AskedFor): readonly Change[] {
  const { understanding, plan, effects } = asked;
  // An answer stands for the words of an earlier message; what was agreed to is listed.
  if (understanding === null || plan.origin !== "think" || isAnswer(understanding)) return [];
  const relation = new Relation(asked);
  const strangers = changes.filter((change) => isUpdate(change) && !relation.holdsChange(change));
  if (strangers.length === 0) return [];
  const types = new Set([
    ...changes.filter((change) => !strangers.includes(change)).map(({ type }) => type),
    ...effects.map(({ type }) => type),
    ...plan.steps.flatMap(({ writes }) =>
      writes
        .filter(({ action, refs }) => action === "create" || refs.some((ref) => relation.has(ref)))
        .map(({ type }) => type),
    ),
  ]);
  if (types.size === 0) return refersToOthers(understanding) ? strangers : [];
  return strangers.filter(({ type }) => !types.has(type));
}

function isUpdate({ action, cause }: Change): boolean {
  return action === "update" && cause === "named";
}

function isAnswer({ answersPending }: Pick<Understanding, "answersPending">): boolean {
  return answersPending === "accept" || answersPending === "adjust";
}

/** Returns true where the message refers to rows, other than to leave them out. */
function refersToOthers({
  references,
  curation,
}: Pick<Understanding, "references" | "curation">): boolean {
  const left = new Set(curation.demote.map(({ ref }) => ref));
  return references.some(({ ref }) => !left.has(ref));
}

/** The rows that have to do with a message. */
class Relation {
  readonly #words: readonly string[];
  readonly #types: ReadonlyMap<string, EntityType>;
  /** Their refs. */
  readonly #refs: ReadonlySet<string>;
  /** Those that are stored, by `rowKey`. */
  readonly #rows: ReadonlySet<string>;

  constructor({ message, understanding, effects, registry, entityTypes }: AskedFor) {
    this.#words = splitWords(message);
    this.#types = new Map(entityTypes.map((type) => [type.type, type]));
    const known = new Set([
      ...(understanding?.references ?? []).map(({ ref }) => ref),
      ...effects.map(({ ref }) => ref),
    ]);
    const entries = registry.entries.filter(
      (entry) => known.has(entry.ref) || this.#isSpokenOf(entry),
    );
    this.#refs = new Set(entries.map(({ ref }) => ref));
    this.#rows = new Set(
      entries.flatMap(({ type, id }) => (id === null ? [] : [rowKey(type, id)])),
    );
  }

  has(ref: string): boolean {
    return this.#refs.has(ref);
  }

  holdsChange(change: Change): boolean {
    const { type, id, before, after } = change;
    if (this.#rows.has(rowKey(type, id)) || this.#isSpokenOf(change)) return true;
    const pointers = this.#types.get(type)?.columns.filter(({ references }) => references) ?? [];
    return pointers.some(({ name, references = "" }) =>
      [before?.[name], after?.[name]].some((value) => this.#isRow(references, value)),
    );
  }

  #isRow(type: string, value: Json | undefined): boolean {
    return typeof value === "string" || typeof value === "number"
      ? this.#rows.has(rowKey(type, String(value)))
      : false;
  }

  /** Returns true where the message shares a word with the row's label, or with the words for its type. */
  #isSpokenOf({ label, type }: Pick<RegistryEntry, "label" | "type">): boolean {
    const words = this.#types.get(type)?.words;
    const nouns = words === undefined ? [] : [words.one, words.many, ...(words.also ?? [])];
    return [label, ...nouns].some((text) => this.#shares(text));
  }

  #shares(text: string): boolean {
    const own = splitWords(text);
    const distinctive = own.filter((word) => Array.from(word).length >= SHORTEST_DISTINCTIVE);
    // A short label counts where the message has it as it is.
    return (distinctive.length === 0 ? own : distinctive).some((word) =>
      this.#words.some((other) => isSameWord(word, other)),
    );
  }
}

/** Shortest word of a longer name that tells what is meant. */
const SHORTEST_DISTINCTIVE = 4;

/** Most letters by which two forms of a word differ: "egg" and "eggs", "dish" and "dishes". */
const ENDING = 2;

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 3 && long.length - short.length <= ENDING && long.startsWith(short);
}

/** Lowercase words without accents; scripts without spaces by their characters. */
function splitWords(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []
  );
}
