import type {
  Breach,
  Change,
  ChangeOrigin,
  Check,
  CheckContext,
  Verdict,
} from "../state/change.ts";
import type { Tool } from "../state/domain.ts";
import type { EntityRow, EntityType } from "../state/entity.ts";
import type { Json, JsonObject } from "../state/json.ts";
import type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
import {
  ToolOutcomeSchema,
  type RefBook,
  type ToolOutcome,
  type ToolWrite,
} from "../state/tool.ts";
import { findConfirmRules, type PlanConsent } from "./changes/confirm-rules.ts";
import { collectDraftRows, toDraftChanges, type DraftContent } from "./changes/draft-changes.ts";
import { findForbidden } from "./changes/check-rights.ts";
import { foldChanges } from "./changes/fold-changes.ts";
import { hashChanges } from "./changes/hash-changes.ts";
import { loadLinks } from "./changes/load-links.ts";
import { foldJournal } from "./changes/net-rows.ts";
import { readJournal } from "./changes/read-journal.ts";
import { runChecks, selectChecks } from "./changes/run-checks.ts";
import { completeOutcome, runHandler } from "./run-tool.ts";
import { ToolRun, type ToolRunParts } from "./tool-run.ts";

/** Rules that every change is checked against. */
export interface ChangeRules {
  readonly entityTypes: readonly EntityType[];
  readonly checks: readonly Check[];
  readonly facts: Pick<CheckContext, "constraints" | "profile" | "today" | "turn">;
  readonly onCheckFailure: (check: string, error: unknown) => void;
}

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

/** Consent of the person to the changes. */
export interface Consent extends PlanConsent {
  /** The question that the person has said yes to; null where none was asked. */
  readonly confirmed: ConfirmedChanges | null;
  /** True where the model has been sent back for a breach already: the person is asked instead. */
  readonly isRepeated: boolean;
}

/** Scope of a "yes": exactly these changes, and these rules. */
export interface ConfirmedChanges {
  readonly changesHash: string;
  readonly rules: readonly string[];
}

/** Changes that wait for the person's "yes". */
export interface UnconfirmedChanges extends ConfirmedChanges {
  readonly changes: readonly Change[];
  /** Why a rule of the domain speaks against them, by label. */
  readonly reasons: readonly string[];
  /** Why the effect cannot be taken back; null where it can. */
  readonly final: string | null;
}

/** Result of a request: only `applied` stored anything, and nothing where there was nothing to change. */
export type ChangeResult =
  | { readonly kind: "applied"; readonly effectId: number | null; readonly outcome: ToolOutcome }
  /** The tool may not change that. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "breach"; readonly breaches: readonly Breach[] }
  | { readonly kind: "unconfirmed"; readonly unconfirmed: UnconfirmedChanges };

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
  try {
    const { effectId, result } = await userData.write(userId, effect, (tx, id) =>
      runAndCheck(tx, id, request),
    );
    return { kind: "applied", effectId, outcome: ToolOutcomeSchema.parse(result) };
  } catch (error) {
    if (error instanceof NotKept) return error.result;
    throw error;
  }
}

/** Rolls the transaction back, the effect's key included. */
class NotKept extends Error {
  readonly result: ChangeResult;

  constructor(result: ChangeResult) {
    super(`The changes were not kept: ${result.kind}`);
    this.result = result;
  }
}

async function runAndCheck(
  tx: Queryable,
  effectId: number,
  { tool, args, run, rules, effect, consent }: ChangeRequest,
): Promise<ToolOutcome> {
  const { entityTypes } = rules;
  const toolRun = new ToolRun({ ...run, tx, entityTypes });
  const result = await runHandler(tool, args, toolRun);
  const net = foldJournal(await readJournal(tx, [effectId]));
  const named = listNamedRows(args, run.refs);
  const changes = await foldChanges(tx, net, { entityTypes, refs: run.refs, named });
  // An update to the same values changes nothing: no version is counted up, and no key is used.
  if (changes.length === 0 && (effect.origin === "tool" || net.length === 0)) {
    const unchanged = { ...result, writes: [], failures: toolRun.failures };
    const outcome = await completeOutcome(tx, unchanged, rules);
    throw new NotKept({ kind: "applied", effectId: null, outcome });
  }
  const forbidden = findForbidden(changes, {
    tool,
    entityTypes,
    isGenerated: effect.origin === "tool",
  });
  if (forbidden.length > 0) throw new NotKept({ kind: "refused", reason: forbidden.join("; ") });
  const verdicts = await judgeChanges(tx, changes, { origin: effect.origin, rules });
  const changesHash = hashChanges(changes, entityTypes);
  // A "yes" covers the changes that were listed: where they differ, the person is asked again.
  const confirmed = consent.confirmed?.changesHash === changesHash ? consent.confirmed.rules : null;
  const breaches = listBreaches(verdicts).filter(
    ({ rule, overridable }) => !(overridable && confirmed?.includes(rule)),
  );
  const isAskable = consent.isRepeated || consent.confirmed !== null;
  if (breaches.some(({ overridable }) => !overridable || !isAskable)) {
    throw new NotKept({ kind: "breach", breaches });
  }
  const doubts = verdicts.filter(({ kind }) => kind === "confirm");
  const asked = [
    ...(confirmed === null ? findConfirmRules(changes, { tool, entityTypes, consent }) : []),
    ...doubts.map(({ rule }) => rule),
    ...breaches.map(({ rule }) => rule),
  ];
  if (asked.some((rule) => !confirmed?.includes(rule))) {
    const reasons = [...breaches, ...doubts].map(({ reason, rule }) => `${reason} (${rule})`);
    const final = tool.undo?.never ?? null;
    const unconfirmed = { changes, changesHash, rules: [...new Set(asked)], reasons, final };
    throw new NotKept({ kind: "unconfirmed", unconfirmed });
  }
  const versions = new Map(net.map(({ key, after }) => [key, after?.["row_version"]]));
  const writes = changes.map((change) => toWrite(change, { versions, drafts: toolRun.drafts }));
  const { failures } = toolRun;
  const warnings = listWarnings(verdicts);
  return completeOutcome(tx, { ...result, writes, failures, warnings }, rules);
}

