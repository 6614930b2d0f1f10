import { meansGone } from "../../output-filter/asked-change.ts";
import { readAskedParts } from "../../output-filter/read-asked-parts.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { foldWords } from "../../text/fold-words.ts";
import { holdsWords } from "../../text/holds-words.ts";
import type { Change } from "../../state/change.ts";
import {
  listNouns,
  listVisibleColumns,
  rowKey,
  type Column,
  type EntityType,
} from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { listNameable, selectMistakable } from "./named-rows.ts";
import { endsValue } from "./ended-values.ts";
import { createNameCheck } from "./other-names.ts";
import type { AskedFor } from "./related-rows.ts";
import { dropSpanWords } from "./spoken-days.ts";
import { isClock } from "./spoken-times.ts";
import type { SpokenWords } from "./spoken-values.ts";
import { joinValues, leaveOutNames, nameColumn, wordValue } from "./row-words.ts";
import type { LabelledRow } from "./row-clauses.ts";
import { selectOtherwise, selectSwapped, setsUnspoken } from "./unspoken-values.ts";

type AskedChanges = Pick<
  AskedFor,
  | "message"
  | "lastReply"
  | "understanding"
  | "plan"
  | "effects"
  | "registry"
  | "entityTypes"
  | "today"
  | "language"
>;

/**
 * Returns the changes that may go further than the message: they empty a column that it has no word of, set
 * a value that it cannot mean, link another row than it names, or their row has the label of another that may
 * be meant as well. Where all that the message orders is to take something away, an update sets no words but
 * those of the order and "cancelled". Pure.
 */
export function selectDoubtful(changes: readonly Change[], asked: AskedChanges): readonly Change[] {
  const { message, understanding, registry, entityTypes } = asked;
  const entries = new Map(
    registry.entries.flatMap((entry) =>
      entry.id === null ? [] : [[rowKey(entry.type, entry.id), entry] as const],
    ),
  );
  const references = understanding?.references ?? [];
  const words = { message, references, known: listNameable(registry), entityTypes };
  const updates = changes.filter(({ action }) => action === "update");
  const mistakable = new Set(
    selectMistakable(
      updates,
      words,
      ({ type, id }) => entries.get(rowKey(type, id ?? ""))?.facts ?? "",
    ),
  );
  const takenAway =
    readAskedParts(message, "there").ordered === "" ? readAskedParts(message, "gone").ordered : "";
  const spoken = listSpokenWords(asked);
  const together = updates.map(({ label }) => label);
  const created = changes.filter(({ action }) => action === "create");
  const beside = describeOthers(updates, asked);
  const otherwise = new Set(selectOtherwise(created, entityTypes, { words: spoken, beside }));
  const others = listOtherRows(changes, asked);
  const swapped = new Set(selectSwapped(changes, entityTypes, { words: spoken, others }));
  const links = new Map(changes.map((change) => [change, listLinked(change, entityTypes)]));
  return changes.filter((change) => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    if (type === undefined) return false;
    if (swapped.has(change) || linksAnother(change, type, { asked, entries, links })) return true;
    if (change.action === "create") return otherwise.has(change);
    return (
      mistakable.has(change) ||
      emptiesUnspoken(change, { asked, entries }) ||
      setsUnspoken(change, type, { ...spoken, together, lastReply: asked.lastReply }) ||
      (takenAway !== "" && setsOtherWords(change, type, takenAway))
    );
  });
}

/** The rows that are updated, and those that the turn has changed before, with their values. */
function describeOthers(
  updates: readonly Change[],
  { effects, entityTypes }: Pick<AskedChanges, "effects" | "entityTypes">,
): string {
  const values = updates.flatMap(({ type: name, label, after }) => {
    const type = entityTypes.find((candidate) => candidate.type === name);
    return type === undefined ? [] : [label, joinValues(after, type)];
  });
  const earlier = effects.flatMap(({ label, facts, change }) => [label, facts, change ?? ""]);
  return [...values, ...earlier].join(" ");
}

/** Lists the known rows of the types of changes that share no word of their names with a changed one. */
function listOtherRows(
  changes: readonly Change[],
  { registry }: Pick<AskedChanges, "registry">,
): readonly LabelledRow[] {
  const types = new Set(changes.map(({ type }) => type));
  const ids = new Set(changes.map(({ type, id }) => rowKey(type, id)));
  const words = new Set(changes.flatMap(({ label }) => foldWords(label)));
  return registry.entries.flatMap(({ ref, type, id, label }) => {
    const key = id === null ? ref : rowKey(type, id);
    const isOther = types.has(type) && !ids.has(key);
    return isOther && !foldWords(label).some((word) => words.has(word))
      ? [{ key, labels: [label] }]
      : [];
  });
}

/** Returns the words that values of changes are held against. Pure. */
export function listSpokenWords({
  message,
  registry,
  entityTypes,
  today,
  language,
}: Pick<AskedFor, "message" | "registry" | "entityTypes" | "today" | "language">): SpokenWords {
  const labels = new Map(
    registry.entries.flatMap(({ type, ref, id, label }) =>
      [ref, id ?? ref].map((key) => [rowKey(type, key), label] as const),
    ),
  );
  const nouns = entityTypes.flatMap(listNouns).join(" ");
  return { message, labels, nouns, today, language, times: listTimes({ registry, entityTypes }) };
}

/** Lists the times of day of the known rows, by column. */
function listTimes({
  registry,
  entityTypes,
}: Pick<AskedFor, "registry" | "entityTypes">): ReadonlyMap<string, readonly string[]> {
  const times = registry.entries.flatMap(({ type: name, row }) =>
    (entityTypes.find(({ type }) => type === name)?.columns ?? []).flatMap((column) => {
      const value = row?.[column.name];
      return typeof value === "string" && isClock(value) ? [{ column: column.name, value }] : [];
    }),
  );
  const columns = Map.groupBy(times, ({ column }) => column);
  return new Map([...columns].map(([column, own]) => [column, own.map(({ value }) => value)]));
}

