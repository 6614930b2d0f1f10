import { wordMoments } from "../state/calendar.ts";
import { NAMED_ROWS, type Change } from "../state/change.ts";
import type { AlongRows } from "./changes/count-along.ts";
import { listInlineLists, renderFacts, type EntityType } from "../state/entity.ts";
import type { Json } from "../state/json.ts";
import { oneLine } from "../text/fence.ts";
import { joinItems } from "../text/join-list.ts";
import { nameInWords } from "../text/blot-machinery.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";
import { nameRows, type RowToName } from "./name-rows.ts";
import { selectUnshown, wordNewValues, type ListUnspoken } from "./word-new-values.ts";
import { findOldLabel, wordText, wordValues, type ValueWords } from "./word-values.ts";

export interface WordOptions extends ValueWords {
  readonly entityTypes: readonly EntityType[];
  /** Why the person is asked, where a rule of the domain would be broken. */
  readonly reasons: readonly string[];
  /** Default: new rows are shown by label and facts alone. */
  readonly listUnspoken?: ListUnspoken;
  /** Rows that go along and that the changes do not show. Default: none. */
  readonly along?: readonly AlongRows[];
  /** Days for which it can be undone; null where it cannot. */
  readonly undoDays: number | null;
}

/**
 * Words changes as the question that a person answers before they are kept: every kind is counted,
 * up to 50 rows of each are named, also of those that are deleted along, and what else follows from
 * them is counted. Pure.
 */
export function wordChanges(
  changes: readonly Change[],
  { undoDays, ...options }: WordOptions,
): string {
  const undo =
    undoDays === null
      ? renderSentence("cannotBeUndone")
      : renderSentence("canBeUndone", { days: undoDays });
  const listed = listChangesInWords(changes, options);
  return [listed, undo, renderSentence(options.reasons.length > 0 ? "doItAnyway" : "doIt")].join(
    " ",
  );
}

/** Words changes as a proposal lists them: as `wordChanges` does, and with no question. Pure. */
export function listChangesInWords(
  changes: readonly Change[],
  {
    entityTypes,
    reasons,
    along = [],
    listUnspoken = () => [],
    ...words
  }: Omit<WordOptions, "undoDays">,
): string {
  const asked = changes.filter(({ cause }) => cause !== "follows");
  const kinds = Map.groupBy(asked, ({ action, type }) => `${action} ${type}`);
  const lines = [...kinds.values()].map((own) =>
    wordKind(own, { entityTypes, words, all: changes, along, listUnspoken }),
  );
  const sentences = [...reasons.map((reason) => `${oneLine(reason)}.`), ...lines];
  return wordMoments(sentences.join(" "), words.timeZone);
}

interface KindOptions extends Pick<WordOptions, "entityTypes"> {
  readonly listUnspoken: ListUnspoken;
  readonly words: ValueWords;
  readonly all: readonly Change[];
  readonly along: readonly AlongRows[];
}

const LEADS = {
  create: "thisCreates",
  update: "thisChanges",
  delete: "thisDeletes",
} as const satisfies Record<Change["action"], SentenceId>;

function wordKind(
  own: readonly Change[],
  { words, listUnspoken, ...options }: KindOptions,
): string {
  const { entityTypes } = options;
  const [first] = own;
  const type = entityTypes.find((candidate) => candidate.type === first?.type);
  if (first === undefined || type === undefined) return "";
  const rows = own.map((change) => describeRow(change, type, { ...words, listUnspoken }));
  const consequences = [
    ...countListItems(own, type),
    ...countFollowers({ ...options, kind: first }),
  ];
  return renderSentence(LEADS[first.action], {
    count: own.length,
    rows: own.length === 1 ? type.words.one : type.words.many,
    names: joinNames(nameRows(rows, type, words)),
    consequences: consequences.map((text) => `; ${text}`).join(""),
  });
}

function joinNames(names: readonly string[]): string {
  const labels = joinItems(names.slice(0, NAMED_ROWS));
  return names.length > NAMED_ROWS
    ? renderSentence("labelsAndMore", { labels, count: names.length - NAMED_ROWS })
    : labels;
}

/**
 * A row by its label; a changed one with what becomes of it, every other one with its facts: another
 * row, known to nobody here, may have the same label. A new one also with the values that nobody has named.
 */
function describeRow(
  change: Change,
  type: EntityType,
  { listUnspoken, ...words }: ValueWords & Pick<KindOptions, "listUnspoken">,
): RowToName {
  const values = change.before ?? change.after ?? {};
  const known = (): readonly string[] => {
    const facts = wordText(renderFacts(type, values), words);
    if (change.action === "delete") return [facts];
    const parts = selectUnshown(change, type, listUnspoken(change));
    return [facts, wordNewValues(change, parts, words)];
  };
  const facts = change.action === "update" ? wordValues(change, type, words) : known();
  // The person knows a row by the name that it has.
  const old = change.action === "update" ? findOldLabel(change, type) : null;
  const label = old === null ? change.label : hideDatabaseIds(old);
  return { label: oneLine(label), facts, values };
}

/** Items that go with deleted rows: "65 ingredients go with them". */
function countListItems(own: readonly Change[], type: EntityType): string[] {
  if (own[0]?.action !== "delete") return [];
  return listInlineLists(type).flatMap(({ name }) => {
    const count = own.reduce((sum, { before }) => sum + countItems(before?.[name]), 0);
    if (count === 0) return [];
    // A list has no word for one of its items.
    const sentence = count === 1 ? "entriesGoToo" : "itemsGoToo";
    return [renderSentence(sentence, { count, items: name })];
  });
}

function countItems(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

interface FollowerOptions extends Omit<KindOptions, "words" | "listUnspoken"> {
  readonly kind: Change;
}

const ALONG = {
  asked: { delete: "entriesGoToo", update: "entriesChangeToo" },
  done: { delete: "entriesWentToo", update: "entriesChangedToo" },
} as const satisfies Record<string, Record<AlongRows["action"], SentenceId>>;

/** Words rows that go along by the name of their table, as no entity type has a word for them. */
export function wordAlong(along: readonly AlongRows[], when: keyof typeof ALONG): string[] {
  return along.map(({ table, action, count }) => {
    const items = nameInWords(table.split(".").at(-1) ?? "");
    return renderSentence(ALONG[when][action], { count, items });
  });
}

/** Rows that a foreign key or a trigger deletes or changes with them, said once, with the first kind. */
function countFollowers({ all, along, entityTypes, kind }: FollowerOptions): string[] {
  const first = all.find(({ cause }) => cause !== "follows");
  if (first === undefined || first.type !== kind.type || first.action !== kind.action) return [];
  const followers = Map.groupBy(
    all.filter(({ cause }) => cause === "follows"),
    ({ action, type }) => `${action} ${type}`,
  );
  const described = [...followers.values()].flatMap((rows) => {
    const [one] = rows;
    const type = entityTypes.find((candidate) => candidate.type === one?.type);
    if (one === undefined || type === undefined) return [];
    const words = rows.length === 1 ? type.words.one : type.words.many;
    if (one.action !== "delete") {
      return [renderSentence("rowsChangeToo", { count: rows.length, items: words })];
    }
    const names = joinNames(rows.map(({ label }) => oneLine(label)));
    return [renderSentence("rowsGoToo", { count: rows.length, items: words, names })];
  });
  return [...described, ...wordAlong(along, "asked")];
}
