import { addFullStop, renderSentence } from "../../text/sentences.ts";
import type { Domain } from "../../state/domain.ts";
import type { Confirmation, Pending } from "../../state/pending.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import { describeBreaches } from "../steps/breaches.ts";
import { renumberCalls } from "../steps/planned-calls.ts";
import type { PreviewedProposal } from "../steps/preview-calls.ts";
import { asksForNoChange } from "../steps/unasked.ts";
import { receiptsSuffice } from "./receipts-suffice.ts";
import { wordMissingAnswer } from "./word-missing-answer.ts";
import { requireRun } from "../require-run.ts";
import { UNCALLED_YES } from "./collect-receipts.ts";
import { nameEntries, type EntryNames } from "./name-entries.ts";
import { renderLookUp } from "./render-look-up.ts";
import { listOutcomes } from "./step-outcomes.ts";
import { oneLine } from "../../text/fence.ts";
import { readPersonsAnswer } from "../../text/read-yes-no.ts";
import type { StepResult } from "../../state/step.ts";
import { keepNamedRows, renderProposal } from "./render-proposal.ts";
import { keepPlan, takeRest, wordRest } from "./rest-of-plan.ts";

/** A reply that needs no model, and the question that it leaves pending. */
export interface DirectReply {
  /** The words below the receipts; empty where these say it all. */
  readonly body: string;
  /** True where a model answers the message first: `body` stands below its words. */
  readonly hasAnswer?: boolean;
  readonly pending: Pending | null;
  /** True for the reason why something is not even proposed. Default false. */
  readonly isRefused?: boolean;
}

/** The registry and the domain that a reply is worded from. */
export interface ReplyContext {
  readonly registry: Registry;
  readonly domain: Domain;
  /** The outcome of trying the calls of a proposal. */
  readonly previewed: PreviewedProposal;
  /** Gives the moment at which a question that is asked now expires, ISO 8601 in UTC. */
  readonly expiresAt: () => string;
}

/**
 * Builds the reply of a turn without a model: questions, proposals, failed plans, turns of which the
 * receipts say everything, and look-ups of a known form; null where it takes a model.
 */
export function directReply(state: TurnState, context: ReplyContext): DirectReply | null {
  const put = findPutQuestion(state);
  const own = answerTurn(state, context);
  // What the turn itself asks takes the place of a question that is put again.
  return put === null || (own?.pending ?? null) !== null ? own : put;
}

function answerTurn(state: TurnState, context: ReplyContext): DirectReply | null {
  const { understanding, plan } = state;
  if (state.notices.some(({ code }) => code === UNCALLED_YES)) return { body: "", pending: null };
  if (understanding?.route === "clarify" && understanding.clarification !== null) {
    return clarification(understanding.clarification, { state, context });
  }
  if (plan === null) return saysItAll(state) ? { body: "", pending: null } : null;
  if (plan.failure !== null) {
    return { body: wordMissingAnswer(plan.failure, state), pending: null };
  }
  if (plan.decision === "clarify") {
    const text = plan.questions.join("\n");
    return { body: text, pending: { ...questionIn(state.turn), text } };
  }
  if (plan.decision === "propose" && plan.proposal !== null) {
    return proposal(plan.proposal, plan, { state, context });
  }
  const confirmation = askedConfirmation(state, context);
  if (confirmation !== null) {
    // What a message asks is answered, whatever the plan would change beside it.
    const hasAnswer = plan.origin === "think" && asksForNoChange(understanding);
    return { body: confirmation.text, pending: confirmation, hasAnswer };
  }
  const question = askedQuestion(state);
  if (question !== null) return question;
  const rest = offerRest(state, context);
  if (rest !== null) return rest;
  if (receiptsSuffice(state)) return { body: "", pending: null };
  const found = plan.origin === "understand" ? renderLookUp(state, context) : null;
  return found === null ? null : { body: found, pending: null };
}

/** The question that was put before anything was done: of a budget, or one put again; null for none. */
function findPutQuestion({ pending, turn, input }: TurnState): DirectReply | null {
  if (pending?.turn !== turn) return null;
  // What the person asks about it is answered first.
  const hasAnswer = pending.kind !== "budget" && readPersonsAnswer(input?.text ?? "") === "asks";
  return { body: pending.text, pending, hasAnswer };
}

/** Returns true where the receipts of a turn without a plan say it all: of an undo of wishes alone, and of a decision. */
function saysItAll({ understanding, input }: TurnState): boolean {
  const takesWishesBack = understanding?.undo != null && understanding.undoneWishes !== undefined;
  return takesWishesBack || input?.decision !== undefined;
}

