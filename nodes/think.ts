import { buildThinkPrompt } from "../prompts/think.ts";
import { named, viewConversation, type ConversationView } from "../prompts/view.ts";
import type { Domain } from "../domains/domain.ts";
import type { Limits } from "../state/limits.ts";
import { ThinkAnswerSchema, type Plan, type ThinkAnswer } from "../state/plan.ts";
import type { RegistryEntry } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Understanding } from "../state/understanding.ts";
import { renderLastTurnSummary } from "../summaries/last-turn-summary.ts";
import { answerSchema, askForAnswer } from "./ask-model.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { replacePlan, startPlan } from "./plan-progress.ts";
import { runOf } from "./run-of.ts";
import { currentTurnOf } from "./current-turn.ts";
import { loadPerson } from "./person.ts";
import { refsOfRecord } from "./refs-of-record.ts";

const SCHEMA = answerSchema("think", {
  description: "What is to be done in this turn.",
  schema: ThinkAnswerSchema,
});

/** Makes the planner. It plans from what was done: records, registry, what is held. */
export function createThinkNode(services: NodeServices) {
  return async function think(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const run = runOf(state);
    const { understanding } = state;
    if (understanding === null) {
      throw new TypeError('Cannot plan without "understanding": the node "understand" runs first');
    }
    const view = viewConversation(state, services);
    const person = await loadPerson(services, run);
    const shown = shownRefs(state, view);
    const replans = state.plan === null ? 0 : state.plan.replans + 1;
    const asked = await askForAnswer(
      {
        node: "think",
        role: "think",
        run,
        turn: state.turn,
        parts: buildThinkPrompt(
          {
            view,
            lastTurnSummary: renderLastTurnSummary({
              records: state.turnExecutionSummaries,
              current: currentTurnOf(state, view),
              types: services.domain.entityTypes,
            }),
            profile: person.profile.text,
            snapshot: person.snapshot,
            understanding,
            resolved: resolvedLines(understanding, view),
            replan: replanLine(state),
          },
          services,
        ),
        required: ["rules", "message"],
        refs: [...shown],
        thread: [],
        maxOutputTokens: 2_000,
      },
      {
        schema: SCHEMA,
        check: (answer) =>
          checkPlan(answer, {
            shown,
            subdomains: services.domain.subdomains,
            limits: services.limits,
          }),
        services,
        io,
      },
    );
    const plan: Plan =
      asked.kind === "answered"
        ? { ...asked.value, origin: "think", replans, failure: null }
        : failedPlan(asked.reason, replans);
    io.emit({ type: "plan", goal: plan.goal, decision: plan.decision, steps: [...plan.steps] });
    return {
      ...(state.plan === null
        ? startPlan(plan)
        : replacePlan(plan, { plan: state.plan, results: state.stepResults })),
      calls: [...state.calls, ...asked.calls],
      notices: [...state.notices, ...asked.notices],
    };
  };
}

/** Every ref that stands somewhere in Think's prompt. */
function shownRefs(state: TurnState, view: ConversationView): ReadonlySet<string> {
  return new Set([
    ...view.table.shown,
    ...view.viable.flatMap(({ refs }) => refs),
    ...(state.understanding?.references.map(({ ref }) => ref) ?? []),
    ...state.turnExecutionSummaries.flatMap(refsOfRecord),
    // History and ledger name refs in their text; each that exists may be planned with.
    ...view.registry.entries.flatMap(({ ref }) => (view.history.includes(ref) ? [ref] : [])),
  ]);
}

/** What is wrong with a plan, held against what was shown and the limits; empty when nothing is. */
export function checkPlan(
  answer: ThinkAnswer,
  facts: {
    readonly shown: ReadonlySet<string>;
    readonly subdomains: Domain["subdomains"];
    readonly limits: Limits;
  },
): string[] {
  const names = facts.subdomains.map(({ name }) => name);
  const needsSteps = answer.decision === "plan" || answer.decision === "propose";
  return [
    ...answer.steps.flatMap(({ refs }, index) =>
      refs
        .filter((ref) => !facts.shown.has(ref))
        .map((ref) => `steps.${index}.refs: "${ref}" does not stand in the prompt`),
    ),
    ...answer.steps
      .filter(({ subdomain }) => !names.includes(subdomain))
      .map(
        ({ subdomain }) =>
          `subdomain "${subdomain}" does not exist; there are: ${names.join(", ")}`,
      ),
    ...(answer.steps.length > facts.limits.stepsPerPlan
      ? [`${answer.steps.length} steps; at most ${facts.limits.stepsPerPlan} are allowed`]
      : []),
    ...(needsSteps && answer.steps.length === 0
      ? [`decision "${answer.decision}" needs at least one step`]
      : []),
    ...(answer.decision === "propose" && (answer.proposal ?? "").trim() === ""
      ? ['decision "propose" needs a proposal']
      : []),
    ...(answer.decision === "clarify" && answer.questions.length === 0
      ? ['decision "clarify" needs a question']
      : []),
  ];
}

function resolvedLines(understanding: Understanding, view: ConversationView): string[] {
  const labels = new Map(view.registry.entries.map((entry) => [entry.ref, entry]));
  const name = (ref: string): string => {
    const entry: RegistryEntry | undefined = labels.get(ref);
    return entry === undefined ? ref : named(entry);
  };
  const { curation, references } = understanding;
  const line = (lead: string, refs: readonly string[]): string[] =>
    refs.length === 0 ? [] : [`${lead}: ${refs.map(name).join(", ")}`];
  return [
    ...(understanding.expressed === "" ? [] : [`The person: ${understanding.expressed}`]),
    ...references.map(({ text, ref }) => `"${text}" means ${name(ref)}`),
    ...line(
      "User excluded",
      curation.demote.map(({ ref }) => ref),
    ),
    ...line(
      "User brought back",
      curation.restore.map(({ ref }) => ref),
    ),
    ...view.viable.flatMap(({ refs }) => line("Remaining", refs)),
    ...(understanding.answersPending === null
      ? []
      : [`The message answers what was pending: ${understanding.answersPending}`]),
  ];
}

function replanLine(state: TurnState): string {
  const blocked = state.stepResults.find(({ status }) => status === "replan");
  return blocked?.blocked
    ? `The plan before this one could not be carried out: ${blocked.blocked.reason} (tried: ${blocked.blocked.tried}). Plan another way.`
    : "";
}

/** No plan could be made: nothing is done, and Reply says why. */
function failedPlan(reason: string, replans: number): Plan {
  return {
    reasoning: "No plan could be made.",
    goal: "Say that no plan could be made",
    decision: "answer",
    steps: [],
    proposal: null,
    questions: [],
    origin: "think",
    replans,
    failure: reason,
  };
}
