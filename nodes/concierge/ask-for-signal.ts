import { z } from "zod";
import { writeBatchBlock, writeHandoverBlock } from "../../control-blocks/write-block.ts";
import { buildSignalRequest, type SignalKind } from "../../prompts/signal-request.ts";
import { EffectiveStanceSchema } from "../../state/handover.ts";
import type { PromptMessage } from "../../state/model.ts";
import type { TurnState } from "../../state/turn.ts";
import { askForAnswer, type Asked } from "../ask/ask-model.ts";
import { answerSchema, type AnswerSchema } from "../ask/read-checked.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

const IS_MEANT = "true where it is meant; false leaves everything else empty";

const HandoverAnswerSchema = z.object({
  isMeant: z.boolean().describe(IS_MEANT),
  keyFindings: z.array(z.string()).describe("what is known by now; [] for nothing"),
  impliedGoal: z.string().describe("what they really want"),
  revealedConstraints: z.array(z.string()).describe("what limits them; [] for nothing"),
  acceptedFraming: z.string().describe("how they took up your framing"),
  resistedFraming: z.string().nullable().describe("what they pushed back on; null for nothing"),
  unpromptedReveals: z.array(z.string()).describe("what they told unasked; [] for nothing"),
  stillUnclear: z.array(z.string()).describe("what needs exploring; [] for nothing"),
  effectiveStance: EffectiveStanceSchema.describe(
    "explore: keep it open; decide: they want it settled; challenge: they want it tested",
  ),
});

const PROMPT = "prompt for the experts, who know nothing else";

const WorkflowRequestSchema = z.object({
  isMeant: z.boolean().describe(IS_MEANT),
  goal: z.string().describe("the goal as it is understood now"),
  problemSummary: z.string().describe("one paragraph"),
  situation: z.string().describe("who they are, and what they have to work with"),
  constraints: z.array(z.string()).describe("hard limits; [] for none"),
  priorities: z.array(z.string()).describe("what they optimize for; [] for nothing"),
  decisionsMade: z.array(z.string()).describe("what is settled; [] for nothing"),
  openQuestions: z.array(z.string()).describe("what may come up on the way; [] for nothing"),
  prompt: z.string().describe(PROMPT),
});

const StepHelpRequestSchema = z.object({
  isMeant: z.boolean().describe(IS_MEANT),
  step: z.string().describe("title of the step"),
  context: z.string().describe("situation and constraints that bear on it"),
  prompt: z.string().describe(PROMPT),
});

/** The answers in which a small model gives what others write as a control block. */
export const HANDOVER_ANSWER = answerSchema(
  "handover",
  "The handover, if one is meant.",
  HandoverAnswerSchema,
);
export const WORKFLOW_REQUEST = answerSchema(
  "workflow_request",
  "The request for a plan, if one is meant.",
  WorkflowRequestSchema,
);
export const STEP_HELP_REQUEST = answerSchema(
  "step_help_request",
  "The request for help with a step, if one is meant.",
  StepHelpRequestSchema,
);

interface AskForSignalOptions {
  readonly kind: SignalKind;
  /** The instance's messages, its answer last. */
  readonly before: readonly PromptMessage[];
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** The block that an answer stands for; null where none is meant, or none could be had. */
type AskedSignal = { readonly block: string | null } & Pick<Asked<unknown>, "calls" | "notices">;

/**
 * Asks a small model, which loses the form of a control block, for its content in an answer of its
 * own. The person sees nothing of it.
 *
 * Source: models.md §3, "The small tier".
 */
export async function askForSignal(
  state: TurnState,
  options: AskForSignalOptions,
): Promise<AskedSignal> {
  switch (options.kind) {
    case "handover":
      return askForBlock(state, options, {
        schema: HANDOVER_ANSWER,
        check: ({ impliedGoal }) => requireText({ impliedGoal }),
        write: ({ isMeant: _isMeant, ...handover }) => writeHandoverBlock(handover),
      });
    case "workflow":
      return askForBlock(state, options, {
        schema: WORKFLOW_REQUEST,
        check: ({ goal, prompt }) => requireText({ goal, prompt }),
        write: ({ isMeant: _isMeant, prompt, ...handover }) =>
          writeBatchBlock({
            type: "WORKFLOW",
            prompt,
            handover: { ...handover, explorationHighlights: [] },
          }),
      });
    case "step-help":
      return askForBlock(state, options, {
        schema: STEP_HELP_REQUEST,
        check: ({ step, prompt }) => requireText({ step, prompt }),
        write: ({ step, context, prompt }) =>
          writeBatchBlock({ type: "STEP_HELP", step, context, prompt }),
      });
    default:
      return options.kind satisfies never;
  }
}

interface BlockForm<T> {
  readonly schema: AnswerSchema<T>;
  /** Returns what a block that is meant lacks. */
  readonly check: (answer: T) => readonly string[];
  readonly write: (answer: T) => string;
}

async function askForBlock<T extends { readonly isMeant: boolean }>(
  state: TurnState,
  { kind, before, services, io }: AskForSignalOptions,
  { schema, check, write }: BlockForm<T>,
): Promise<AskedSignal> {
  const asked = await askForAnswer(
    {
      node: "signal",
      role: "concierge",
      run: requireRun(state),
      turn: state.turn,
      parts: buildSignalRequest(kind),
      required: ["signal-request"],
      before,
      thread: [],
      earlier: state.notices,
      maxOutputTokens: services.limits.conciergeOutputTokens,
    },
    { schema, check: (answer) => (answer.isMeant ? check(answer) : []), services, io },
  );
  const { calls, notices } = asked;
  const isMeant = asked.kind === "answered" && asked.value.isMeant;
  return { block: isMeant ? write(asked.value) : null, calls, notices };
}

function requireText(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts)
    .filter(([, text]) => text.trim() === "")
    .map(([name]) => `${name}: it must not be empty where isMeant is true`);
}