interface LinkFacts extends UpdateFacts {
  /** The rows that each change of the call links, by `rowKey`. */
  readonly links: ReadonlyMap<Change, ReadonlySet<string>>;
}

/**
 * Returns true for a change that links a row in whose place the message names others of its type. One that a
 * change beside it links stands for itself, where the message has a word of both: "tacos and the risotto".
 */
function linksAnother(
  change: Change,
  { columns }: EntityType,
  { asked, entries, links }: LinkFacts,
): boolean {
  const { changed, before, after } = change;
  const { message, understanding, plan, effects } = asked;
  const isLinkedBeside = ({ type, id }: RegistryEntry): boolean =>
    [...links].some(([other, linked]) => other !== change && linked.has(rowKey(type, id ?? "")));
  const references = understanding?.references ?? [];
  const namesOther = createNameCheck({ ...asked, isStrict: false });
  // A row that is changed itself is named for that.
  const changing = new Set([
    ...effects.map(({ ref }) => ref),
    ...plan.steps.flatMap(({ writes }) => writes.flatMap(({ refs }) => refs)),
  ]);
  const isMeant = ({ ref }: RegistryEntry): boolean =>
    references.some((one) => one.ref === ref && one.text !== "" && sharesWord(one.text, message));
  return columns.some((column) => {
    const [was, is] = [before, after].map((row) => entries.get(findLinked(row, column)));
    if (!changed.includes(column.name)) return false;
    const isSpoken = is !== undefined && (sharesWord(is.label, message) || isMeant(is));
    if (was !== undefined && !isSpoken && keepsLinked(was, { change, column, message })) {
      return true;
    }
    if (is === undefined) return false;
    if (namesOther(is)) return true;
    const held = [...entries.values()].filter(
      (entry) =>
        entry.type === is.type &&
        entry !== was &&
        !changing.has(entry.ref) &&
        holdsWords(message, entry.label) &&
        !(sharesWord(is.label, message) && isLinkedBeside(entry)),
    );
    // "Bella Donna" names no Bella.
    const named = held.filter(
      ({ label }) => !held.some((other) => other.label !== label && holdsWords(other.label, label)),
    );
    return named.length > 0 && !named.includes(is) && !isMeant(is);
  });
}

/** Returns true where the message has the name of a row that a change links no longer, and does not say that this ends: "put Hugo in charge". */
function keepsLinked({ label }: RegistryEntry, { change, column, message }: SetLink): boolean {
  const rest = leaveOutNames(message, [change.label]);
  const isEmptied = findLinked(change.after, column) === "";
  const words = isEmptied ? `${label} ${nameColumn(column)}` : label;
  return sharesWord(label, rest) && !endsValue(rest, words);
}

interface SetLink {
  readonly change: Change;
  readonly column: Column;
  readonly message: string;
}

/** Lists the rows that a change links, by `rowKey`. */
function listLinked({ type: name, after }: Change, entityTypes: readonly EntityType[]) {
  const columns = entityTypes.find(({ type }) => type === name)?.columns ?? [];
  return new Set(columns.map((column) => findLinked(after, column)));
}

/** The row that a column of a row points at, by `rowKey`; empty for none. */
function findLinked(row: Change["before"], { name, references }: Column): string {
  const value = row?.[name];
  const isKey = typeof value === "string" || typeof value === "number";
  return references !== undefined && isKey ? rowKey(references, String(value)) : "";
}

/** Returns true for an update that sets words that a text has none of. */
function setsOtherWords({ changed, after }: Change, type: EntityType, text: string): boolean {
  return listVisibleColumns(type).some(({ name, kind, references }) => {
    const value = after?.[name];
    const isWord = (kind === "text" || kind === "choice") && references === undefined;
    return (
      isWord &&
      changed.includes(name) &&
      typeof value === "string" &&
      value !== "" &&
      !meansGone(value) &&
      !sharesWord(value, text)
    );
  });
}

interface UpdateFacts {
  readonly asked: AskedChanges;
  /** The rows that the conversation knows, by `rowKey`. */
  readonly entries: ReadonlyMap<string, RegistryEntry>;
}

function emptiesUnspoken(
  { type: name, label, changed, before, after }: Change,
  { asked, entries }: UpdateFacts,
): boolean {
  const type = asked.entityTypes.find((candidate) => candidate.type === name);
  const message = leaveOutNames(asked.message, [type?.label(before ?? {}) ?? "", label]);
  return listEmptied(type, { changed, before, after }).some(({ column, value }) => {
    const label = entries.get(findLinked(before, column))?.label ?? "";
    const texts = [dropSpanWords(nameColumn(column)), label, ...wordValue(value, column, asked)];
    return !texts.some((text) => sharesWord(text, message));
  });
}

interface EmptiedColumn {
  readonly column: Column;
  /** The value that it had. */
  readonly value: string | number;
}

/** Lists the columns of a row that an update empties. */
function listEmptied(
  type: EntityType | undefined,
  { changed, before, after }: Pick<Change, "changed" | "before" | "after">,
): readonly EmptiedColumn[] {
  if (type === undefined) return [];
  return listVisibleColumns(type).flatMap((column) => {
    const value = before?.[column.name];
    const hadValue = typeof value === "number" || (typeof value === "string" && value !== "");
    return hadValue && changed.includes(column.name) && isEmpty(after?.[column.name])
      ? [{ column, value }]
      : [];
  });
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
