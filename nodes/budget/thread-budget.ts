import {
  BUDGET_WARNING,
  formatAmount,
  formatSpent,
  measureUse,
  multiplyAmount,
  sumCalls,
  type Spent,
} from "../../state/budget.ts";
import type { CallRecord } from "../../state/call-record.ts";
import type { BudgetQuestion } from "../../state/pending.ts";
import type { TurnContext, TurnState, TurnUpdate } from "../../state/turn.ts";
import { readYesNo } from "../../text/read-yes-no.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

type BudgetServices = Pick<NodeServices, "archive" | "budget">;

/** The message and the run of the turn that begins. */
interface BegunTurn {
  readonly input: NonNullable<TurnState["input"]>;
  readonly run: TurnContext;
  /** The turn's number. */
  readonly turn: number;
}

/**
 * Checks a thread's budget before the first call of a turn. A thread that has used it up gets a
 * question in place of an answer, which keeps the message, and those that come while it waits; a plain
 * "yes" raises the budget beyond what is used and goes on with what was kept.
 *
 * Returns the changes of the state: none where nothing is in the way. (models.md §1, "Money and budgets")
 */
export async function checkThreadBudget(
  state: Pick<TurnState, "pending" | "threadBudget">,
  { input, run, turn }: BegunTurn,
  { archive, budget }: BudgetServices,
): Promise<TurnUpdate> {
  const asked = state.pending?.kind === "budget" ? state.pending : null;
  const waiting = state.pending?.kind === "budget" ? state.pending.waiting : state.pending;
  const amount = budget.thread;
  if (amount === null && asked === null) return {};
  const { decision, ...words } = input;
  // A decision is about another question: this one is put again.
  const isOther = asked === null || decision !== undefined;
  const answer = isOther ? null : readYesNo(input.text);
  const message =
    asked === null || answer === "no" ? input.text : keepMessage(asked.message, input);
  const goOn: TurnUpdate =
    asked === null ? {} : { input: { ...words, text: message }, pending: waiting };
  if (amount === null) return goOn;
  const spent = await archive.loadThreadSpending(run);
  const { raises } = state.threadBudget;
  const isUsedUp = (times: number): boolean =>
    measureUse(spent, multiplyAmount(amount, times + 1)) >= 1;
  if (!isUsedUp(raises)) return goOn;
  const more = formatAmount(amount);
  if (asked !== null && answer === "no") {
    const text = renderSentence("threadBudgetDeclined", { more });
    return { pending: { ...asked, text, turn } };
  }
  // A turn may have used more than one raise: a yes goes on with what was kept all the same.
  const needed = Math.floor(measureUse(spent, amount));
  const granted = answer === "yes" ? Math.max(raises + 1, needed) : raises;
  const raised: TurnUpdate =
    granted === raises ? {} : { threadBudget: { raises: granted, warned: false } };
  if (!isUsedUp(granted)) return { ...goOn, ...raised };
  const allowed = multiplyAmount(amount, granted + 1);
  const text = renderSentence("threadBudgetUsed", {
    used: formatSpent(spent, amount),
    allowed: formatAmount(allowed),
    more,
  });
  return { ...raised, pending: { kind: "budget", text, message, waiting, turn } };
}

/** The message that waits, with one that is no answer to the question about the budget below it. */
function keepMessage(kept: string, { text, decision }: BegunTurn["input"]): string {
  const isAnswer = readYesNo(text) === "yes" || decision !== undefined;
  return isAnswer || text === kept ? kept : `${kept}\n${text}`;
}

/** Returns the question about the thread's budget that this turn puts; null where it puts none. */
export function findBudgetQuestion({
  pending,
  turn,
}: Pick<TurnState, "pending" | "turn">): BudgetQuestion | null {
  return pending?.kind === "budget" && pending.turn === turn ? pending : null;
}

/** A line for the person, and the change that keeps it from being said again. */
export interface BudgetLine {
  readonly text: string;
  readonly update: Pick<TurnState, "threadBudget">;
}

/** Returns the line that most of the thread's budget is used, once; null at any other time. */
export async function warnOfThreadBudget(
  state: TurnState,
  calls: readonly CallRecord[],
  { archive, budget }: BudgetServices,
): Promise<BudgetLine | null> {
  const { raises, warned } = state.threadBudget;
  if (budget.thread === null || warned || findBudgetQuestion(state) !== null) return null;
  const allowed = multiplyAmount(budget.thread, raises + 1);
  const before = await archive.loadThreadSpending(requireRun(state));
  const spent = addSpent(before, sumCalls(calls));
  if (measureUse(spent, allowed) < BUDGET_WARNING) return null;
  const text = renderSentence("threadBudgetNearlyUsed", {
    used: formatSpent(spent, allowed),
    allowed: formatAmount(allowed),
  });
  return { text, update: { threadBudget: { raises, warned: true } } };
}

function addSpent(a: Spent, b: Spent): Spent {
  return { tokens: a.tokens + b.tokens, micros: a.micros + b.micros };
}
