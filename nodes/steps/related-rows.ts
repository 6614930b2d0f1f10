import { readListItems } from "../../domain/changes/list-items.ts";
import { findOrder, listNames, namesAll } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import {
  listInlineLists,
  listNouns,
  listVisibleColumns,
  renderFacts,
  rowKey,
  type EntityType,
} from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import type { Effect } from "../../state/step.ts";
import type { Understanding } from "../../state/understanding.ts";
import { listNumberWords } from "../../text/answer-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { selectDoubtful } from "./doubtful-changes.ts";
import { selectMeant, speaksOfPeople } from "./meant-references.ts";
import { selectMistaken } from "./mistaken-updates.ts";
import { nameColumn, wordValue } from "./row-words.ts";
import { isAnswer } from "./unasked.ts";

/** The request of the person, and the changes made for it. */
export interface AskedFor {
  readonly message: string;
  /** The assistant's words before the message: "sounds good, add it" points back at them. */
  readonly lastReply: string;
  /** The ref of the one row that the conversation was about before the message; null for none. */
  readonly topic: string | null;
  readonly understanding: Pick<Understanding, "references" | "answersPending"> | null;
  readonly plan: Pick<Plan, "origin" | "steps">;
  /** Those of the turn so far. */
  readonly effects: readonly Effect[];
  readonly registry: Pick<Registry, "entries" | "listed">;
  readonly entityTypes: readonly EntityType[];
  /** The drafts that new rows save, by `rowKey`. */
  readonly drafts: ReadonlyMap<string, string>;
  /** The name of a tool of the domain, whose changes belong together; null for a generated one. */
  readonly ownTool: string | null;
  /** True where the changes cannot be taken back. */
  readonly isIrrevocable: boolean;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly language: string;
}

/**
 * Returns the updates and creations that have nothing to do with what the person has said, as far as
 * code can tell. A change has to do with the message where it shares a word with the row's label, with
 * the words of its type, with a day of the row, with a value that is set or a column that changes; where a
 * reference of Understand means the row, the turn has changed it already, or it points at such a row. A new
 * row may also be one that the last reply names, and an updated one where the message orders it by "it" or
 * "everything". Where an order names new rows of a type and has no other word of its own, it means no
 * further ones. What a call finds itself, and all that a tool of the domain changes, is one thing. Updates
 * that may go further than the message, or be of the wrong row, are among them. Pure.
 */
export function selectUnrelated(changes: readonly Change[], asked: AskedFor): readonly Change[] {
  const { understanding, plan, ownTool, message } = asked;
  // An answer stands for the words of an earlier message; what was agreed to is listed.
  if (understanding === null || plan.origin !== "think" || isAnswer(understanding)) return [];
  const relation = new Relation(asked);
  const written = changes.filter(({ action }) => action !== "delete");
  const strangers = written.filter(
    (change) => !relation.holds(change) || relation.isBeside(change, written),
  );
  const isOne = ownTool !== null || written.every(({ cause }) => cause === "found");
  const isTied =
    strangers.length < written.length || sharesWord(nameInWords(ownTool ?? ""), message);
  const updates = written.filter(({ action }) => action === "update");
  const mistaken = selectMistaken(updates, { ...asked, isOne });
  const doubtful = new Set(
    isOne && isTied ? mistaken : [...strangers, ...selectDoubtful(written, asked), ...mistaken],
  );
  return written.filter((change) => doubtful.has(change));
}

/** Most words of the name of one thing: "semi skimmed milk". */
const NAME_WORDS = 3;

/** The rows and changes that have to do with a message. */
class Relation {
  readonly #asked: AskedFor;
  readonly #types: ReadonlyMap<string, EntityType>;
  /** Rows by ref, and by `rowKey`. */
  readonly #rows: ReadonlySet<string>;
  /** True where the message has a word for some type. */
  readonly #isTypeNamed: boolean;
  /** Those that the last reply names. */
  readonly #replied: ReadonlySet<string>;

