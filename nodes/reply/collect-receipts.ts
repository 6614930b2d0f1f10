import { UNDO_TOOL } from "../../domain/define-domain.ts";
import { decidesSomething } from "../../registry/curation.ts";
import {
  createNothing,
  createNothingElse,
  createNothingUndone,
  createReceipt,
  listStored,
} from "../../registry/receipts.ts";
import { findOrder } from "../../output-filter/asked-change.ts";
import { createTextCleaner } from "../../output-filter/output-gate.ts";
import type { WorkingSet } from "../../registry/working-set.ts";
import type { Domain } from "../../state/domain.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Registry } from "../../state/registry.ts";
import type { CallResult, StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { asksForUndo } from "../../text/count-undo-words.ts";
import { joinItems } from "../../text/join-list.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { renderSentence } from "../../text/sentences.ts";
import { listFailures } from "../steps/open-rows.ts";
import { hasForgotten } from "./forgotten-orders.ts";
import { collectOutputNames } from "./output-names.ts";
import { renderPlannedWrites } from "./render-proposal.ts";
import { changesPlanLater } from "./word-missing-answer.ts";

/** Code of the notice that Understand leaves where a question before a change no longer waits. */
export const CONFIRMATION_DROPPED = "confirmation-dropped";

/** Code of the notice that Understand leaves for a "yes" where no question waits for one. */
export const UNCALLED_YES = "uncalled-yes";

/** Code of the notice that Understand leaves for what it did not leave out or bring back, and where it forgot all of it. */
export const CURATION_NOT_DONE = "curation-not-done";

/** Code of the notice that Understand leaves where it could not read something about a wish. */
export const WISH_UNCLEAR = "wish-unclear";

/** Code of the notice that Understand leaves for a message whose middle no prompt has room for. */
export const MESSAGE_SHORTENED = "message-shortened";

/** Code of the notice that a concierge leaves whose model gave no answer. */
export const CONCIERGE_SILENT = "no-answer";

/** Code of the notice that Think leaves where a step that was to write was planned another way. */
export const WRITE_REPLANNED = "write-replanned";

/** Code of the notice that Reply leaves where it gives a reason in place of a proposal. */
export const PROPOSAL_REFUSED = "proposal-refused";

/** The parts of a turn that its receipts are made from. */
export type ReceiptState = Pick<
  TurnState,
  | "plan"
  | "stepResults"
  | "effects"
  | "notices"
  | "understanding"
  | "wishChanges"
  | "pendingCalls"
  | "confirmed"
> &
  Partial<
    Pick<TurnState, "run" | "input" | "planNews" | "journeyNews" | "passedOnReply" | "lanesServed">
  >;

interface ReceiptContext {
  readonly registry: Registry;
  /** Null where nothing is known of choices. */
  readonly workingSet: WorkingSet | null;
  readonly domain: Pick<Domain, "entityTypes">;
}

/**
 * Collects what code says about the turn: what the database has recorded, what was asked for and is
 * not stored, and what checks remark. Pure.
 */
export function collectReceipts(state: ReceiptState, context: ReceiptContext): Receipt[] {
  const changed = [
    ...listStored(state.effects, { isUndo: isUndo(state) }),
    ...listUndoneWishes(state),
    ...listUndescribed(state),
    ...listAnswers(state),
    ...listNotDone(state, context),
    ...listInterrupted(state),
  ];
  return [
    ...changed,
    ...describeNothing(state, changed),
    ...(hasForgotten(state, changed, context) ? [createNothingElse()] : []),
    ...listPlanNews(state),
    ...listWishes(state),
    ...listOutside(context),
    ...listDrafts(state, context),
    ...listNoticed(state, "curated", [CURATION_NOT_DONE]),
    ...listWarnings(state),
    ...listUnread(state),
    ...listNoticed(state, "notRead", [WISH_UNCLEAR, MESSAGE_SHORTENED]),
    ...listNoticed(state, "dropped", [CONFIRMATION_DROPPED, UNCALLED_YES]),
  ];
}

/** Returns true for a turn that takes changes back. */
function isUndo({ plan, stepResults }: ReceiptState): boolean {
  const calls = stepResults.flatMap((result) => result.calls);
  const isConfirmed =
    plan?.origin === "confirmation" && calls.some(({ tool }) => tool === UNDO_TOOL);
  return plan?.origin === "undo" || isConfirmed;
}

/** Changed rows that no entity type describes, counted for each call. */
function listUndescribed({ stepResults }: ReceiptState): Receipt[] {
  return stepResults.flatMap(({ calls }) => calls.flatMap(countUndescribedRows));
}

function countUndescribedRows({ tool, undescribed }: CallResult): Receipt[] {
  if (undescribed === null) return [];
  const { rows: count, effectId } = undescribed;
  const effect = `e${effectId}`;
  if (tool === UNDO_TOOL) {
    const label = renderSentence("undescribedUndone", { count });
    return [createReceipt({ kind: "undone", label, effect })];
  }
  const label = renderSentence("undescribedByTool", { count, tool });
  return [createReceipt({ kind: "updated", label, effect })];
}

/** The answers of services outside the database to write steps. */
function listAnswers({ plan, stepResults }: ReceiptState): Receipt[] {
  return stepResults
    .filter(({ step }) => plan?.steps[step]?.stepType === "write")
    .flatMap(({ calls }) => calls.flatMap(describeAnswer));
}

function describeAnswer({ tool, outside }: CallResult): Receipt[] {
  if (outside === null || outside.answer === null) return [];
  const words = nameInWords(tool);
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return [createReceipt({ kind: "answered", label, reason: outside.answer })];
}

/** Rows and steps that were to be written and are not. */
function listNotDone(state: ReceiptState, context: ReceiptContext): Receipt[] {
  // An undo says itself why nothing was taken back.
  if (state.plan?.decision !== "plan" || isUndo(state)) return [];
  return state.stepResults
    .filter(({ step }) => state.plan?.steps[step]?.stepType === "write")
    .flatMap((result) => describeOpenStep(result, state, context));
}

function describeOpenStep(
  result: StepResult,
  { plan, run, stepResults }: ReceiptState,
  { registry, domain }: ReceiptContext,
): Receipt[] {
  const rows = [
    ...describeFailures("unknown", result.calls.filter(isUnknown)),
    ...describeFailures(
      "notDone",
      result.calls.filter((call) => !isUnknown(call)),
    ),
    ...result.notStarted.map((label) =>
      createReceipt({ kind: "notDone", label, reason: renderSentence("limitOfCalls") }),
    ),
  ];
  const step = plan?.steps[result.step];
  const isOpen = OPEN.has(result.status);
  if (!isOpen || rows.length > 0 || step === undefined) return rows;
  const clean = createTextCleaner(collectOutputNames({ registry, domain }));
  const label =
    step.writes.length === 0
      ? clean(step.description)
      : renderPlannedWrites(step.writes, {
          registry,
          entityTypes: domain.entityTypes,
          timeZone: run?.timeZone ?? "UTC",
        });
  // Only where no model was asked is the outcome code's own.
  const misfits = (plan?.misfits ?? []).filter((misfit) => misfit.step === result.step);
  const reasons = [
    ...new Set(misfits.map((misfit) => misfit.reason)),
    ...(result.status === "skipped" ? explainSkipped(stepResults) : []),
  ];
  const reason =
    plan?.origin === "confirmation" ? clean(result.outcome) : joinItems(reasons) || null;
  return [createReceipt({ kind: "notDone", label, reason })];
}

/** Says why a step was not begun: what waits for a yes keeps it, any other question does not. */
function explainSkipped(stepResults: readonly StepResult[]): string[] {
  const asked = stepResults.filter(({ status }) => status === "asked");
  if (asked.length === 0) return [];
  const isKept = asked.some(({ unconfirmed }) => unconfirmed.length > 0);
  return [renderSentence(isKept ? "stepBehindConfirmation" : "stepAfterQuestion")];
}

function describeFailures(kind: "notDone" | "unknown", calls: readonly CallResult[]): Receipt[] {
  return listFailures(calls).map((failure) => createReceipt({ kind, ...failure }));
}

/** The ends of a write step that leave it undone. */
const OPEN: ReadonlySet<StepResult["status"]> = new Set(["failed", "blocked", "skipped"]);

/** Calls of services that the person has confirmed and that a stop has cut off. */
function listInterrupted({ pendingCalls, confirmed }: ReceiptState): Receipt[] {
  // Only calls outside the database are confirmed without a list of changes.
  const outside = (confirmed?.calls ?? []).filter(({ changes }) => changes.length === 0);
  return pendingCalls
    .filter(({ tool }) => outside.some((call) => call.tool === tool))
    .map(({ tool }) =>
      createReceipt({
        kind: "unknown",
        label: nameInWords(tool),
        reason: renderSentence("callStopped"),
      }),
    );
}

/** Returns true for a call of a service that may have done something, and has not answered. */
function isUnknown({ outside, effect }: CallResult): boolean {
  return outside !== null && effect === "write" && outside.answer === null;
}

/** The changes of the journey's plan, where no concierge's reply begins with them. */
function listPlanNews({ planNews, passedOnReply, lanesServed }: ReceiptState): Receipt[] {
  const isReported = passedOnReply != null || lanesServed?.includes("concierge") === true;
  const report = planNews?.report ?? "";
  return isReported || report === "" ? [] : [createReceipt({ kind: "plan", reason: report })];
}

/** Says that nothing was changed, where a change was asked for. */
function describeNothing(state: ReceiptState, changed: readonly Receipt[]): Receipt[] {
  const { plan, stepResults, planNews, journeyNews } = state;
  // What was changed stands in the words of the plan's and the journey's news.
  if (planNews?.isChanged === true || journeyNews?.isReply === false) return [];
  if (changed.some(({ kind }) => kind !== "notDone")) return [];
  // The question about a confirmation is worded by code, and says that nothing is done before a "yes".
  if (stepResults.some(({ unconfirmed }) => unconfirmed.length > 0)) return [];
  const isWaiting = changesPlanLater(state);
  const isFailed = (plan !== null && plan.failure !== null) || isConciergeSilent(state);
  if (isFailed) return isWaiting ? [] : [createNothing({ isWaiting })];
  if (isUndo(state)) return [createNothingUndone(explainUndo(state))];
  return wantsChange(state) ? [createNothing({ isWaiting: isWaiting || asksQuestion(state) })] : [];
}

/** Returns true where the concierge's model gave no answer, which its words say. */
function isConciergeSilent({ notices }: ReceiptState): boolean {
  return notices.some(({ code }) => code === CONCIERGE_SILENT);
}

/** Returns true where the message asks for a change, also one that was read as talk, or the plan was to make one. */
function wantsChange(state: ReceiptState): boolean {
  const { understanding, plan, notices } = state;
  const isAsked = understanding?.needs === "change" && understanding.route !== "concierge";
  const isPlanned = plan?.steps.some(({ stepType }) => stepType === "write") ?? false;
  const isReplanned = notices.some(({ code }) => code === WRITE_REPLANNED);
  return isAsked || isOrdered(state) || isPlanned || isReplanned;
}

/**
 * Returns true for an order, or for an undo, that the plan answers by words alone. "Save it" is true of what is
 * stored, and "drop the wings" leaves a choice out.
 */
function isOrdered({ plan, input, understanding }: ReceiptState): boolean {
  const message = input?.text ?? "";
  if (understanding !== null && decidesSomething(understanding.curation)) return false;
  const order = findOrder(message);
  const isOrder = order !== null && (order.end === "gone" || !order.pointsBack);
  return plan?.decision === "answer" && (isOrder || asksForUndo(message));
}

/** Returns true where the reply leaves a question or a proposal open. */
function asksQuestion({ understanding, plan, stepResults, notices }: ReceiptState): boolean {
  const isRefused = notices.some(({ code }) => code === PROPOSAL_REFUSED);
  return (
    understanding?.route === "clarify" ||
    (plan?.decision === "propose" && !isRefused) ||
    plan?.decision === "clarify" ||
    stepResults.some(({ status }) => status === "asked")
  );
}

/** The reason why nothing was taken back. */
function explainUndo({ stepResults }: ReceiptState): string {
  const refused = stepResults.flatMap(({ calls }) => calls.filter(({ ok }) => !ok));
  return refused[0]?.summary ?? renderSentence("nothingToUndo");
}

/** Wishes that are as they were before an earlier turn. */
function listUndoneWishes({ understanding }: ReceiptState): Receipt[] {
  const { before = [], after = [] } = understanding?.undoneWishes ?? {};
  const old = new Set(before.map(({ text }) => text));
  const noted = new Set(after.map(({ text }) => text));
  return [
    ...[...noted].map((label) => ({
      label,
      facts: renderSentence(old.has(label) ? "undoneUpdated" : "undoneNoted"),
    })),
    ...[...old]
      .filter((text) => !noted.has(text))
      .map((label) => ({
        label,
        facts: renderSentence("undoneCreated"),
      })),
  ].map(({ label, facts }) => createReceipt({ kind: "undone", label, facts }));
}

/** Lasting wishes that the turn has noted or withdrawn; those that it takes back stand with what is undone. */
function listWishes({ wishChanges, understanding }: ReceiptState): Receipt[] {
  if (understanding?.undoneWishes !== undefined) return [];
  return wishChanges.map(({ wish: { text }, isWithdrawn }) =>
    createReceipt({ kind: isWithdrawn ? "withdrawn" : "noted", label: text }),
  );
}

/** Things of open choices that something outside the conversation has changed, whatever the turn is about. */
function listOutside({ registry, workingSet }: ReceiptContext): Receipt[] {
  if (workingSet === null) return [];
  const refs = new Set(registry.choices.flatMap((choice) => choice.refs));
  return workingSet.changes
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, text }) => createReceipt({ kind: "outside", ref, label: text }));
}

