import { BUDGET_WARNING, measureUse, sumCalls, type Spent } from "../../state/budget.ts";
import type { CallRecord } from "../../state/call-record.ts";
import type { NodeIO, NodeServices } from "../node.ts";

/** The code of what was not done because the turn's budget is used up. */
export const TURN_BUDGET = "turn-budget";

/**
 * Counts what a turn uses, the calls of nodes that run side by side included. One for each attempt at a
 * turn; its nodes bring along what earlier attempts have used.
 */
export class TurnMeter {
  #spent: Spent = { tokens: 0, micros: 0 };
  readonly #full = new AbortController();

  get spent(): Spent {
    return this.#spent;
  }

  /** Aborts once the budget is used up, so that running calls end. */
  get full(): AbortSignal {
    return this.#full.signal;
  }

  /** Counts the calls that the state has; those of this attempt are counted already. */
  begin(calls: readonly CallRecord[]): void {
    const known = sumCalls(calls);
    this.#spent = {
      tokens: Math.max(this.#spent.tokens, known.tokens),
      micros: Math.max(this.#spent.micros, known.micros),
    };
  }

  /** Counts one more call, and ends the running ones where it was one too many. */
  add(call: CallRecord, services: Bounds): void {
    const { tokens, micros } = sumCalls([call]);
    this.#spent = { tokens: this.#spent.tokens + tokens, micros: this.#spent.micros + micros };
    if (measureTurn(this.#spent, services) >= 1) this.#full.abort();
  }
}

type Bounds = Pick<NodeServices, "limits" | "budget">;

/** Returns the used part of a turn's budget: 1 where all of it is used. (models.md §1, "Money and budgets") */
export function measureTurn(spent: Spent, { limits, budget }: Bounds): number {
  return Math.max(
    measureUse(spent, { tokens: limits.tokensPerTurn }),
    measureUse(spent, budget.turn),
  );
}

/** Returns true where so much of the turn's budget is used that nothing optional is begun. */
export function isTurnNearlySpent(
  calls: readonly CallRecord[],
  services: Bounds,
  { meter }: Pick<NodeIO, "meter">,
): boolean {
  const use = Math.max(
    measureTurn(sumCalls(calls), services),
    meter === undefined ? 0 : measureTurn(meter.spent, services),
  );
  return use >= BUDGET_WARNING;
}