  constructor(asked: AskedFor) {
    const { understanding, effects, registry, entityTypes, message, lastReply } = asked;
    this.#asked = asked;
    this.#types = new Map(entityTypes.map((type) => [type.type, type]));
    const known = new Set([
      ...selectMeant(understanding?.references ?? [], asked).map(({ ref }) => ref),
      ...effects.map(({ ref }) => ref),
    ]);
    this.#rows = collectKeys(
      registry.entries.filter(
        ({ ref, label, type }) =>
          known.has(ref) || sharesWord(label, message) || this.#isNamed(type),
      ),
    );
    this.#isTypeNamed = entityTypes.some(({ type }) => this.#isNamed(type));
    this.#replied = collectKeys(
      registry.entries.filter(({ label }) => sharesWord(label, lastReply)),
    );
  }

  holds(change: Change): boolean {
    const { action, type: name, id, label, before, after } = change;
    const { message, lastReply, drafts } = this.#asked;
    const type = this.#types.get(name);
    if (type === undefined) return false;
    const key = rowKey(name, id);
    const pointers = [before, after].flatMap((row) => listPointers(row ?? {}, type));
    const rows = [key, drafts.get(key) ?? "", ...pointers];
    const isMeant =
      this.#isNamed(name) || rows.some((row) => this.#rows.has(row)) || sharesWord(label, message);
    // Beside a row or a type that the message means, a value or a column is its own: "make it 3 oranges".
    const isOfAnother = action === "update" && (this.#rows.size > 0 || this.#isTypeNamed);
    const isGiven =
      !isOfAnother &&
      !speaksOfPeople(message) &&
      this.#listWords(change, type).some((text) => sharesWord(text, message));
    if (isMeant || isGiven) return true;
    if (action === "update")
      return this.#replied.has(key) && findOrder(message)?.pointsBack === true;
    return sharesWord(label, lastReply) || pointers.some((row) => this.#replied.has(row));
  }

  /**
   * Returns true for a new row that an order does not name: one that names others of its type, and nothing
   * else; or one that has a name of its own, which no new row has and nothing known, nor a value of the row.
   */
  isBeside(change: Change, written: readonly Change[]): boolean {
    const { action, type: name, id, label, after } = change;
    const { message, lastReply, drafts, effects } = this.#asked;
    const type = this.#types.get(name);
    if (action !== "create" || type === undefined) return false;
    const rows = [drafts.get(rowKey(name, id)) ?? "", ...listPointers(after ?? {}, type)];
    const isTied =
      sharesWord(label, message) ||
      sharesWord(label, lastReply) ||
      rows.some((row) => this.#rows.has(row));
    if (isTied) return false;
    const isNamed = (one: Pick<Effect, "type" | "label">): boolean =>
      one.type === name && sharesWord(one.label, message);
    const named = written.filter((one) => one.action === "create" && isNamed(one));
    const labels = [...named, ...effects.filter(isNamed)].map((one) => one.label);
    const numbers = named.flatMap((one) =>
      Object.values(one.after ?? {}).filter((value) => typeof value === "number"),
    );
    const words = [
      ...labels,
      ...named.flatMap((one) => this.#listWords(one, type)),
      ...listNumberWords(numbers),
      ...listNouns(type),
    ];
    const isKnown = (word: string): boolean => words.some((text) => sharesWord(text, word));
    if (labels.length > 0) return namesAll(message, isKnown);
    return this.#namesOther(change, type);
  }

  /**
   * Returns true for an order of one thing by a name that is of no known row, and of a new row neither a word
   * nor a value: "add milk to the list", of caviar. More words may mean anything: "what I need for pancakes".
   */
  #namesOther(change: Change, type: EntityType): boolean {
    const { message, registry, understanding } = this.#asked;
    const nouns = [...this.#types.values()].flatMap(listNouns).join(" ");
    const names = foldWords(message).filter(
      (word) => listNames(word).length > 0 && /\p{L}/u.test(word) && !sharesWord(word, nouns),
    );
    const isKnown = (word: string): boolean =>
      names.includes(word) || /\d/u.test(word) || sharesWord(word, nouns);
    const isOneThing =
      names.length > 0 &&
      names.length <= NAME_WORDS &&
      foldText(message).includes(foldText(names.join(" "))) &&
      namesAll(message, isKnown);
    const isOfKnown = registry.entries.some(
      ({ label }) => sharesWord(label, message) || sharesWord(label, change.label),
    );
    const isMeant = understanding?.references.some(({ ref }) => ref !== null) === true;
    // A figure may stand in any row.
    const texts = this.#listWords(change, type).filter((text) => /\p{L}/u.test(text));
    return isOneThing && !isOfKnown && !isMeant && !texts.some((text) => sharesWord(text, message));
  }

  /** Returns true where the message has a word for a type. */
  #isNamed(name: string): boolean {
    const type = this.#types.get(name);
    return (
      type !== undefined && listNouns(type).some((noun) => sharesWord(noun, this.#asked.message))
    );
  }

  /** The words for what changes: the values before and after, those of lists included, and the names of columns. */
  #listWords({ action, changed, before, after }: Change, type: EntityType): readonly string[] {
    const columns = listVisibleColumns(type).filter(({ name }) => changed.includes(name));
    const lists = listInlineLists(type).filter(({ name }) => changed.includes(name));
    const [was = "", is = ""] = [before, after].map((row) => renderFacts(type, row ?? {}));
    const values = [before ?? {}, after ?? {}].flatMap((row) => [
      columns.map((column) => ({ column, value: row[column.name] })),
      lists.flatMap((list) =>
        readListItems(row[list.name]).flatMap((item) =>
          listVisibleColumns(list).map((column) => ({ column, value: item[column.name] })),
        ),
      ),
    ]);
    return [
      ...values.flat().flatMap(({ column, value }) => wordValue(value, column, this.#asked)),
      // "bought" of a line that is ticked off.
      ...is.split(/[\s,]+/u).filter((word) => !was.includes(word)),
      ...(action === "create" ? [] : [...columns, ...lists].map(nameColumn)),
      ...listVisibleColumns(type).flatMap((column) =>
        column.kind === "date" ? wordValue(before?.[column.name], column, this.#asked) : [],
      ),
    ];
  }
}

function collectKeys(entries: readonly RegistryEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ ref, type, id }) => (id === null ? [ref] : [ref, rowKey(type, id)])),
  );
}

/** Lists the rows that a row and the items of its lists point at, by `rowKey`. */
function listPointers(row: JsonObject, type: EntityType): readonly string[] {
  const own = type.columns.map((column) => ({ column, value: row[column.name] }));
  const items = listInlineLists(type).flatMap(({ name, columns }) =>
    readListItems(row[name]).flatMap((item) =>
      columns.map((column) => ({ column, value: item[column.name] })),
    ),
  );
  return [...own, ...items].flatMap(({ column: { references }, value }) =>
    references !== undefined && (typeof value === "string" || typeof value === "number")
      ? [rowKey(references, String(value))]
      : [],
  );
}
