import { buildUnderstandPrompt } from "../prompts/understand.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { mergeConstraints } from "../registry/constraints.ts";
import { checkCuration } from "../registry/curation.ts";
import { PlanSchema, type Plan } from "../state/plan.ts";
import type { RegistryEvent } from "../state/registry.ts";
import type { PendingQuestion } from "../state/step.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice, TurnExecutionSummary } from "../state/turn-summary.ts";
import {
  UnderstandAnswerSchema,
  type Lane,
  type Route,
  type UnderstandAnswer,
  type Understanding,
} from "../state/understanding.ts";
import { answerSchema, askForAnswer } from "./ask-model.ts";
import type { Lanes, NodeIO, NodeServices } from "./node.ts";
import { startPlan } from "./plan-progress.ts";
import { runOf } from "./run-of.ts";

const SCHEMA = answerSchema("understand", {
  description: "What the message means and what stays in view.",
  schema: UnderstandAnswerSchema,
});

/** Makes the memory manager: resolves, curates, remembers wishes, and chooses the way of the turn. */
export function createUnderstandNode(services: NodeServices) {
  return async function understand(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const run = runOf(state);
    const view = viewConversation(state, services);
    const shown = shownRefs(state, view);
    const asked = await askForAnswer(
      {
        node: "understand",
        role: "understand",
        run,
        turn: state.turn,
        parts: buildUnderstandPrompt(
          {
            view,
            lanes: services.lanes,
            records: state.turnExecutionSummaries,
            pending: state.pending,
          },
          services,
        ),
        required: ["rules", "message"],
        refs: [...shown],
        thread: [],
        maxOutputTokens: 1_500,
      },
      {
        schema: SCHEMA,
        check: (answer) => checkAnswer(answer, shown, services.domain.subdomains),
        services,
        io,
      },
    );

    const answer = asked.kind === "answered" ? asked.value : fallbackAnswer(state, services.lanes);
    const curation = checkCuration(view.registry, answer.curation, shown);
    const { route, waived } = chooseRoute(answer, {
      lanes: services.lanes,
      pending: state.pending,
    });
    const understanding: Understanding = { ...answer, curation: curation.curation, route, waived };
    const constraints = mergeConstraints(state.constraints, answer.constraints, {
      turn: state.turn,
      today: run.today,
      limits: services.limits,
    });
    const plan = planOf(understanding, state.pending);
    const notices: Notice[] = [...curation.problems, ...constraints.notices].map((text) => ({
      node: "understand",
      code: "curation",
      text,
    }));

    io.emit({
      type: "understood",
      lane: understanding.lane,
      route,
      references: understanding.references,
      curation: understanding.curation,
    });
    return {
      understanding,
      constraints: constraints.constraints,
      registryEvents: [...state.registryEvents, ...registryEventsOf(understanding, state.turn)],
      // Accepted, answered or left behind: either way nothing waits any longer.
      pending: null,
      ...(plan === null ? {} : startPlan(plan)),
      calls: [...state.calls, ...asked.calls],
      notices: [...state.notices, ...asked.notices, ...notices],
    };
  };
}

/** Every ref that stands somewhere in Understand's prompt. */
function shownRefs(state: TurnState, view: ConversationView): ReadonlySet<string> {
  return new Set([
    ...view.table.shown,
    ...view.excluded.map(({ ref }) => ref),
    ...view.listed.map(({ ref }) => ref),
    ...(state.pending?.options.map(({ ref }) => ref) ?? []),
    ...state.turnExecutionSummaries.flatMap(refsOfRecord),
  ]);
}

/** Every ref that a record names. */
export function refsOfRecord(record: TurnExecutionSummary): string[] {
  return [
    ...record.steps.flatMap((step) => step.entitiesAffected),
    ...record.effects.map(({ ref }) => ref),
    ...record.retainedRefs,
    ...record.demotedRefs,
  ];
}

