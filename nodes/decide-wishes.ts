import { compareWishes, mergeConstraints } from "../registry/constraints.ts";
import { fitWishes, type WishDoubt } from "../registry/fit-wishes.ts";
import type { Constraint, WishDifference } from "../state/constraint.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer, Understanding } from "../state/understanding.ts";
import { renderSentence } from "../text/sentences.ts";
import type { NodeServices } from "./node.ts";
import { WISH_UNCLEAR } from "./reply/collect-receipts.ts";
import { requireRun } from "./require-run.ts";
import type { WantedUndo } from "./steps/undo-call.ts";
import { fitUndo } from "./undo-wishes.ts";

/** The wishes that hold after a message, and what is said of them. */
export interface DecidedWishes {
  readonly constraints: readonly Constraint[];
  readonly notices: readonly string[];
  /** Notices of what could not be read of a wish, and of an undo that the words do not ask for: Reply adds them. */
  readonly doubts: readonly Notice[];
  /** The stored changes that an undo takes back; null for none. */
  readonly rowsToUndo: WantedUndo | null;
  readonly summaries: TurnState["turnExecutionSummaries"];
  readonly changed: Pick<Understanding, "wishes" | "undoneWishes">;
}

/** Facts beside the answer that decide about its wishes. */
interface WishDecision {
  readonly isUndo: boolean;
  /** True where the message answers what was asked. */
  readonly isAnswer: boolean;
  readonly services: Pick<NodeServices, "limits">;
}

/** Decides which wishes hold after the message: those that it says, and those that it takes back. */
export function decideWishes(
  state: TurnState,
  answer: Pick<UnderstandAnswer, "constraints" | "undo">,
  { isUndo, isAnswer, services }: WishDecision,
): DecidedWishes {
  const { constraints, turnExecutionSummaries, turn, input } = state;
  const { today } = requireRun(state);
  const message = isUndo || isAnswer ? null : (input?.text ?? "");
  const { updates, doubts } = fitWishes(answer.constraints, { constraints, today, message });
  const merged = mergeConstraints(constraints, updates, { turn, today, limits: services.limits });
  const undo =
    isUndo && answer.undo !== null
      ? fitUndo(answer.undo, {
          message: input?.text ?? "",
          summaries: turnExecutionSummaries,
          constraints: merged.constraints,
          known: state.registry.entries.map(({ label }) => label),
        })
      : {
          rows: null,
          wishes: null,
          constraints: merged.constraints,
          summaries: turnExecutionSummaries,
        };
  const isNotUndone = isUndo && undo.rows === null && undo.wishes === null;
  const words = [
    ...doubts.map(wordDoubt),
    ...(isNotUndone ? [renderSentence("wishUndoNotAsked")] : []),
  ];
  // An undo goes further back each time: it is not itself taken back.
  const wishes = isUndo ? null : compareWishes(constraints, undo.constraints);
  return {
    constraints: undo.constraints,
    notices: merged.notices,
    doubts: words.map((text) => ({ node: "understand", code: WISH_UNCLEAR, text })),
    rowsToUndo: undo.rows,
    summaries: undo.summaries,
    changed: {
      ...(wishes === null ? {} : { wishes: toMutable(wishes) }),
      ...(undo.wishes === null ? {} : { undoneWishes: toMutable(undo.wishes) }),
    },
  };
}

function toMutable({ before, after }: WishDifference) {
  return { before: [...before], after: [...after] };
}

function wordDoubt(doubt: WishDoubt): string {
  const { kind, wish } = doubt;
  switch (kind) {
    case "unknown":
      return renderSentence("wishUnknown", { wish });
    case "kept":
      return renderSentence("wishKept", { wish });
    case "end":
      return renderSentence("wishEndUnclear", { wish, until: doubt.until });
    default:
      return kind satisfies never;
  }
}
