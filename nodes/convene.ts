import { renderExpertQuestion } from "../prompts/expert-question.ts";
import type { ExpertQuestion } from "../state/expert-question.ts";
import { buildExpertQuestion } from "./concierge/build-expert-question.ts";
import { renderSentence } from "../text/sentences.ts";
import { isTurnNearlySpent } from "./ask/turn-meter.ts";
import { secondsLeft } from "./ask/complete-in-time.ts";
import { planBatch, type BatchPlan } from "./concierge/plan-batch.ts";
import type { Batch, BatchPurpose } from "../state/batch.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { emitReplies } from "./reply/announce-replies.ts";
import type { Expert } from "../state/expert.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { requireRun } from "./require-run.ts";

/** The text that the experts are asked, and its purpose. */
interface Asked {
  readonly purpose: BatchPurpose;
  readonly text: string;
  readonly step: string | null;
}

/** Makes the node that opens a batch: the opening question, or what a concierge's signal asks for. */
export function createConveneNode(services: NodeServices) {
  return async function convene(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    emitReplies(state, io);
    const { limits, domain, userData } = services;
    const { purpose, text, step } = chooseQuestion(state);
    const run = requireRun(state);
    const { forExperts = "" } = await domain.loadProfile(userData.reader(run.userId), run.userId);
    const question = buildExpertQuestion(
      state,
      { purpose, text, person: forExperts, run },
      services,
    );
    const isSpent = isTurnNearlySpent(state.calls, services, io);
    const affordable = withinBudget(services.experts, { question, services });
    const plan = planBatch({
      experts: affordable.map(({ model }) => model.traits?.() ?? null),
      mapper: services.models.mapper.traits?.() ?? null,
      quorum: limits.batchQuorum,
      batchSeconds: limits.batchSeconds,
      expertSeconds: limits.expertSeconds,
      mapperSeconds: limits.mapperSeconds,
      secondsLeft: secondsLeft(services, io),
    });
    const batch: Batch = {
      id: `t${state.turn}-b${countBatches(state) + 1}`,
      purpose,
      question,
      step,
      deadlineAt: services.now() + (plan.seconds - plan.mapperSeconds) * 1_000,
      mapperSeconds: plan.mapperSeconds,
      experts: isSpent ? [] : affordable.slice(0, plan.count).map(({ id }) => id),
      ...(plan.expertSeconds > limits.expertSeconds ? { expertSeconds: plan.expertSeconds } : {}),
      ...(plan.combined ? { combined: true } : {}),
    };
    if (!isSpent) announceTime(plan, io);
    const left = isSpent ? services.experts.length : services.experts.length - affordable.length;
    const why = isSpent ? TURN_REASON : `the batch may cost ${limits.batchTokens} tokens`;
    return {
      batchInfo: batch,
      answers: [],
      claimMap: null,
      analysis: null,
      ...(left === 0 ? {} : { notices: [...state.notices, budgetNotice(left, why)] }),
    };
  };
}

/** Seconds of a batch that a person waits for without being told before. */
const QUIET_SECONDS = 20;

/** Says how long the views will take, where that is long. */
function announceTime({ count, expected, seconds }: BatchPlan, io: NodeIO): void {
  if (expected === null || expected <= QUIET_SECONDS) return;
  io.emit({
    type: "waiting",
    node: "convene",
    reason: "model",
    label: renderSentence("viewsTakeTime", { count, seconds: expected }),
    seconds: 0,
    most: Math.ceil(seconds),
  });
}

function chooseQuestion({ signal, input }: TurnState): Asked {
  if (signal === null) return { purpose: "opening", text: input?.text ?? "", step: null };
  const purpose = signal.type === "WORKFLOW" ? "workflow" : "step-help";
  return { purpose, text: signal.prompt, step: signal.step };
}

/** Returns the number of batches in the turn so far. */
function countBatches({ batchInfo }: TurnState): number {
  return batchInfo === null ? 0 : Number(batchInfo.id.split("-b")[1]);
}

interface BudgetedQuestion {
  readonly question: ExpertQuestion;
  readonly services: NodeServices;
}

/** The first experts whose prompts and answers together stay within the batch's budget; never none. */
function withinBudget(
  experts: readonly Expert[],
  { question, services }: BudgetedQuestion,
): readonly Expert[] {
  const { limits, countTokens } = services;
  const each =
    countTokens(renderExpertQuestion(question)) +
    limits.expertThreadTokens +
    limits.expertAnswerTokens;
  return experts.slice(0, Math.max(1, Math.floor(limits.batchTokens / each)));
}

const TURN_REASON = "most of the turn's budget is used";

function budgetNotice(left: number, why: string) {
  return {
    node: "convene",
    code: "batch-budget",
    text: `${left} of the experts were not asked: ${why}`,
  };
}
