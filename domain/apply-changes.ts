import type { Change } from "../state/change.ts";
import type { Tool } from "../state/domain.ts";
import { rowKey, type EntityType } from "../state/entity.ts";
import type { Json, JsonObject } from "../state/json.ts";
import type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
import {
  ToolOutcomeSchema,
  type RefBook,
  type ToolOutcome,
  type ToolWrite,
} from "../state/tool.ts";
import { findForbidden } from "./changes/check-rights.ts";
import { countAlong, selectLost, type AlongRows } from "./changes/count-along.ts";
import { countUndescribed } from "./changes/count-undescribed.ts";
import { findObjection, type Consent, type Objection } from "./changes/find-objection.ts";
import { foldChanges } from "./changes/fold-changes.ts";
import { judgeChanges, selectWarnings, type ChangeRules } from "./changes/judge-changes.ts";
import { placeRow } from "./changes/list-owners.ts";
import { loadLabels, type RowLabels } from "./changes/load-labels.ts";
import { foldJournal, type NetRow } from "./changes/net-rows.ts";
import { readJournalByKey } from "./changes/read-journal.ts";
import { keepOrRollBack } from "./keep-or-roll-back.ts";
import { completeOutcome, runHandler } from "./run-tool.ts";
import { openToolRun, type ToolRunParts } from "./tool-run.ts";
import { wordAlong } from "./word-changes.ts";
import { selectUnshown, wordNewValues } from "./word-new-values.ts";
import { GLANCE, wordUpdate } from "./word-values.ts";

/** A tool call that may change data. */
export interface ChangeRequest {
  readonly userId: string;
  readonly effect: EffectIdentity;
  readonly tool: Tool;
  /** As the model gave them. */
  readonly args: JsonObject;
  readonly run: Omit<ToolRunParts, "tx" | "entityTypes">;
  readonly rules: ChangeRules;
  readonly consent: Consent;
}

/** Result of a request: only `applied` stored anything, and nothing where there was nothing to change. */
export type ChangeResult =
  | { readonly kind: "applied"; readonly effectId: number | null; readonly outcome: ToolOutcome }
  /** The tool may not change that. */
  | { readonly kind: "refused"; readonly reason: string }
  | Extract<Objection, { kind: "breach" }>
  /** The person is asked; the labels are of the rows that the changed ones point at. */
  | (Extract<Objection, { kind: "unconfirmed" }> & { readonly labels: RowLabels });

/**
 * Runs a tool, reads from the journal what it really changed, checks that, and keeps it or takes all
 * of it back. One transaction under the thread's lease, once for an effect key; a key whose changes
 * were taken back may run again.
 *
 * @throws ToolInputError, UnknownRefError for what the model can put right; LeaseLostError.
 */
export async function applyChanges(
  userData: UserData,
  request: ChangeRequest,
): Promise<ChangeResult> {
  const { userId, effect } = request;
  return keepOrRollBack<ChangeResult>(async (rollBack) => {
    const { effectId, result, repeated } = await userData.write(userId, effect, async (tx) => {
      const decided = await runAndDecide(tx, request);
      return decided.isKept ? decided.outcome : rollBack(decided.result);
    });
    const outcome = repeated ? ToolOutcomeSchema.parse(result) : result;
    return { kind: "applied", effectId, outcome };
  });
}

/** The outcome of a call whose changes are kept, or the result of one whose changes are taken back. */
type DecidedCall =
  | { readonly isKept: true; readonly outcome: ToolOutcome }
  | { readonly isKept: false; readonly result: ChangeResult };