/** Drafts that the turn has made or changed and not saved, as they are called now. */
function listDrafts({ stepResults }: ReceiptState, { registry }: ReceiptContext): Receipt[] {
  const refs = new Set(stepResults.flatMap(({ artifacts }) => artifacts));
  return registry.entries
    .filter(({ ref, id, action }) => refs.has(ref) && id === null && action !== "deleted")
    .map(({ type, ref, label }) => createReceipt({ kind: "drafted", type, ref, label }));
}

/** The notices of Understand that the person reads, by their codes. */
function listNoticed(
  { notices }: ReceiptState,
  kind: Receipt["kind"],
  codes: readonly string[],
): Receipt[] {
  return notices
    .filter(({ code }) => codes.includes(code))
    .map(({ text }) => createReceipt({ kind, reason: text }));
}

/** Remarks of checks about rows that were stored or drafted all the same. */
function listWarnings({ stepResults }: ReceiptState): Receipt[] {
  const warnings = new Set(stepResults.flatMap((result) => result.warnings));
  return [...warnings].map((warning) =>
    createReceipt({ kind: "warning", reason: renderSentence("warning", { warning }) }),
  );
}

/** The message was read by no model, and the turn went on. */
function listUnread({ understanding, plan }: ReceiptState): Receipt[] {
  if (understanding?.degraded !== true || (plan !== null && plan.failure !== null)) return [];
  return [createReceipt({ kind: "notRead", reason: renderSentence("wishesNotRead") })];
}
