import { listShownRefs } from "../registry/working-set.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { Pending } from "../state/pending.ts";
import type { TurnState } from "../state/turn.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { withoutLookUp } from "./fit-answer.ts";
import { collectRecordRefs } from "./steps/refs-of-record.ts";
import { nameWishChange } from "./undo-wishes.ts";

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

/** Returns the answer as far as it can be used without the refs that were not shown: a read without its rows would read all. */
export function salvageAnswer(answer: UnderstandAnswer, given: UnderstandAnswer): UnderstandAnswer {
  const isWhole = answer.look?.refs.length === given.look?.refs.length;
  return isWhole ? answer : withoutLookUp(answer);
}

/** Returns the problem of an undo of changes that the summaries of turns do not name. */
export function checkUndo(
  { undo }: Pick<UnderstandAnswer, "undo">,
  summaries: TurnState["turnExecutionSummaries"],
): string[] {
  const shown = summaries.flatMap((summary) => [
    ...summary.effects.map(({ effectId }) => `e${effectId}`),
    ...(summary.wishes == null ? [] : [nameWishChange(summary)]),
  ]);
  const unknown = undo?.effects.filter((ref) => !shown.includes(ref)) ?? [];
  return unknown.map(
    (ref) =>
      `extras.rare.undo.effects: "${ref}" is no change that is shown; there are: ${[...new Set(shown)].join(", ")}`,
  );
}
