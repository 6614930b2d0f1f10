import { collectReceipts } from "../nodes/reply/collect-receipts.ts";
import { EMPTY_REGISTRY } from "../registry/entries.ts";
import type { Receipt } from "../state/receipt.ts";
import type { TurnState } from "../state/turn.ts";
import { hasChanged } from "../summaries/turn-outcome.ts";
import { renderSentence } from "../text/sentences.ts";

/**
 * Collects the receipts of a turn that ends before its reply: what it has stored, what services have
 * answered or may have done, and what is not done. Pure.
 */
export function collectClosingReceipts(values: Partial<TurnState>): Receipt[] {
  return collectReceipts(
    {
      plan: null,
      understanding: null,
      confirmed: null,
      stepResults: [],
      effects: [],
      notices: [],
      wishChanges: [],
      pendingCalls: [],
      ...values,
      // The words that were on their way are not shown.
      passedOnReply: null,
    },
    { registry: values.registry ?? EMPTY_REGISTRY, workingSet: null, domain: { entityTypes: [] } },
  );
}

/** Returns the words for a turn that is given up: `text`, which asks for the message again, or that its changes stand. Pure. */
export function wordGivenUp(text: string, values: Partial<TurnState>): string {
  return hasChanged(values) ? renderSentence("changesStand") : text;
}
