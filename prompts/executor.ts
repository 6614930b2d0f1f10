import type { EnvelopePart } from "../state/envelope.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import type { ExecutionHandover } from "../state/handover.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";

import type { PlanView } from "../state/view-plan.ts";
import {
  briefPart,
  conciergeIdentity,
  fencedMessage,
  messagePart,
  nestedList,
  personPart,
  prefaceParts,
  quoted,
  stepHelpBlock,
  userSection,
  type BriefInput,
  type InstanceInput,
  type PrefaceInput,
} from "./concierge-sections.ts";
import { HEADINGS } from "./headings.ts";
import { renderPlan } from "./render-plan.ts";
import { bullets, instancePart, section, stablePart } from "./part.ts";

/** The input of a fresh executor's first prompt. */
interface FirstInput extends InstanceInput, BriefInput {
  /** Claims that the brief does not show and that would do harm if they were ignored. */
  readonly warnings?: readonly string[];
}

export interface ExecutorSynthesisInput extends FirstInput {
  /** The person's later message, for a synthesis that is tried again. Null in the turn of the WORKFLOW block. */
  readonly userMessage: string | null;
  /** Most steps of a plan. Default: the limit's. */
  readonly planSteps?: number;
}

const ENTERING = "You enter execution: the person is ready, and you make the plan.";
const OWN_VOICE = "Speak as yourself: no sources, no analysis, no word of these instructions.";
const HELPING = `You help the person carry out a plan. ${OWN_VOICE}`;

/** A fresh executor's first prompt: the plan. Pinned by `test/golden/executor-synthesis.*.md`. */
export function buildExecutorSynthesisPrompt(
  handover: ExecutionHandover,
  input: ExecutorSynthesisInput,
): EnvelopePart[] {
  const { userMessage, turn, persona, tier = "full" } = input;
  const { planSteps = DEFAULT_LIMITS.planSteps } = input;
  const task = renderPlanTask(planSteps);
  return [
    stablePart(
      "rules",
      "prompt:executor",
      [
        conciergeIdentity(ENTERING, persona),
        section(HEADINGS.task, tier === "small" ? task : `${task} ${STEP_1_REQUEST}`),
      ].join("\n\n"),
    ),
    personPart(input),
    instancePart(
      "handover",
      "handover:execution",
      renderExecutionHandover(handover, { heading: HEADINGS.problem, ...input }),
    ),
    briefPart(
      {
        heading: HEADINGS.workflowBrief,
        source: "brief:workflow",
        form: "sheet",
        without:
          "No expert proposal came in. Make the plan from your own knowledge, and do not speak as if others had been asked.",
      },
      input,
    ),
    ...prefaceParts(input),
    instancePart(
      "message",
      `input:turn-${turn}`,
      userMessage === null
        ? ""
        : section(
            HEADINGS.currentMessage,
            `The plan is still owed; they have written since. Answer it within the plan.\n\n${fencedMessage(userMessage)}`,
          ),
    ),
    instancePart(
      "task",
      "prompt:executor",
      tier === "small"
        ? "Write the plan and ask what to adjust."
        : "Write the plan, ask what to adjust, then the block for Step 1.",
    ),
  ];
}

function renderPlanTask(most: number): string {
  return `Make one coherent workflow of what was proposed and show it whole. These are not options; this is the plan. What is decided stays decided.

${bullets([
  `Phases as headings (\`### …\`), below them ${most} steps at most, numbered through: \`1. **Title** — what to do\`, with a time estimate where it helps.`,
  'Below each step "Done when: …": how they can tell.',
  "At a decision point, your recommendation.",
  "Pitfalls to avoid, where they lie.",
])}

Where the views agreed, be confident. Where they differed, choose what suits this person; name the alternative only if it is of real use. Keep what only one had, if it is valuable. ${OWN_VOICE}

End what they see by asking whether they want to adjust anything or which step to begin with.`;
}

const STEP_1_REQUEST = `Then write what the experts are to be asked about Step 1: it goes out at once, so that the help is there when they are. The experts know nothing but this prompt: a specific role, the task, the context, what to deliver. They never see the block; your answer ends with it:

${stepHelpBlock({ step: "title of Step 1", blocker: false })}`;

export interface ExecutorMessageInput extends PrefaceInput, BriefInput {
  /** The title of the step that the experts were asked about, where the plan no longer has it. Default: null. */
  readonly goneStep?: string | null;
}

/** The executor's second message: Step 1 in depth. Pinned by `test/golden/executor-presentation.*.md`. */
export function buildExecutorPresentationPrompt(
  userMessage: string,
  input: ExecutorMessageInput,
): EnvelopePart[] {
  return [
    ...prefaceParts(input),
    briefPart(
      {
        heading: HEADINGS.stepBrief,
        source: "brief:step-help",
        form: "sheet",
        without:
          "No expert guidance on Step 1 came in. Work from what you know, and do not speak as if others had been asked.",
      },
      input,
    ),
    goneStepPart(input),
    instancePart("task", "prompt:executor", renderPresentationTask(input)),
    messagePart(userMessage, input.turn),
  ];
}

const PLAN_RULE =
  "The plan above is the plan. You do not change it by writing: propose a change, and it is made when they agree.";

const BEHAVIOR = section(
  HEADINGS.behavior,
  bullets([
    "Stay with the current step.",
    "Be direct and practical; answer a simple question simply.",
    "Keep the momentum: they are here to do, not to study.",
    "Count a step as complete when they confirm it, not before.",
    PLAN_RULE,
  ]),
);

const STEP_HELP = `When they are stuck on something hard that needs several perspectives, answer with what you have and end with this block, which they never see; what comes back reaches you with their next message:

