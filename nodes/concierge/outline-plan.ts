import { gated } from "../../control-blocks/gate.ts";
import { buildWorkflowPrompt, type WorkflowPromptInput } from "../../prompts/workflow.ts";
import { PlannedPlanSchema, type JourneyPlan, type PlannedPlan } from "../../state/journey-plan.ts";
import type { Limits } from "../../state/limits.ts";
import { startPlan } from "../../state/start-plan.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { readPlan } from "../../summaries/read-plan.ts";
import { oneLine } from "../../text/fence.ts";
import { sharesHalf } from "../../text/holds-words.ts";
import { askForAnswer, type Asked } from "../ask/ask-model.ts";
import { answerSchema } from "../ask/read-checked.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { cleanPlanned, createPlanWordCleaner } from "./clean-plan-words.ts";
import { requireRun } from "../require-run.ts";

/** The answer that reads steps and decisions out of a plan. */
export const PLANNED_PLAN_ANSWER = answerSchema(
  "workflow",
  "The steps and decisions of the plan.",
  PlannedPlanSchema,
);

/** The result of reading a plan. */
type Outline = {
  /** null: no step could be read. */
  readonly plan: JourneyPlan | null;
} & Pick<Asked<unknown>, "calls" | "notices">;

interface OutlinePlanOptions {
  readonly byCode: boolean;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Turns of the phase in which a plan that is shown is read, until there are steps. */
const TRIES = 3;

/**
 * Reads the plan that the executor has shown as its first version; null where there is one, or none was shown.
 * Where the model fails, writes other steps or leaves some out, or no model is to be asked (`byCode`), code reads the numbered
 * steps; a text without any leaves no plan, and is read again in the next turns of the phase.
 */
export async function outlinePlan(
  state: TurnState,
  facts: OutlinePlanOptions,
): Promise<Outline | null> {
  const { concierge, conciergeThread, journeyPlan, turn } = state;
  const { limits } = facts.services;
  const isMissing =
    concierge.currentPhase === "executor" &&
    concierge.turnInPhase <= TRIES &&
    journeyPlan === null &&
    conciergeThread.throughTurn === turn;
  const text = isMissing ? findShownPlan(state) : undefined;
  if (text === undefined) return null;
  const clean = createPlanWordCleaner(state, facts.services);
  const { goal = "", decisionsMade = [] } = concierge.executionHandover ?? {};
  const asked = facts.byCode
    ? null
    : await askForPlan(state, { ...facts, plan: text, goal, decisionsMade });
  const planned = cleanPlanned(asked?.kind === "answered" ? asked.value : readPlan(text), clean);
  const plan = startPlan(goal, planned, { decisionsMade, limits });
  const calls = [...(asked?.calls ?? [])];
  const notices = asked?.notices ?? [];
  if (plan.steps.length === 0) return { plan: null, calls, notices: [...notices, NO_STEPS] };
  const shown = readPlan(text).steps.length;
  return { plan, calls, notices: [...notices, ...noticeExcess(shown, limits)] };
}

/** Returns the executor's first answer as it was shown; undefined where its thread no longer has it. */
function findShownPlan({ concierge, conciergeThread, replies }: TurnState): string | undefined {
  if (concierge.turnInPhase === 1) return replies.at(-1)?.text;
  const answers = conciergeThread.messages.filter(({ role }) => role === "assistant");
  const [first] = answers;
  return first !== undefined && answers.length === concierge.turnInPhase
    ? gated(first.text)
    : undefined;
}

const NO_STEPS = {
  node: "workflow",
  code: "no-steps",
  text: "No steps could be read from the plan",
};

function noticeExcess(shown: number, { planSteps }: Pick<Limits, "planSteps">): readonly Notice[] {
  if (shown <= planSteps) return [];
  const text = `The plan that was shown has ${shown} steps; it is kept with at most ${planSteps}`;
  return [{ node: "workflow", code: "too-many-steps", text }];
}

interface AskForPlanOptions extends WorkflowPromptInput {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

function askForPlan(
  state: TurnState,
  { services, io, ...input }: AskForPlanOptions,
): Promise<Asked<PlannedPlan>> {
  return askForAnswer(
    {
      node: "workflow",
      role: "summarize",
      run: requireRun(state),
      turn: state.turn,
      parts: buildWorkflowPrompt(input),
      required: ["rules", "plan"],
      thread: [],
      maxOutputTokens: services.limits.workflowOutputTokens,
    },
    {
      schema: PLANNED_PLAN_ANSWER,
      check: (planned) =>
        checkSteps(planned, { plan: input.plan, most: services.limits.planSteps }),
      services,
      io,
    },
  );
}

interface ShownPlan {
  readonly plan: string;
  /** Most steps of a plan: where more are shown, some have to be joined. */
  readonly most: number;
}

/**
 * Returns the problems of steps that a plan does not have, and of its own that are left out: the steps are those
 * that are shown to the person.
 */
function checkSteps(
  { steps, decisions }: PlannedPlan,
  { plan, most }: ShownPlan,
): readonly string[] {
  if (steps.length === 0) return ["steps: the plan has some"];
  const made = steps.flatMap(({ title }, at) =>
    sharesHalf(plan, title) ? [] : [`steps.${at}.title: the plan has no step "${oneLine(title)}"`],
  );
  const texts = [...steps, ...decisions].map((each) => Object.values(each).join(" "));
  const { steps: shown } = readPlan(plan);
  const lost = shown.filter(
    ({ title }) => shown.length <= most && !texts.some((text) => sharesHalf(text, title)),
  );
  return [...made, ...lost.map(({ title }) => `steps: the plan's "${oneLine(title)}" is missing`)];
}