async function runAndDecide(tx: Queryable, request: ChangeRequest): Promise<DecidedCall> {
  const { run, rules, effect } = request;
  const statements = countStatements(tx);
  const { entityTypes, onRowDenied } = rules;
  const toolRun = openToolRun({ ...run, tx: statements.tx, entityTypes, onRowDenied });
  const running = runHandler(request.tool, request.args, toolRun);
  // Sent together with the first statements of the handler, which are all that most calls have: it
  // needs no round trip of its own.
  const sentFirst = statements.count();
  const readEarly = sentFirst === 0 ? null : readJournalByKey(tx, effect.key);
  readEarly?.catch(() => undefined);
  const result = await running;
  const isWhole = statements.count() === sentFirst;
  const net = foldJournal(await ((isWhole ? readEarly : null) ?? readJournalByKey(tx, effect.key)));
  const { drafts, given } = toolRun;
  const decided = await decideChanges(tx, { net, drafts, given }, request);
  const { failures } = toolRun;
  switch (decided.kind) {
    case "kept": {
      const { kind: _kind, ...kept } = decided;
      const outcome = await completeOutcome(tx, { ...result, ...kept, failures }, rules);
      return { isKept: true, outcome };
    }
    case "unchanged": {
      const outcome = await completeOutcome(tx, { ...result, writes: [], failures }, rules);
      return { isKept: false, result: { kind: "applied", effectId: null, outcome } };
    }
    case "refused":
    case "breach":
    case "unconfirmed":
      return { isKept: false, result: decided };
    default:
      return decided satisfies never;
  }
}

/** Counts the statements that are sent through a transaction. */
function countStatements(tx: Queryable): { readonly tx: Queryable; readonly count: () => number } {
  let sent = 0;
  const query: Queryable["query"] = (text, values) => {
    sent += 1;
    return tx.query(text, values);
  };
  return { tx: { query }, count: () => sent };
}

/** Rows that a tool has changed; the draft that each new row saves, and the columns that it was given, by `rowKey`. */
export interface ChangedRows {
  readonly net: readonly NetRow[];
  readonly drafts: ReadonlyMap<string, string>;
  readonly given: ReadonlyMap<string, readonly string[]>;
}

/** Decision about the changes of a call: they are kept, there is nothing to keep, or they are taken back. */
export type DecidedChanges =
  | {
      readonly kind: "kept";
      readonly writes: readonly ToolWrite[];
      readonly undescribed: number;
      readonly warnings: ToolOutcome["warnings"];
    }
  | { readonly kind: "unchanged" }
  | Exclude<ChangeResult, { readonly kind: "applied" }>;

/** Decides by rights, checks and confirmation rules whether the changes of a call are kept. */
export async function decideChanges(
  tx: Queryable,
  { net, drafts, given }: ChangedRows,
  { tool, args, run, rules, effect, consent }: ChangeRequest,
): Promise<DecidedChanges> {
  const { entityTypes } = rules;
  const named = listNamedRows(args, run.refs);
  const changes = await foldChanges(tx, net, { entityTypes, refs: run.refs, named, given });
  // An update to the same values changes nothing: no version is counted up, and no key is used.
  if (changes.length === 0 && (effect.origin === "tool" || net.length === 0)) {
    return { kind: "unchanged" };
  }
  const isGenerated = effect.origin === "tool";
  const forbidden = findForbidden(changes, {
    tool,
    entityTypes,
    isGenerated,
  });
  if (forbidden.length > 0) return { kind: "refused", reason: forbidden.join("; ") };
  const verdicts = await judgeChanges(tx, changes, { origin: effect.origin, rules });
  const { along, undescribed } = countOthers(net, changes, { entityTypes, isGenerated });
  const objection = findObjection(changes, { verdicts, tool, entityTypes, consent, drafts, along });
  if (objection?.kind === "breach") return objection;
  if (objection !== null) {
    return { ...objection, labels: await loadLabels(tx, changes, entityTypes) };
  }
  const { timeZone } = run;
  const writes = await describeWrites(
    tx,
    { changes, writes: toWrites(changes, { net, drafts }, entityTypes) },
    { entityTypes, timeZone, listUnspoken: consent.listUnspoken },
  );
  const warnings = [...selectWarnings(verdicts), ...wordAlong(along, "done")];
  return { kind: "kept", writes, undescribed, warnings };
}

