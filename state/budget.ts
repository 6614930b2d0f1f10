import type { CallRecord } from "./call-record.ts";

/** An amount that may be used: tokens, or millionths of a dollar. */
export type BudgetAmount = { readonly tokens: number } | { readonly micros: number };

/** Amounts that a turn and a thread may use; null for no budget. */
export interface Budget {
  readonly turn: BudgetAmount | null;
  readonly thread: BudgetAmount | null;
}

/** Nothing but the limits bounds what may be used. */
export const NO_BUDGET: Budget = { turn: null, thread: null };

/** Used tokens, input and output together, and their cost in millionths of a dollar. */
export interface Spent {
  readonly tokens: number;
  readonly micros: number;
}

/** The part of a budget from which on nothing optional is begun, and a person is told. */
export const BUDGET_WARNING = 0.8;

/** Adds up calls. Those without a known price cost nothing. */
export function sumCalls(calls: readonly CallRecord[]): Spent {
  return calls.reduce<Spent>(
    ({ tokens, micros }, { usage, costMicros }) => ({
      tokens: tokens + usage.input + usage.output,
      micros: micros + (costMicros ?? 0),
    }),
    { tokens: 0, micros: 0 },
  );
}

/**
 * Returns the used part of an amount: 1 where all of it is used, 0 without an amount.
 *
 * @example
 * measureUse({ tokens: 45_000, micros: 0 }, { tokens: 60_000 }); // 0.75
 */
export function measureUse(spent: Spent, amount: BudgetAmount | null): number {
  if (amount === null) return 0;
  return "tokens" in amount ? spent.tokens / amount.tokens : spent.micros / amount.micros;
}

/** Returns an amount taken `times` times. */
export function multiplyAmount(amount: BudgetAmount, times: number): BudgetAmount {
  return "tokens" in amount ? { tokens: amount.tokens * times } : { micros: amount.micros * times };
}

/**
 * Writes the used part of a budget, or a whole one, in the unit of the budget.
 *
 * @example
 * formatSpent({ tokens: 1_200, micros: 1_034_000 }, { micros: 1_000_000 }); // "$1.03"
 * formatSpent({ tokens: 61_200, micros: 0 }, { tokens: 60_000 }); // "61,200 tokens"
 */
export function formatSpent(spent: Spent, unit: BudgetAmount): string {
  return "tokens" in unit
    ? `${spent.tokens.toLocaleString("en-US")} tokens`
    : formatMoney(spent.micros);
}

/** Writes an amount: `$1.00`, or `60,000 tokens`. */
export function formatAmount(amount: BudgetAmount): string {
  const spent = { tokens: 0, micros: 0, ...amount };
  return formatSpent(spent, amount);
}

/**
 * Writes money with two decimals; with four under a cent, so that what was paid for is never $0.00.
 *
 * @example
 * formatMoney(1_034_000); // "$1.03"
 * formatMoney(420); // "$0.0004"
 */
export function formatMoney(micros: number): string {
  const decimals = micros > 0 && micros < 10_000 ? 4 : 2;
  const least = 1_000_000 / 10 ** decimals;
  if (micros > 0 && micros < least) return `< $${(least / 1_000_000).toFixed(decimals)}`;
  return `$${(micros / 1_000_000).toFixed(decimals)}`;
}
