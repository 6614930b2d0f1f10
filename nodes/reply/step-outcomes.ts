import type { Registry } from "../../state/registry.ts";
import type { StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { oneLine } from "../../text/fence.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderSentence, type SentenceId } from "../../text/sentences.ts";
import { hasAnswered } from "../steps/open-rows.ts";
import { changesPlanLater, wordMissingAnswer } from "./word-missing-answer.ts";

/** Returns one line for each step: its description and its outcome. */
export function outcomeLines(state: TurnState): string[] {
  return state.stepResults.map((result) => {
    const description =
      state.plan?.steps[result.step]?.description ?? renderSentence("unknownStep");
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

/** The facts that a reply without its model is built from. */
export interface FallbackFacts {
  readonly registry: Registry;
  /** Why the model gave no answer, for the person. */
  readonly failure: string;
  /** True where receipts say what was changed, or that nothing was. */
  readonly hasReceipts: boolean;
}

/**
 * Builds the reply from the step results alone, for a turn whose reply model gives no answer. It
 * says that nothing was changed where something failed and no receipt says it.
 */
export function fallbackReply(
  state: TurnState,
  { registry, failure, hasReceipts }: FallbackFacts,
): string {
  const isReported = hasReceipts || changesPlanLater(state);
  const nothing = isReported ? [] : [renderSentence("nothingChanged")];
  if (state.stepResults.length === 0) {
    return [wordMissingAnswer(failure, state), ...nothing].join("\n");
  }
  const outcomes = listOutcomes(state, registry);
  if (outcomes.length === 0) return "";
  const isFailed = state.stepResults.some(
    ({ step, status }) => status === "failed" && state.plan?.steps[step]?.stepType !== "write",
  );
  return [renderSentence("wordsMissing"), outcomes.join("\n"), ...(isFailed ? nothing : [])].join(
    "\n\n",
  );
}

/** Lists what came of each step but the writes, of which the receipts speak, as lines for the person. */
export function listOutcomes(state: TurnState, registry: Registry): readonly string[] {
  const known = new Map(registry.entries.map(({ ref, label }) => [ref, label]));
  const others = state.stepResults.filter(
    ({ step }) => state.plan?.steps[step]?.stepType !== "write",
  );
  return others.map((result) => {
    const { step, status, refs } = result;
    const names = refs.flatMap((ref) => known.get(ref) ?? []).slice(0, SHOWN);
    const more = refs.length - names.length;
    const labels =
      more > 0
        ? renderSentence("labelsAndMore", { labels: joinItems(names), count: more })
        : joinItems(names);
    const outcome = oneLine([trueOutcome(result), labels].filter((part) => part !== "").join(": "));
    if (status === "done") return renderSentence("outcome", { outcome });
    return renderSentence("outcomeOfStep", {
      task: oneLine(state.plan?.steps[step]?.description ?? renderSentence("unknownStep")),
      status: renderSentence(STATUS_WORDS[status]),
      outcome,
    });
  });
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
