import type { Domain } from "../state/domain.ts";
import { listShownRefs } from "../registry/working-set.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { Pending } from "../state/pending.ts";
import type { TurnState } from "../state/turn.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { collectRecordRefs } from "./steps/refs-of-record.ts";

/** Collects every ref that Understand's prompt shows, each once. */
export function collectRefsForUnderstand(state: TurnState, view: ConversationView): string[] {
  const refs = [
    ...view.table.shown,
    ...listShownRefs(view.workingSet),
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

/** Returns the problem of an undo of changes that the summaries of turns do not name. */
export function checkUndo(
  { undo }: Pick<UnderstandAnswer, "undo">,
  summaries: TurnState["turnExecutionSummaries"],
): string[] {
  const shown = summaries.flatMap(({ effects }) => effects.map(({ effectId }) => `e${effectId}`));
  const unknown = undo?.effects.filter((ref) => !shown.includes(ref)) ?? [];
  return unknown.map(
    (ref) =>
      `undo.effects: "${ref}" is no change that is shown; there are: ${[...new Set(shown)].join(", ")}`,
  );
}
