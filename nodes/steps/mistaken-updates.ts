import { findOrder } from "../../output-filter/asked-change.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import { listNouns, rowKey } from "../../state/entity.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { foldWords } from "../../text/fold-words.ts";
import { listSpokenWords } from "./doubtful-changes.ts";
import { selectMeant } from "./meant-references.ts";
import { listNameable, selectLabelled } from "./named-rows.ts";
import { createNameCheck } from "./other-names.ts";
import { findPicked } from "./picked-row.ts";
import { listPlaced, mayBePlaced } from "./pointing-references.ts";
import type { AskedFor } from "./related-rows.ts";
import { RowPointers } from "./row-pointers.ts";

/**
 * Returns the updates of a row in whose place the message names another of its type, by its label, by more
 * words that point at it or by a code of the same form, or one that nobody knows. Of changes that are one thing,
 * a row that is none of these settles its type. Where they cannot be taken back, the message has to tell one of
 * the rows from the others that are known. Pure.
 */
export function selectMistaken(
  updates: readonly Change[],
  { isOne, ...asked }: AskedFor & { readonly isOne: boolean },
): readonly Change[] {
  const choice = new Choice(updates, asked);
  const namesOther = createNameCheck({ ...asked, isStrict: false });
  const beside = updates.filter((update) => choice.isBeside(update) || namesOther(update));
  const settled = new Set(
    updates.filter((update) => !beside.includes(update)).map(({ type }) => type),
  );
  const open = updates.filter((update) => choice.hasRivals(update));
  const isVague = asked.isIrrevocable && !open.some((update) => choice.isDistinct(update));
  return [
    ...(isVague ? open : []),
    ...(isOne ? beside.filter(({ type }) => !settled.has(type)) : beside),
  ];
}

/** The rows that a message may mean, and those that are changed for it. */
class Choice {
  readonly #asked: AskedFor;
  /** Those that the conversation knows, without what is gone. */
  readonly #known: readonly RegistryEntry[];
  /** The known and the changed ones whose labels the message has. */
  readonly #labelled: ReadonlySet<RegistryEntry | Change>;
  readonly #pointers: ReadonlyMap<string, RowPointers>;

  constructor(updates: readonly Change[], asked: AskedFor) {
    const { message, registry, entityTypes } = asked;
    this.#asked = asked;
    this.#known = registry.entries.filter(({ id, action }) => id !== null && action !== "deleted");
    const words = { message, references: [], known: listNameable(registry), entityTypes };
    this.#labelled = new Set(selectLabelled([...this.#known, ...updates], words));
    const spoken = listSpokenWords(asked);
    const changed = new Set(updates.map(({ type }) => type));
    this.#pointers = new Map(
      entityTypes
        .filter(({ type }) => changed.has(type))
        .map((type) => [type.type, new RowPointers(type, spoken)] as const),
    );
  }

  isBeside(update: Change): boolean {
    const { message, lastReply } = this.#asked;
    const findMore = this.#pointers.get(update.type)?.compareWith(update);
    const placed = this.#listPlacedBeside(update);
    const others = this.#listRivals(update).flatMap((rival) => {
      const more = findMore?.(rival) ?? "";
      const isNamed = this.#labelled.has(rival) || placed.includes(rival.ref);
      return more !== "" || isNamed ? [`${rival.label} ${more}`] : [];
    });
    const named = [...others, ...listOtherCodes(update.label, message)];
    if (named.length === 0 || this.#isLabelled(update)) return false;
    const type = this.#asked.entityTypes.find((one) => one.type === update.type);
    const taken = [...named, ...(type === undefined ? [] : listNouns(type))].join(" ");
    const rest = foldWords(message).filter((word) => !sharesWord(word, taken));
    const isOrderedBack =
      sharesWord(update.label, lastReply) &&
      !others.some((other) => sharesWord(other, lastReply)) &&
      findOrder(message)?.pointsBack === true;
    return (
      !isOrderedBack &&
      !sharesWord(update.label, rest.join(" ")) &&
      !this.#isMeant(update, (text) => sharesWord(text, message) && !sharesWord(taken, text))
    );
  }

  /** Lists the rows at whose places in the last list the message points, where it may point at none of an update's. */
  #listPlacedBeside({ ref }: Change): readonly string[] {
    const { message, registry, topic } = this.#asked;
    if (ref === null || ref === topic || mayBePlaced(message, ref, registry)) return [];
    return ref === findPicked(this.#asked) ? [] : listPlaced(message, this.#asked);
  }

  hasRivals(update: Change): boolean {
    return this.#listRivals(update).length > 0;
  }

  /** Returns true where the message, or the last reply alone, tells a row from the others. */
  isDistinct(update: Change): boolean {
    const { message, lastReply } = this.#asked;
    const rivals = this.#listRivals(update);
    const others = rivals.map(describeRow).join(" ");
    const own = [update, ...this.#known.filter((entry) => isSameRow(entry, update))];
    const distinct = foldWords(own.map(describeRow).join(" ")).filter(
      (word) => !sharesWord(word, others),
    );
    const isReplied =
      sharesWord(distinct.join(" "), lastReply) &&
      !rivals.some(({ label }) => sharesWord(label, lastReply));
    return (
      this.#isLabelled(update) ||
      sharesWord(distinct.join(" "), message) ||
      isReplied ||
      this.#isMeant(update, () => true)
    );
  }

  #listRivals(update: Change): readonly RegistryEntry[] {
    return this.#known.filter((entry) => entry.type === update.type && !isSameRow(entry, update));
  }

  /** Returns true where the message has the label of a row, or the one that it had. */
  #isLabelled(update: Change): boolean {
    return [...this.#labelled].some((row) => row === update || isSameRow(row, update));
  }

  /** Returns true where a reference in such words means a row, or the turn has changed it. */
  #isMeant({ ref }: Change, fits: (text: string) => boolean): boolean {
    const { understanding, effects } = this.#asked;
    const references = selectMeant(understanding?.references ?? [], this.#asked);
    return (
      effects.some((effect) => effect.ref === ref) ||
      references.some((reference) => reference.ref === ref && fits(reference.text))
    );
  }
}

function describeRow({ label, ...row }: { label: string; facts?: string }): string {
  return `${label} ${row.facts ?? ""}`;
}

function isSameRow(one: Pick<RegistryEntry, "type" | "id">, { type, id }: Change): boolean {
  return one.id !== null && rowKey(one.type, one.id) === rowKey(type, id);
}

/** A word that is a code, as an order's number. */
const CODE = /^(?:\p{L}+\p{N}{4,}|\p{N}{6,})$/u;

/** Lists the codes of a message that have the form of one in a label, and are not it. */
function listOtherCodes(label: string, message: string): readonly string[] {
  const own = foldWords(label).filter((word) => CODE.test(word));
  const forms = new Set(own.map(readForm));
  return foldWords(message).filter((word) => forms.has(readForm(word)) && !own.includes(word));
}

function readForm(code: string): string {
  return code.replaceAll(/\p{N}/gu, "0");
}