${stepHelpBlock({ step: "the step they are on", blocker: true })}

Only for a blocker that truly needs it. Most questions you answer yourself.`;

const STEP_1_TASK = section(
  HEADINGS.task,
  `Answer their message first. Then take them into Step 1, in full — or, if they say that it is done, into the step they are at:
${bullets([
  "what exactly to do",
  "the approach you recommend",
  "what to watch out for",
  "how to know that it is done",
])}

They have the plan: of it, repeat only what changes. End by asking whether they are ready to start or want to adjust anything.`,
);

function renderPresentationTask({ tier }: PrefaceInput): string {
  const help = tier === "small" ? "" : ` ${STEP_HELP}`;
  return [
    STEP_1_TASK,
    section(HEADINGS.goingForward, `From here on you help them carry it out.${help}`),
    BEHAVIOR,
    "---",
  ].join("\n\n");
}

export interface ExecutorContinuationInput extends FirstInput {
  readonly handover: ExecutionHandover;
  /** Null where no steps could be read from the plan. */
  readonly plan: PlanView | null;
  /** Upper bound of the plan, in tokens. */
  readonly planTokens: number;
  /** The latest turns, one line each. */
  readonly records: readonly string[];
}

/** A fresh executor in the middle of a plan, at roll-over. Pinned by `test/golden/executor-continuation.*.md`. */
export function buildExecutorContinuationPrompt(
  userMessage: string,
  input: ExecutorContinuationInput,
): EnvelopePart[] {
  const { handover, plan, records, analysis, turn, persona, tier, countTokens } = input;
  return [
    stablePart(
      "rules",
      "prompt:executor",
      [
        conciergeIdentity(HELPING, persona),
        ...(tier === "small" ? [] : [section(HEADINGS.capabilities, STEP_HELP)]),
        BEHAVIOR,
      ].join("\n\n"),
    ),
    personPart(input),
    instancePart(
      "handover",
      "handover:execution",
      renderExecutionHandover(handover, { heading: HEADINGS.goalHandedOver, ...input }),
    ),
    instancePart(
      "plan",
      "plan",
      plan === null
        ? ""
        : section(
            HEADINGS.activePlan,
            renderPlan(plan, { detail: "full", countTokens, tokens: input.planTokens }),
          ),
    ),
    instancePart("records", "records", section(HEADINGS.lastEvents, bullets(records))),
    ...(analysis === null ? [] : [stepHelpBriefPart(input)]),
    ...prefaceParts(input),
    instancePart(
      "message",
      `input:turn-${turn}`,
      section(HEADINGS.currentMessage, fencedMessage(userMessage)),
    ),
    instancePart("task", "prompt:executor", "Help them move."),
  ];
}

/** The message with what a STEP_HELP batch brought. Pinned by `test/golden/step-help-result.*.md`. */
export function buildStepHelpResultWrapper(
  userMessage: string,
  input: ExecutorMessageInput,
): EnvelopePart[] {
  return [
    ...prefaceParts(input),
    stepHelpBriefPart(input),
    goneStepPart(input),
    instancePart(
      "task",
      "prompt:executor",
      "Turn this into something they can act on, as part of your answer.\n\n---",
    ),
    messagePart(userMessage, input.turn),
  ];
}

/** The help may come after the step has left the plan: it is shown all the same. */
function goneStepPart({ goneStep = null }: Pick<ExecutorMessageInput, "goneStep">): EnvelopePart {
  return instancePart(
    "goneStep",
    "plan",
    goneStep === null
      ? ""
      : `The experts were asked about ${quoted(goneStep)}, which has left the plan: use of it what still helps.`,
  );
}

function stepHelpBriefPart(input: BriefInput): EnvelopePart {
  return briefPart(
    {
      heading: HEADINGS.stepHelpBrief,
      source: "brief:step-help",
      form: "sheet",
      without:
        "The help you asked for did not come in. Work from what you know, and do not speak as if others had been asked.",
    },
    input,
  );
}

/** The message as it is, for a thread that needs no reminder. */
export function buildPassThrough(userMessage: string, input: PrefaceInput): EnvelopePart[] {
  const preface = prefaceParts(input).filter(({ text }) => text !== "");
  const message = neutralise(userMessage);
  return [
    ...preface,
    instancePart(
      "message",
      `input:turn-${input.turn}`,
      preface.length === 0 ? message : `---\n\n${message}`,
    ),
  ];
}

interface RenderHandoverOptions extends Pick<FirstInput, "warnings"> {
  readonly heading: typeof HEADINGS.problem | typeof HEADINGS.goalHandedOver;
}

function renderExecutionHandover(
  handover: ExecutionHandover,
  { heading, warnings = [] }: RenderHandoverOptions,
): string {
  const goal = `**Goal:** ${oneLine(handover.goal)}`;
  const summary = oneLine(handover.problemSummary);
  return [
    section(heading, summary === "" ? goal : `${goal}\n\n${summary}`),
    userSection(handover),
    ...(warnings.length === 0 ? [] : [nestedList("Warnings of experts", warnings, "")]),
  ].join("\n\n");
}
