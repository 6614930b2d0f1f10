import { isMetaQuery } from "../output-filter/meta-query.ts";
import { buildUnderstandPrompt } from "../prompts/understand.ts";
import { viewConversation } from "../prompts/view.ts";
import { mergeConstraints } from "../registry/constraints.ts";
import { checkCuration, decidesSomething } from "../registry/curation.ts";
import { NO_CURATION, type RegistryEvent } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { conciergeQuestion } from "../prompts/concierge-question.ts";
import {
  UnderstandAnswerSchema,
  type UnderstandAnswer,
  type Understanding,
} from "../state/understanding.ts";
import { answerSchema, askForAnswer } from "./ask/ask-model.ts";
import { chooseRoute, planWithoutThink } from "./choose-route.ts";
import type { Lanes, NodeIO, NodeServices } from "./node.ts";
import { startPlan } from "./steps/plan-progress.ts";
import { requireRun } from "./require-run.ts";
import { checkQuick, collectRefsForUnderstand } from "./understand-checks.ts";

const SCHEMA = answerSchema(
  "understand",
  "What the message means and what stays in view.",
  UnderstandAnswerSchema,
);

/** Makes the memory manager: resolves, curates, remembers wishes, and chooses the way of the turn. */
export function createUnderstandNode(services: NodeServices) {
  return async function understand(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const run = requireRun(state);
    const view = viewConversation(state, services);
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
        ids: { ref: collectRefsForUnderstand(state, view) },
        mayEnumerateIds: false,
        thread: [],
        maxOutputTokens: services.limits.understandOutputTokens,
      },
      {
        schema: SCHEMA,
        check: (answer) => checkQuick(answer, services.domain),
        salvage: (answer) =>
          checkQuick(answer, services.domain).length === 0 ? answer : { ...answer, quick: null },
        services,
        io,
      },
    );

    const answer = asked.kind === "answered" ? asked.value : fallbackAnswer(state, services.lanes);
    const { pending } = state;
    const curation = checkCuration(view.registry, answer.curation);
    const understanding: Understanding = {
      ...answer,
      curation: curation.curation,
      answersPending: pending === null ? null : answer.answersPending,
      ...chooseRoute(answer, {
        lanes: services.lanes,
        pending,
        asksAboutUs: state.opening !== null && isMetaQuery(state.input?.text ?? ""),
      }),
    };
    const constraints = mergeConstraints(state.constraints, answer.constraints, {
      turn: state.turn,
      today: run.today,
      limits: services.limits,
    });
    const plan = planWithoutThink(understanding, pending);
    const notices: Notice[] = [...curation.problems, ...constraints.notices].map((text) => ({
      node: "understand",
      code: "curation",
      text,
    }));

    io.emit({
      type: "understood",
      lane: understanding.lane,
      route: understanding.route,
      references: understanding.references,
      curation: understanding.curation,
    });
    return {
      understanding,
      constraints: constraints.constraints,
      registryEvents: [...state.registryEvents, ...buildRegistryEvents(understanding, state.turn)],
      // Accepted, answered or left behind: either way nothing waits any longer.
      pending: null,
      ...(plan === null ? {} : startPlan(plan)),
      calls: [...state.calls, ...asked.calls],
      notices: [...state.notices, ...asked.notices, ...notices],
    };
  };
}

/** The message is passed on as it is, to whom it most likely answers; nothing is curated. */
function fallbackAnswer(state: TurnState, lanes: Lanes): UnderstandAnswer {
  const answersConcierge =
    state.conciergeThread.throughTurn === state.turn - 1 &&
    conciergeQuestion(state.conciergeThread) !== "";
  return {
    reasoning: "The message could not be read by the model; it is passed on as it is.",
    lane: lanes.task && !(lanes.concierge && answersConcierge) ? "task" : "concierge",
    journey: lanes.task || state.opening !== null ? "continue" : "new",
    references: [],
    curation: NO_CURATION,
    constraints: [],
    expressed: "",
    quick: null,
    clarification: null,
    answersPending: null,
    meta: false,
  };
}

function buildRegistryEvents(understanding: Understanding, turn: number): RegistryEvent[] {
  const { curation } = understanding;
  const excluded = new Set([...curation.demote.map(({ ref }) => ref), ...curation.drop]);
  const named = understanding.references.map(({ ref }) => ref).filter((ref) => !excluded.has(ref));
  const curated = decidesSomething(curation);
  return [
    ...(curated ? [{ kind: "curated" as const, turn, curation }] : []),
    ...(named.length === 0
      ? []
      : [{ kind: "referenced" as const, turn, refs: [...new Set(named)] }]),
  ];
}
