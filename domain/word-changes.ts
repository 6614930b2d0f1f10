import type { Change } from "../state/change.ts";
import { listInlineLists, type EntityType } from "../state/entity.ts";
import type { Json } from "../state/json.ts";
import { oneLine } from "../text/fence.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";

/** Most rows of a kind that are named; the rest are counted. */
const NAMED = 8;

export interface WordOptions {
  readonly entityTypes: readonly EntityType[];
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
  { entityTypes, reasons, undoDays }: WordOptions,
): string {
  const asked = changes.filter(({ cause }) => cause !== "follows");
  const kinds = Map.groupBy(asked, ({ action, type }) => `${action} ${type}`);
  const lines = [...kinds.values()].map((own) => wordKind(own, { entityTypes, all: changes }));
  const undo =
    undoDays === null
      ? renderSentence("cannotBeUndone")
      : renderSentence("canBeUndone", { days: undoDays });
  const why = reasons.map((reason) => `${reason}.`);
  return [...why, ...lines, undo, renderSentence(why.length > 0 ? "doItAnyway" : "doIt")].join(" ");
}

interface KindOptions {
  readonly entityTypes: readonly EntityType[];
  readonly all: readonly Change[];
}

const LEADS = {
  create: "thisCreates",
  update: "thisChanges",
  delete: "thisDeletes",
} as const satisfies Record<Change["action"], SentenceId>;

function wordKind(own: readonly Change[], { entityTypes, all }: KindOptions): string {
  const [first] = own;
  const type = entityTypes.find((candidate) => candidate.type === first?.type);
  if (first === undefined || type === undefined) return "";
  const rows = own.map((change) => wordRow(change, type));
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

/** A row by its label; a changed one with what becomes of it. */
function wordRow(change: Change, type: EntityType): string {
  const label = oneLine(change.label);
  if (change.action !== "update") return label;
  const visible = change.changed.filter((name) => isShown(type, name));
  const parts = visible.map((name) => wordValue(name, change)).filter((text) => text !== "");
  return parts.length === 0 ? label : `${label} (${parts.join(", ")})`;
}

function isShown(type: EntityType, name: string): boolean {
  if (listInlineLists(type).some((list) => list.name === name)) return true;
  const column = type.columns.find((candidate) => candidate.name === name);
  return column !== undefined && column.visible !== false && column.references === undefined;
}

function wordValue(name: string, { before, after }: Change): string {
  const [from, to] = [wordJson(before?.[name]), wordJson(after?.[name])];
  const words = name.replaceAll("_", " ");
  return renderSentence("valueBecomes", { name: words, from: from || "–", to: to || "–" });
}

function wordJson(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item: Json) => wordItem(item)).join(", ");
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, 60);
}

/** An item of a list by its first text. */
function wordItem(item: Json): string {
  if (typeof item !== "object" || item === null) return wordJson(item);
  const text = Object.values(item).find((value) => typeof value === "string");
  return wordJson(text);
}

/** Items that go with deleted rows: "65 ingredients go with them". */
function countListItems(own: readonly Change[], type: EntityType): string[] {
  if (own[0]?.action !== "delete") return [];
  return listInlineLists(type).flatMap(({ name }) => {
    const count = own.reduce((sum, { before }) => sum + countItems(before?.[name]), 0);
    if (count === 0) return [];
    return [renderSentence("itemsGoToo", { count, items: name.replaceAll("_", " ") })];
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
