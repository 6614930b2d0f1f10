import type { TurnEvent } from "../../state/event.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";

/** Nodes that decide what a turn answers: without a model's answer they can only apologize. */
const DECIDING: ReadonlySet<string> = new Set(["think", "starter", "explorer", "executor"]);

/**
 * Counts the messages that were left without an answer: their turn failed, was given up, or got no
 * answer from the model.
 *
 * Contract: counts by run, so a message whose turn fails and is answered later does not count. A
 * turn that the person stopped does not count either.
 */
export class UnansweredCount {
  readonly #runs = new Set<string>();
  /** The nodes that got a model's answer, by run. */
  readonly #answered = new Map<string, Set<string>>();

  receive(event: TurnEvent): void {
    const { run } = event;
    if (event.type === "usage") {
      this.#answered.set(run, (this.#answered.get(run) ?? new Set()).add(event.node));
    } else if (event.type === "error") {
      if (event.code !== "stopped") this.#runs.add(run);
    } else if (event.type === "turn-end") {
      if (isUnanswered(event.summary, this.#answered.get(run))) this.#runs.add(run);
      else this.#runs.delete(run);
      this.#answered.delete(run);
    }
  }

  count(): number {
    return this.#runs.size;
  }
}

function isUnanswered(
  { notices }: TurnExecutionSummary,
  answered: ReadonlySet<string> = new Set(),
): boolean {
  return notices.some(
    ({ node, code }) =>
      code === "given-up" ||
      (code.startsWith("model_") && DECIDING.has(node) && !answered.has(node)),
  );
}
