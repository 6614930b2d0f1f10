import { UNDO_TOOL } from "../../domain/define-domain.ts";
import type { Domain } from "../../state/domain.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { Confirmation, Pending } from "../../state/pending.ts";
import type { CallResult, Effect, StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import { hasAnswered, openRows } from "../steps/open-rows.ts";
import { describeNothingFound } from "./nothing-found.ts";
import { keepNamedRows, renderProposal } from "./render-proposal.ts";
import {
  addFullStop,
  renderSentence,
  renderStoredRows,
  type SentenceId,
} from "../../text/sentences.ts";

/** A reply that needs no model, and the question that it leaves pending. */
export interface DirectReply {
  readonly text: string;
  readonly pending: Pending | null;
}

/** The registry and the domain that a reply is worded from. */
export interface ReplyContext {
  readonly registry: Registry;
  readonly domain: Domain;
  /** Gives the moment at which a question that is asked now expires, ISO 8601 in UTC. */
  readonly expiresAt: () => string;
}

/** Builds the reply of a turn without a model: questions, proposals, failed plans and quick lookups of a known form; null where it takes a model. */
export function directReply(state: TurnState, context: ReplyContext): DirectReply | null {
  const { understanding, plan } = state;
  if (understanding?.route === "clarify" && understanding.clarification !== null) {
    return clarification(understanding.clarification, state.turn);
  }
  if (plan === null) return null;
  if (plan.failure !== null) return { text: failedPlanText(plan.failure, state), pending: null };
  if (plan.decision === "clarify") {
    const text = plan.questions.join("\n");
    return { text: afterDone(state, text), pending: { ...questionIn(state.turn), text } };
  }
  if (plan.decision === "propose" && plan.proposal !== null) {
    return proposal(plan.proposal, plan, { state, context });
  }
  const confirmation = askedConfirmation(state, context);
  if (confirmation !== null) {
    return { text: afterDone(state, confirmation.text), pending: confirmation };
  }
  if (plan.origin === "undo" || isConfirmedUndo(state)) {
    return { text: undoneText(state), pending: null };
  }
  if (plan.origin === "confirmation") return { text: confirmedText(state), pending: null };
  // A question must not hide what was stored: where there is both, the model writes the reply.
  const asked = listDone(state).length === 0 ? askedQuestion(state) : null;
  if (asked !== null) return asked;
  if (plan.origin !== "quick") return null;
  const quick = quickText(state, context);
  return quick === null ? null : { text: quick, pending: null };
}

/** The question about the calls that wait for a "yes"; null where none does. */
function askedConfirmation(
  { stepResults, turn }: TurnState,
  { expiresAt }: Pick<ReplyContext, "expiresAt">,
): Confirmation | null {
  const calls = stepResults.flatMap(({ unconfirmed }) => unconfirmed);
  if (calls.length === 0) return null;
  // Two calls that are worded alike are two: a "yes" runs both.
  const text = calls.map(({ wording }) => wording).join("\n");
  return {
    kind: "confirmation",
    id: `confirm_${turn}_1`,
    calls,
    text,
    expiresAt: expiresAt(),
    turn,
  };
}

/** Says what of the confirmed calls was done. */
function confirmedText(state: TurnState): string {
  const notDone = state.stepResults
    .filter(({ status }) => status !== "done")
    .map((result) => openRows(result).join("; ") || result.outcome)
    .map((reason) => renderSentence("stepNotDone", { reason }));
  return [doneText(state), ...notDone].filter((part) => part !== "").join("\n\n");
}

/** Returns true for a turn that carries out an undo that the person has confirmed. */
function isConfirmedUndo({ plan, stepResults }: TurnState): boolean {
  const calls = stepResults.flatMap((result) => result.calls);
  return plan?.origin === "confirmation" && calls.some(({ tool }) => tool === UNDO_TOOL);
}

const UNDONE = {
  created: "undoneCreated",
  updated: "undoneUpdated",
  deleted: "undoneDeleted",
} as const satisfies Record<Effect["action"], SentenceId>;

/** Says what is as it was before, or why nothing is. */
function undoneText({ effects, stepResults }: TurnState): string {
  const [refused] = stepResults.flatMap(({ calls }) => calls.filter(({ ok }) => !ok));
  if (refused !== undefined) {
    return renderSentence("notUndone", { reason: addFullStop(refused.summary) });
  }
  const kinds = Map.groupBy(effects, ({ action }) => action);
  const lines = [...kinds].map(([action, rows]) => {
    const labels = rows.slice(0, SHOWN).map(({ label }) => label);
    const more = rows.length - labels.length;
    const names = labels.join(", ");
    return renderSentence(UNDONE[action], {
      rows: more > 0 ? renderSentence("labelsAndMore", { labels: names, count: more }) : names,
    });
  });
  return [renderSentence("undoneHeading"), ...lines].join("\n");
}

/** Returns the questions of the turn's steps and what they leave pending; null when no step has asked. */
export function askedQuestion(state: TurnState): DirectReply | null {
  const asked = state.stepResults.filter(({ status }) => status === "asked");
  if (asked.length === 0) return null;
  const parts = asked.flatMap(({ outcome, question }) => [
    ...(outcome === question ? [] : [outcome]),
    question ?? "",
  ]);
  const questions = asked.map(({ question, outcome }) => question ?? outcome);
  const waives = asked.flatMap(({ breaches }) =>
    breaches.filter(({ overridable }) => overridable).map(({ rule }) => rule),
  );
  return {
    text: parts.filter((part) => part !== "").join("\n\n"),
    pending: {
      ...questionIn(state.turn),
      text: questions.join("\n"),
      waives: [...new Set(waives)],
    },
  };
}

function questionIn(turn: number) {
  return { kind: "question" as const, options: [], waives: [], turn };
}

function clarification(
  { question, options }: NonNullable<Understanding["clarification"]>,
  turn: number,
): DirectReply {
  const text = [question, ...options.map(({ label }) => `- ${label}`)].join("\n");
  return { text, pending: { ...questionIn(turn), text: question, options } };
}

interface ProposalContext {
  readonly state: TurnState;
  readonly context: ReplyContext;
}

/** Builds a proposal. Only the steps that are still to be done run when the person agrees. */
function proposal(words: string, plan: Plan, { state, context }: ProposalContext): DirectReply {
  const { registry, domain } = context;
  const open = plan.steps.filter((_, index) => state.stepResults[index] === undefined);
  const steps = keepNamedRows(open, registry);
  const text = renderProposal(
    { proposal: words, steps },
    { registry, entityTypes: domain.entityTypes },
  );
  const stored = JsonObjectSchema.parse(JSON.parse(JSON.stringify({ ...plan, steps })));
  return {
    text: afterDone(state, text),
    pending: { kind: "proposal", text, plan: stored, turn: state.turn },
  };
}

function failedPlanText(reason: string, state: TurnState): string {
  const text = renderSentence("planFailed", { reason: addFullStop(reason) });
  const parts = [text, doneText(state), renderSentence("messageKept")];
  return parts.filter((part) => part !== "").join("\n");
}

/** Puts what an earlier plan of the turn has done before the question. */
function afterDone(state: TurnState, text: string): string {
  const done = listDone(state);
  return done.length === 0 ? text : `${done.join("\n")}\n\n${text}`;
}

/** Says what the turn has done, or that nothing was changed; empty where a service may have changed something. */
function doneText(state: TurnState): string {
  const done = listDone(state);
  if (done.length > 0) return done.join("\n");
  const isUnknown = state.stepResults
    .flatMap(({ calls }) => calls)
    .some((call) => call.outside !== null && call.effect === "write");
  return isUnknown ? "" : renderSentence("nothingChanged");
}

/** Lists what the turn has stored, and what services outside answered to its write steps. */
function listDone({ effects, plan, stepResults }: TurnState): string[] {
  const stored =
    effects.length === 0 ? [] : [renderSentence("storedHeading"), ...renderStoredRows(effects)];
  const answers = stepResults
    .filter(({ step }) => plan?.steps[step]?.stepType === "write")
    .flatMap(({ calls }) => calls.flatMap(describeAnswer));
  return [...stored, ...answers];
}

function describeAnswer({ tool, outside }: CallResult): string[] {
  if (outside === null || outside.answer === null) return [];
  const words = tool.replaceAll("_", " ");
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return [renderSentence("outsideAnswer", { tool: name, answer: outside.answer })];
}

function quickText(state: TurnState, { registry, domain }: ReplyContext): string | null {
  const [result] = state.stepResults;
  const quick = state.understanding?.quick;
  if (result?.status !== "done" || quick === null || quick === undefined) return null;
  const { calls } = result;
  // The step may have ended without reading anything: then there is nothing that code can say.
  if (calls.length === 0) return null;
  const failed = unansweredReads(calls);
  const failure = failed.length === 0 ? null : lookupFailureText(failed, domain);
  const entries = new Map(registry.entries.map((entry) => [entry.ref, entry]));
  const answered = calls.filter(({ ok, effect }) => ok && effect === "read");
  // What the person has left out is not offered again by a list; it is counted.
  const out = new Set(registry.entries.filter((entry) => entry.demotion).map(({ ref }) => ref));
  const leftOut = answered.flatMap(({ refs }) => refs.filter((ref) => out.has(ref))).length;
  const reads = answered.map(({ table, refs, count, suppressed }) => {
    const type = domain.entityTypes.find((candidate) => candidate.table === table);
    const rows = refs.flatMap((ref) => {
      const entry = entries.get(ref);
      if (entry === undefined || entry.row === null || entry.type !== type?.type) return [];
      if (out.has(ref)) return [];
      return [{ id: ref, rowVersion: entry.rowVersion ?? 0, values: entry.row }];
    });
    return {
      table,
      type: type?.type ?? table,
      ids: rows.map(({ id }) => id),
      rows,
      detail: "summary" as const,
      total: count - refs.filter((ref) => out.has(ref)).length,
      suppressed,
    };
  });
  const counted = leftOut === 0 ? [] : [renderSentence("moreLeftOut", { count: leftOut })];
  const added = [...counted, ...(failure === null ? [] : [failure])].join("\n\n");
  if (reads.every(({ rows }) => rows.length === 0))
    return added === "" ? describeNothingFound(answered, domain) : added;
  const text = domain.formatQuick({
    subdomain: quick.subdomain,
    intent: quick.intent,
    message: state.input?.text ?? "",
    reads,
  });
  return text === null || added === "" ? text : `${text}\n\n${added}`;
}

/** Returns the failed reads that no later read of the same table has answered. */
function unansweredReads(calls: readonly CallResult[]): CallResult[] {
  return calls.filter(
    ({ ok, effect, table }, index) =>
      !ok &&
      effect === "read" &&
      !calls
        .slice(index + 1)
        .some(
          (later) => later.ok && later.effect === "read" && (table === "" || later.table === table),
        ),
  );
}

function lookupFailureText(failed: readonly CallResult[], domain: Domain): string {
  const names = failed.flatMap(
    ({ table }) => domain.entityTypes.find((type) => type.table === table)?.words.many ?? [],
  );
  const what =
    names.length === 0
      ? renderSentence("lookedUpThat")
      : renderSentence("lookedUpRows", { rows: [...new Set(names)].join(" and ") });
  return renderSentence("lookupFailed", { what });
}

/** Returns one line for each step: its description and its outcome. */
export function outcomeLines(state: TurnState): string[] {
  return state.stepResults.map((result) => {
    const description = state.plan?.steps[result.step]?.description ?? "Step";
    const lead = result.status === "done" ? description : `${description} (${result.status})`;
    const { question, outcome } = result;
    const asked = question === null || question === outcome ? "" : ` ${question}`;
    return `${lead}: ${trueOutcome(result)}${asked}`;
  });
}

/** Returns the outcome of a step, unless it claims a write although no write call stored anything. */
function trueOutcome({ status, outcome, calls }: StepResult): string {
  const writes = calls.filter(({ effect }) => effect === "write");
  // A tool that stores no row may report in words what it did.
  const isStored = writes.some(
    (call) => call.ok && (call.count > 0 || call.summary !== "" || hasAnswered(call)),
  );
  return status === "done" && writes.length > 0 && !isStored
    ? renderSentence("noRowChanged")
    : outcome;
}

/** Builds the reply from the step results alone, for a turn whose reply model gives no answer. */
export function fallbackReply(state: TurnState, registry: Registry): string {
  const known = new Map(registry.entries.map(({ ref, label }) => [ref, label]));
  const outcomes = state.stepResults.map((result) => {
    const { step, status, refs } = result;
    const names = refs.flatMap((ref) => known.get(ref) ?? []).slice(0, SHOWN);
    const more = refs.length - names.length;
    const labels =
      more > 0
        ? renderSentence("labelsAndMore", { labels: names.join(", "), count: more })
        : names.join(", ");
    const outcome = [trueOutcome(result), labels].filter((part) => part !== "").join(": ");
    if (status === "done") return renderSentence("outcome", { outcome });
    return renderSentence("outcomeOfStep", {
      step: state.plan?.steps[step]?.description ?? renderSentence("unknownStep"),
      status: renderSentence(STATUS_WORDS[status]),
      outcome,
    });
  });
  const parts = [
    renderSentence("wordsMissing"),
    outcomes.length === 0 ? renderSentence("nothingLookedUp") : outcomes.join("\n"),
    doneText(state),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const SHOWN = 12;

const STATUS_WORDS = {
  open: "statusOpen",
  done: "statusDone",
  partial: "statusPartial",
  failed: "statusFailed",
  blocked: "statusBlocked",
  replan: "statusBlocked",
  asked: "statusAsked",
  skipped: "statusSkipped",
} as const satisfies Record<StepResult["status"], SentenceId>;
