import { z } from "zod";
import { NO_BUDGET, type Budget, type BudgetAmount } from "../../state/budget.ts";
import { commaList } from "./schemas.ts";

const SPANS = ["turn", "thread"] as const satisfies readonly (keyof Budget)[];
const FORM = "write amounts as in turn=60000t, thread=$1 (t: tokens)";

/** Reads a budget, `span=amount` separated by commas. (models.md §1, "Money and budgets") */
export const budget = commaList.transform((pairs, context): Budget => {
  const given = new Map<keyof Budget, BudgetAmount>();
  for (const pair of pairs) {
    const [name = "", written = ""] = pair.split("=", 2).map((part) => part.trim());
    const span = SPANS.find((known) => known === name);
    const amount = readAmount(written);
    if (span === undefined) context.addIssue(`names no budget with "${name}"; ${FORM}`);
    else if (given.has(span)) context.addIssue(`names "${name}" twice; ${FORM}`);
    else if (amount === null) {
      context.addIssue(`must give "${name}" an amount, not "${written}"; ${FORM}`);
    } else {
      given.set(span, amount);
      continue;
    }
    return z.NEVER;
  }
  return { ...NO_BUDGET, ...Object.fromEntries(given) };
});

/** Reads `60000t` or `$1.50`; null for anything else, zero included. */
function readAmount(amount: string): BudgetAmount | null {
  const tokens = /^([1-9]\d{0,8})t$/.exec(amount)?.[1];
  if (tokens !== undefined) return { tokens: Number(tokens) };
  const [, whole, decimals = ""] = /^\$(\d{1,6})(?:\.(\d{1,6}))?$/.exec(amount) ?? [];
  if (whole === undefined) return null;
  const micros = Number(whole) * 1_000_000 + Number(decimals.padEnd(6, "0"));
  return micros === 0 ? null : { micros };
}
