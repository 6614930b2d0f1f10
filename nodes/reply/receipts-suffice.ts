import { decidesSomething } from "../../registry/curation.ts";
import type { Plan } from "../../state/plan.ts";
import type { StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { summariseWrites } from "../steps/open-rows.ts";
import { asksForNoChange } from "../steps/unasked.ts";

/**
 * Returns true where the receipts say everything that came of the turn: it was carried out by code,
 * or all that was asked for is writing rows, and every one was written. What was read, judged or
 * drafted for the person takes words, and so does a step that its model has ended with some, a message
 * that asked for no change, and one that asks something beside its change. Pure.
 */
export function receiptsSuffice(
  state: Pick<TurnState, "plan" | "stepResults" | "understanding"> &
    Partial<Pick<TurnState, "input">>,
): boolean {
  const { plan, stepResults, understanding } = state;
  if (plan === null || plan.decision !== "plan") return false;
  if (plan.origin === "confirmation" || plan.origin === "undo") return true;
  const decides =
    understanding !== null &&
    (decidesSomething(understanding.curation) || understanding.constraints.length > 0);
  if (asksForNoChange(understanding) || asksBesides(state)) return false;
  if (decides || stepResults.length !== plan.steps.length) return false;
  return onlyWrites(plan) && stepResults.every((result) => isEndedByCode(result, plan));
}

/**
 * Returns true where the message asks something besides the change: Understand reads that a look-up
 * answers it, or a sentence of several is a question, or one is asked of which the plan reads something.
 */
function asksBesides({
  plan,
  understanding,
  input = null,
}: Parameters<typeof receiptsSuffice>[0]): boolean {
  // The words of an answer are those of the assistant's own question.
  if (plan?.origin === "proposal" || (understanding?.answersPending ?? null) !== null) return false;
  if (understanding?.needs === "look") return true;
  const text = input?.text.trim() ?? "";
  if (!QUESTION.test(text)) return false;
  const sentences = text.split(SENTENCE_END).filter((part) => /[\p{L}\p{N}]/u.test(part));
  return sentences.length > 1 || plan?.steps.some(({ stepType }) => stepType === "read") === true;
}

/** Question marks of scripts of the world. */
const QUESTION = /[?？؟՞]/u;

const SENTENCE_END = /[?？؟՞!！。]+|\.(?=\s|$)|\n+/u;

/** Returns true for a plan whose reads, if any, come before all of its writes: they serve the writes. */
function onlyWrites({ steps }: Plan): boolean {
  const writes = steps.filter(({ stepType }) => stepType === "write");
  const others = steps.filter(({ stepType }) => stepType !== "write");
  const first = Math.min(...writes.map(({ group }) => group));
  return (
    writes.length > 0 && others.every(({ stepType, group }) => stepType === "read" && group < first)
  );
}

/** Returns true for a step that code has ended: no model's words are lost. */
function isEndedByCode({ status, calls, step, outcome }: StepResult, { steps }: Plan): boolean {
  if (status !== "done") return false;
  return steps[step]?.stepType !== "write" || outcome === summariseWrites(calls);
}