interface OtherRows {
  readonly along: readonly AlongRows[];
  readonly undescribed: number;
}

/**
 * Counts the changed rows that no change shows. The journal does not say which of them a foreign key
 * took along: with a deletion, all that are gone count as such. A generated tool changes no others.
 */
function countOthers(
  net: readonly NetRow[],
  changes: readonly Change[],
  {
    entityTypes,
    isGenerated,
  }: Pick<ChangeRules, "entityTypes"> & { readonly isGenerated: boolean },
): OtherRows {
  const takesAlong = isGenerated || changes.some(({ action }) => action === "delete");
  const lost = takesAlong ? selectLost(net, entityTypes) : [];
  const others = isGenerated ? [] : net.filter((row) => !lost.includes(row));
  return {
    along: countAlong(lost),
    undescribed: countUndescribed(others, changes, entityTypes),
  };
}

interface WrittenChanges {
  readonly changes: readonly Change[];
  /** In the order of the changes. */
  readonly writes: readonly ToolWrite[];
}

interface DescribeOptions extends Pick<Consent, "listUnspoken"> {
  readonly entityTypes: readonly EntityType[];
  readonly timeZone: string;
}

/** Adds to writes what became of the values of updated rows, and the values of new ones that the person has not named. */
async function describeWrites(
  tx: Queryable,
  { changes, writes }: WrittenChanges,
  { entityTypes, timeZone, listUnspoken }: DescribeOptions,
): Promise<readonly ToolWrite[]> {
  const described = changes.map((change) => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    const isNew = change.action === "create" && type !== undefined;
    const parts = isNew ? selectUnshown(change, type, listUnspoken(change)) : [];
    return { change, type, parts };
  });
  // Most new rows have nothing to show: they need no statement of their own.
  const isEmpty = described.every(
    ({ change, parts }) => change.action !== "update" && parts.length === 0,
  );
  if (isEmpty) return writes;
  const labels = await loadLabels(tx, changes, entityTypes);
  return writes.map((write, index) => {
    const { change, type, parts = [] } = described[index] ?? {};
    if (change === undefined || type === undefined) return write;
    const values = { labels, timeZone };
    const words =
      change.action === "update"
        ? wordUpdate(change, type, values)
        : wordNewValues(change, parts, { ...values, longest: GLANCE });
    return { ...write, change: words === "" ? null : words };
  });
}

/** The rows that the arguments name by ref, at any depth, by `rowKey`. */
function listNamedRows(args: JsonObject, refs: RefBook): ReadonlySet<string> {
  const rows = listTexts(args).flatMap((text) => refs.find(text) ?? []);
  return new Set(rows.flatMap(({ type, id }) => (id === null ? [] : [rowKey(type, id)])));
}

function listTexts(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(listTexts);
}

const WRITTEN = {
  create: "created",
  update: "updated",
  delete: "deleted",
} as const satisfies Record<Change["action"], ToolWrite["action"]>;

/** Describes changes as rows that were written. */
export function toWrites(
  changes: readonly Change[],
  { net, drafts }: Pick<ChangedRows, "net" | "drafts">,
  entityTypes: readonly EntityType[],
): ToolWrite[] {
  const tables = new Map(entityTypes.map(({ type, table }) => [type, table]));
  const rows = new Map(net.map((row) => [placeRow(row), row.after]));
  return changes.map(({ action, type, id, before, after, version, cause }) => {
    const row = rows.get(placeRow({ table: tables.get(type) ?? type, key: id }));
    const now = row?.["row_version"] ?? version;
    return {
      action: WRITTEN[action],
      type,
      row: { id, rowVersion: typeof now === "number" ? now : 1, values: after ?? before ?? {} },
      draft: drafts.get(rowKey(type, id)) ?? null,
      follows: cause === "follows",
      change: null,
    };
  });
}
