import type { Domain } from "../state/domain.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { Pending } from "../state/pending.ts";
import type { TurnState } from "../state/turn.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { collectRecordRefs } from "./steps/refs-of-record.ts";

/** Collects every ref that Understand's prompt shows, each once. */
export function collectRefsForUnderstand(state: TurnState, view: ConversationView): string[] {
  const refs = [
    ...view.table.shown,
    ...view.excluded.map(({ ref }) => ref),
    ...view.listed.map(({ ref }) => ref),
    ...listPendingRefs(state.pending),
    ...state.turnExecutionSummaries.flatMap(collectRecordRefs),
  ];
  return [...new Set(refs)];
}

function listPendingRefs(pending: Pending | null): string[] {
  if (pending?.kind === "question") return pending.options.map(({ ref }) => ref);
  if (pending?.kind !== "confirmation") return [];
  return pending.calls.flatMap(({ changes }) => changes.flatMap(({ ref }) => ref ?? []));
}

/** Returns the problem of a quick lookup in a part of the data that the domain does not have. */
export function checkQuick(
  { quick }: Pick<UnderstandAnswer, "quick">,
  { subdomains }: Pick<Domain, "subdomains">,
): string[] {
  const names = subdomains.map(({ name }) => name);
  if (quick === null || names.includes(quick.subdomain)) return [];
  return [`quick.subdomain "${quick.subdomain}" does not exist; there are: ${names.join(", ")}`];
}