function checkAnswer(
  answer: UnderstandAnswer,
  shown: ReadonlySet<string>,
  subdomains: NodeServices["domain"]["subdomains"],
): string[] {
  const { curation } = answer;
  const refs = [
    ...answer.references.map(({ ref }) => ref),
    ...[...curation.retain, ...curation.demote, ...curation.restore].map(({ ref }) => ref),
    ...curation.drop,
    ...(answer.clarification?.options.map(({ ref }) => ref) ?? []),
  ];
  const unknown = [...new Set(refs.filter((ref) => !shown.has(ref)))];
  const problems = unknown.map((ref) => `ref "${ref}" does not stand in the prompt`);
  const { quick } = answer;
  if (quick !== null && !subdomains.some(({ name }) => name === quick.subdomain)) {
    const names = subdomains.map(({ name }) => name).join(", ");
    problems.push(`quick.subdomain "${quick.subdomain}" does not exist; there are: ${names}`);
  }
  return problems;
}

/** Nothing is curated; the lane of the last turn if it ended with a question, else task. */
function fallbackAnswer(state: TurnState, lanes: Lanes): UnderstandAnswer {
  const lane: Lane = lanes.task ? "task" : "concierge";
  return {
    reasoning: "The message could not be read by the model; it is passed on as it is.",
    lane: state.pending === null ? lane : (state.understanding?.lane ?? lane),
    journey: "continue",
    references: [],
    curation: { retain: [], demote: [], restore: [], drop: [], clearAll: false, summary: null },
    constraints: [],
    expressed: "",
    quick: null,
    clarification: null,
    answersPending: null,
    meta: false,
  };
}

/**
 * Which way the turn takes. Code decides: a reply to a pending question is never answered with
 * another question, an accepted proposal runs without Think, one lane alone takes everything.
 */
export function chooseRoute(
  answer: UnderstandAnswer,
  { lanes, pending }: { readonly lanes: Lanes; readonly pending: PendingQuestion | null },
): { readonly route: Route; readonly waived: string[] } {
  const accepted = pending !== null && answer.answersPending === "accept";
  const waived = accepted ? [...pending.waives] : [];
  const answersSomething = pending !== null && answer.answersPending !== null;
  if (accepted && pending.plan !== null) return { route: "accept", waived };
  if (answer.clarification !== null && !answersSomething) return { route: "clarify", waived };
  if (answer.meta) return { route: "meta", waived };
  const task = lanes.task && (answer.lane === "task" || !lanes.concierge);
  if (!task) return { route: "concierge", waived };
  return { route: answer.quick === null ? "task" : "quick", waived };
}

function registryEventsOf(understanding: Understanding, turn: number): RegistryEvent[] {
  const { curation } = understanding;
  const excluded = new Set([...curation.demote.map(({ ref }) => ref), ...curation.drop]);
  const named = understanding.references.map(({ ref }) => ref).filter((ref) => !excluded.has(ref));
  const curated =
    curation.clearAll ||
    [curation.retain, curation.demote, curation.restore, curation.drop].some(
      (list) => list.length > 0,
    );
  return [
    ...(curated ? [{ kind: "curated" as const, turn, curation }] : []),
    ...(named.length === 0
      ? []
      : [{ kind: "referenced" as const, turn, refs: [...new Set(named)] }]),
  ];
}

/** The plan that is there without asking Think: a quick look, or the proposal that was accepted. */
function planOf(understanding: Understanding, pending: PendingQuestion | null): Plan | null {
  switch (understanding.route) {
    case "accept":
      return PlanSchema.parse({ ...pending?.plan, decision: "plan", origin: "proposal" });
    case "quick":
      return understanding.quick === null
        ? null
        : quickPlan(understanding.quick, understanding.reasoning);
    case "clarify":
    case "meta":
    case "task":
    case "concierge":
      return null;
    default:
      return understanding.route satisfies never;
  }
}

function quickPlan(
  quick: { readonly subdomain: string; readonly intent: string },
  reasoning: string,
): Plan {
  return {
    reasoning,
    goal: quick.intent,
    decision: "plan",
    steps: [
      {
        description: quick.intent,
        stepType: "read",
        subdomain: quick.subdomain,
        group: 1,
        refs: [],
      },
    ],
    proposal: null,
    questions: [],
    origin: "quick",
    replans: 0,
    failure: null,
  };
}
