import type { Change } from "../state/change.ts";
import { listInlineLists, renderFacts, type EntityType } from "../state/entity.ts";
import type { Json, JsonObject } from "../state/json.ts";
import { oneLine } from "../text/fence.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";
import type { RowLabels } from "./changes/load-labels.ts";
import { clipValue, wordValues } from "./word-values.ts";

/** Most rows of a kind that are named; the rest are counted. */
const NAMED = 8;

export interface WordOptions {
  readonly entityTypes: readonly EntityType[];
  /** Those of the rows that the changes point at. */
  readonly labels: RowLabels;
  /** Why the person is asked, where a rule of the domain would be broken. */
  readonly reasons: readonly string[];
  /** Days for which it can be undone; null where it cannot. */
  readonly undoDays: number | null;
}

/**
 * Words changes as the question that a person answers before they are kept: every kind is counted,
 * up to eight rows of each are named, and what follows from them is listed. Pure.
 */
export function wordChanges(
  changes: readonly Change[],
  { entityTypes, labels, reasons, undoDays }: WordOptions,
): string {
  const asked = changes.filter(({ cause }) => cause !== "follows");
  const kinds = Map.groupBy(asked, ({ action, type }) => `${action} ${type}`);
  const lines = [...kinds.values()].map((own) =>
    wordKind(own, { entityTypes, labels, all: changes }),
  );
  const undo =
    undoDays === null
      ? renderSentence("cannotBeUndone")
      : renderSentence("canBeUndone", { days: undoDays });
  const why = reasons.map((reason) => `${reason}.`);
  return [...why, ...lines, undo, renderSentence(why.length > 0 ? "doItAnyway" : "doIt")].join(" ");
}

interface KindOptions extends Pick<WordOptions, "entityTypes" | "labels"> {
  readonly all: readonly Change[];
}

interface RowOptions extends Pick<WordOptions, "labels"> {
  readonly type: EntityType;
}

const LEADS = {
  create: "thisCreates",
  update: "thisChanges",
  delete: "thisDeletes",
} as const satisfies Record<Change["action"], SentenceId>;

function wordKind(own: readonly Change[], { entityTypes, labels, all }: KindOptions): string {
  const [first] = own;
  const type = entityTypes.find((candidate) => candidate.type === first?.type);
  if (first === undefined || type === undefined) return "";
  const rows = own.map((change) => wordRow(change, { type, labels }));
  const shown = rows.slice(0, NAMED).join(", ");
  const names =
    rows.length > NAMED
      ? renderSentence("labelsAndMore", { labels: shown, count: rows.length - NAMED })
      : shown;
  const consequences = [
    ...countListItems(own, type),
    ...countFollowers(all, { entityTypes, kind: first }),
  ];
  return renderSentence(LEADS[first.action], {
    count: own.length,
    rows: own.length === 1 ? type.words.one : type.words.many,
    names,
    consequences: consequences.map((text) => `; ${text}`).join(""),
  });
}

/**
 * A row by its label; a changed one with what becomes of it, every other one with its facts: another
 * row, known to nobody here, may have the same label.
 */
function wordRow(change: Change, { type, labels }: RowOptions): string {
  const label = oneLine(change.label);
  const parts =
    change.action === "update"
      ? wordValues(change, type, labels)
      : [wordFacts(type, change.after ?? change.before ?? {})];
  const shown = parts.filter((text) => text !== "");
  return shown.length === 0 ? label : `${label} (${shown.join(", ")})`;
}

function wordFacts(type: EntityType, values: JsonObject): string {
  return clipValue(oneLine(hideDatabaseIds(renderFacts(type, values))));
}

/** Items that go with deleted rows: "65 ingredients go with them". */
function countListItems(own: readonly Change[], type: EntityType): string[] {
  if (own[0]?.action !== "delete") return [];
  return listInlineLists(type).flatMap(({ name }) => {
    const count = own.reduce((sum, { before }) => sum + countItems(before?.[name]), 0);
    if (count === 0) return [];
    const items = name.replaceAll("_", " ");
    // A list has no word for one of its items.
    return [
      count === 1
        ? renderSentence("oneEntryGoesToo", { items })
        : renderSentence("itemsGoToo", { count, items }),
    ];
  });
}

function countItems(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

interface FollowerOptions {
  readonly entityTypes: readonly EntityType[];
  readonly kind: Change;
}

/** Rows that a foreign key or a trigger changes with them, counted once, with the first kind. */
function countFollowers(all: readonly Change[], { entityTypes, kind }: FollowerOptions): string[] {
  const first = all.find(({ cause }) => cause !== "follows");
  if (first === undefined || first.type !== kind.type || first.action !== kind.action) return [];
  const followers = Map.groupBy(
    all.filter(({ cause }) => cause === "follows"),
    ({ action, type }) => `${action} ${type}`,
  );
  return [...followers.values()].flatMap((rows) => {
    const [one] = rows;
    const type = entityTypes.find((candidate) => candidate.type === one?.type);
    if (one === undefined || type === undefined) return [];
    const words = rows.length === 1 ? type.words.one : type.words.many;
    const id = one.action === "delete" ? "itemsGoToo" : "rowsChangeToo";
    return [renderSentence(id, { count: rows.length, items: words })];
  });
}