/** Rows that the arguments name by ref, at any depth. */
function listNamedRows(args: JsonObject, refs: RefBook): ReadonlySet<string> {
  const ids = listTexts(args).flatMap((text) => refs.find(text)?.id ?? []);
  return new Set(ids);
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

interface WriteSources {
  /** The version of each row after the changes. */
  readonly versions: ReadonlyMap<string, Json | undefined>;
  readonly drafts: ReadonlyMap<string, string>;
}

/** Describes a change as a row that was written. */
export function toWrite(change: Change, { versions, drafts }: WriteSources): ToolWrite {
  const { action, type, id, before, after, version, cause } = change;
  const now = versions.get(id) ?? version;
  return {
    action: WRITTEN[action],
    type,
    row: { id, rowVersion: typeof now === "number" ? now : 1, values: after ?? before ?? {} },
    draft: drafts.get(id) ?? null,
    follows: cause === "follows",
  };
}

interface JudgeOptions {
  readonly origin: ChangeOrigin;
  readonly rules: ChangeRules;
  /** Drafts that the changes point at, by their refs. */
  readonly drafts?: ReadonlyMap<string, EntityRow>;
}

/** Runs the checks over changes. */
export async function judgeChanges(
  tx: Queryable,
  changes: readonly Change[],
  { origin, rules, drafts }: JudgeOptions,
): Promise<readonly Verdict[]> {
  const { entityTypes, facts, onCheckFailure } = rules;
  const checks = selectChecks(rules.checks, changes);
  if (checks.length === 0) return [];
  const paths = checks.flatMap(({ links = [] }) => links);
  const links = await loadLinks(tx, {
    changes,
    paths,
    entityTypes,
    ...(drafts === undefined ? {} : { drafts }),
  });
  return runChecks(changes, {
    checks,
    links,
    context: { ...facts, origin },
    onFailure: onCheckFailure,
  });
}

function listBreaches(verdicts: readonly Verdict[]): readonly Breach[] {
  return verdicts.filter((verdict): verdict is Breach => verdict.kind === "breach");
}

/** The reasons of warnings, each once. */
export function listWarnings(verdicts: readonly Verdict[]): string[] {
  const reasons = verdicts.filter(({ kind }) => kind === "warning").map(({ reason }) => reason);
  return [...new Set(reasons)];
}

/** Verdicts of checks on drafts. */
export interface DraftVerdicts {
  readonly breaches: readonly Breach[];
  readonly warnings: readonly string[];
}

interface CheckDrafts {
  readonly rules: ChangeRules;
  readonly refs: RefBook;
  /** Rules that the person has set aside. */
  readonly waived: readonly string[];
}

/** Checks drafts, all of them together, as the creations that saving them would be. */
export async function checkDrafts(
  db: Queryable,
  drafts: readonly DraftContent[],
  { rules, refs, waived }: CheckDrafts,
): Promise<DraftVerdicts> {
  const changes = toDraftChanges(drafts, rules.entityTypes, refs);
  const rows = collectDraftRows(drafts, rules.entityTypes, refs);
  const verdicts = await judgeChanges(db, changes, { origin: "draft", rules, drafts: rows });
  const breaches = listBreaches(verdicts).filter(
    ({ rule, overridable }) => !(overridable && waived.includes(rule)),
  );
  return { breaches, warnings: listWarnings(verdicts) };
}
