import { ModelError } from "../../state/model.ts";
import type { ModelAnswer } from "../../state/model.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { findModel } from "./fit-prompt.ts";
import { OPTIONAL_ROLES, type Question } from "./question.ts";
import { WaitingReport } from "./report-waiting.ts";
import { TimedCall, type CallSetup, type SentPrompt } from "./timed-call.ts";

/** Returns the seconds that are left of the turn; without a beginning, all of them. */
export function secondsLeft({ limits, now }: NodeServices, { startedAt }: NodeIO): number {
  return startedAt === undefined
    ? limits.turnSeconds
    : limits.turnSeconds - (now() - startedAt) / 1_000;
}

/** The part of its time after which a call counts as quiet, where nothing has come of it. */
const QUIET_SHARE = 1 / 2;
/** A call is not quiet before it has taken as many times as long as those before it. */
const PATIENCE = 2;
/** Seconds without which a call is not made once more. */
const LEAST_SECOND_SECONDS = 0.5;

/**
 * Asks; null where the turn's budget was used up meanwhile. Beside a call that is quiet another one is
 * made, in the time of the first, where the turn cannot do without an answer: the one that comes first
 * counts.
 */
export async function completeWithinTurn(
  question: Question,
  prompt: SentPrompt,
  ask: CallSetup,
): Promise<ModelAnswer | ModelError | null> {
  const { services, io } = ask;
  const traits = findModel(question, services).traits?.();
  const most = traits?.modelSeconds ?? services.limits.modelSeconds;
  const seconds = Math.min(most, secondsLeft(services, io));
  const quiet = Math.max(seconds * QUIET_SHARE, ((traits?.callMs ?? 0) / 1_000) * PATIENCE);
  const mayAskTwice =
    !OPTIONAL_ROLES.has(question.role) &&
    traits?.slots !== 1 &&
    seconds - quiet >= LEAST_SECOND_SECONDS;
  const waiting = new WaitingReport({
    node: question.node,
    emit: io.emit,
    most: Math.min(seconds, question.batchSeconds ?? Infinity),
    reason: question.batchSeconds === undefined ? "model" : "batch",
  });
  // Only one of them is listened to: the one whose text arrives first.
  const first: TimedCall = new TimedCall(question, ask, {
    onWait: (wait) => waiting.note(wait),
    onBegin: () => question.onBegin?.(),
    onText: () => {
      waiting.touch();
      second.drop();
    },
  });
  const second = new TimedCall(question, ask, {
    onText: () => {
      waiting.touch();
      first.drop();
    },
  });
  try {
    const answer = first.ask(prompt, seconds);
    if (!mayAskTwice || !(await first.isQuietAfter(quiet))) return await answer;
    return await findFirst([answer, second.ask(prompt, seconds - quiet)]);
  } finally {
    first.drop();
    second.drop();
    waiting.stop();
  }
}

/** Returns the answer that comes first; without any, why the call failed that nobody has dropped. */
async function findFirst(
  answers: readonly Promise<ModelAnswer | ModelError | null>[],
): Promise<ModelAnswer | ModelError | null> {
  const wanted = answers.map(async (pending) => {
    const answer = await pending;
    if (answer instanceof ModelError) throw answer;
    return answer;
  });
  try {
    return await Promise.any(wanted);
  } catch {
    const failures = await Promise.all(answers);
    return failures.find((failure) => !isAborted(failure)) ?? failures[0] ?? null;
  }
}

function isAborted(answer: ModelAnswer | ModelError | null): boolean {
  return answer instanceof ModelError && answer.code === "model_aborted";
}