/** The question about the calls that wait for a "yes", with the steps that wait for its answer; null where none does. */
function askedConfirmation(state: TurnState, context: ReplyContext): Confirmation | null {
  const { stepResults, turn } = state;
  const calls = stepResults.flatMap(({ unconfirmed }) => unconfirmed);
  if (calls.length === 0) return null;
  // Two calls that are worded alike are two: a "yes" runs both.
  const text = calls.map(({ wording }) => wording).join("\n");
  return {
    kind: "confirmation",
    id: `confirm_${turn}_1`,
    calls,
    text,
    rest: keepRest(state, context),
    expiresAt: context.expiresAt(),
    turn,
  };
}

/** The steps behind a question that change something, as they are proposed after its answer; those of a question that is asked again stay. Null for none. */
function keepRest(state: TurnState, context: ReplyContext): Confirmation["rest"] {
  const { plan, stepResults, pending, turn } = state;
  const left = stepResults.filter(({ status }) => status === "skipped");
  const isChange = ({ step }: StepResult): boolean => plan?.steps[step]?.stepType === "write";
  if (plan === null || !left.some(isChange)) {
    const isProposed = pending?.kind === "proposal" && pending.turn === turn;
    return isProposed ? { text: pending.text, plan: pending.plan } : null;
  }
  const names = listNames(state, context);
  const rest = takeRest({ plan, left }, names);
  const text = wordRest(rest, names, (steps) => renderSentence("restBehind", { rest: steps }));
  return { text, plan: rest.stored };
}

/** Offers the rest of a plan for which the turn's budget did not suffice, below what was found; null where it did. */
function offerRest(state: TurnState, context: ReplyContext): DirectReply | null {
  const { plan, stepResults, turn } = state;
  if (plan === null || !stepResults.some(isOverBudget)) return null;
  const left = stepResults.filter((result) => isOverBudget(result) || result.status === "skipped");
  const names = listNames(state, context);
  const rest = takeRest({ plan, left }, names);
  const text = wordRest(rest, names, (steps) => renderSentence("budgetRest", { rest: steps }));
  const done = stepResults.filter((result) => !left.includes(result));
  const outcomes = listOutcomes({ ...state, stepResults: done }, context.registry);
  return {
    body: [...(outcomes.length === 0 ? [] : [outcomes.join("\n")]), text].join("\n\n"),
    pending: { kind: "proposal", text, plan: rest.stored, calls: [], turn },
  };
}

function isOverBudget({ overBudget, status }: StepResult): boolean {
  return overBudget === true && status !== "done";
}

/** Returns the questions of the turn's steps and what they leave pending; null when no step has asked. */
function askedQuestion(state: TurnState): DirectReply | null {
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
    body: parts.filter((part) => part !== "").join("\n\n"),
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

/** Options of one name are told apart by what is known of them. */
function clarification(
  { question, options: given }: NonNullable<Understanding["clarification"]>,
  { state, context }: DirectReplyParts,
): DirectReply {
  const { turn } = state;
  const names = nameEntries(
    given.map(({ ref }) => ref),
    listNames(state, context),
  );
  const options = given.map(({ ref, label }) => {
    const isAlone = given.filter((other) => other.label === label).length === 1;
    return { ref, label: oneLine(isAlone ? label : (names.get(ref) ?? label)) };
  });
  const body = [question, ...options.map(({ label }) => `- ${label}`)].join("\n");
  return { body, pending: { ...questionIn(turn), text: question, options } };
}

interface DirectReplyParts {
  readonly state: TurnState;
  readonly context: ReplyContext;
}

function listNames(state: TurnState, { registry, domain }: ReplyContext): EntryNames {
  return { registry, entityTypes: domain.entityTypes, timeZone: requireRun(state).timeZone };
}

/**
 * Builds a proposal. Only the steps that are still to be done run when the person agrees. What is known
 * to be refused is not asked about: the reason takes its place.
 */
function proposal(words: string, plan: Plan, { state, context }: DirectReplyParts): DirectReply {
  const { registry, previewed } = context;
  if (previewed.breaches.length > 0) {
    const cause = addFullStop(describeBreaches(previewed.breaches));
    return { body: renderSentence("stepNotDone", { cause }), pending: null, isRefused: true };
  }
  const open = [...plan.steps.keys()].filter((index) => state.stepResults[index] === undefined);
  const steps = keepNamedRows(
    open.flatMap((index) => plan.steps[index] ?? []),
    registry,
  );
  const planned = renumberCalls(plan.calls, open);
  const previews = open.flatMap((step, place) => {
    const calls = previewed.steps.get(step);
    return calls === undefined ? [] : [{ place, calls }];
  });
  const listed = new Map(
    previews.map(({ place, calls }): [number, string] => [
      place,
      calls.map(({ wording }) => wording).join(" "),
    ]),
  );
  const text = renderProposal({ proposal: words, steps, listed }, listNames(state, context));
  const stored = keepPlan({ ...plan, steps, calls: planned });
  const calls = previews.flatMap((preview) => preview.calls);
  return { body: text, pending: { kind: "proposal", text, plan: stored, calls, turn: state.turn } };
}
