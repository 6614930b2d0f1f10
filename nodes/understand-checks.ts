import { listShownRefs } from "../registry/working-set.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { Pending } from "../state/pending.ts";
import { toReadCall } from "../state/row-call.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import type { LookUp } from "./choose-route.ts";
import type { NodeServices } from "./node.ts";
import { describeCalls, findPart } from "./steps/place-calls.ts";
import { collectRecordRefs } from "./steps/refs-of-record.ts";
import { toTypedCall } from "./steps/to-typed-call.ts";
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

interface FittedAnswer {
  readonly answer: UnderstandAnswer;
  /** The look-up that code can run; null where there is none. */
  readonly lookUp: LookUp | null;
  readonly notices: readonly Notice[];
}

/**
 * Returns the answer with its look-up, run in the part of the domain that holds its type. One that is
 * unfit is left to Think, with a notice.
 */
export function fitLookUp(
  given: UnderstandAnswer,
  { domain, toolbox }: Pick<NodeServices, "domain" | "toolbox">,
): FittedAnswer {
  const { needs, look } = given;
  if (needs !== "look" || look === null) return { answer: given, lookUp: null, notices: [] };
  const { type } = look;
  const subdomain = findPart(type, "read", domain.subdomains)?.name ?? "";
  const place = { stepType: "read" as const, subdomain };
  const call = toReadCall(look);
  const typed = toTypedCall(call, { place, domain, toolbox });
  if (typed.kind === "unfit") {
    const notice = { node: "understand", code: "call-unfit", text: typed.problem };
    return { answer: withoutLookUp(given), lookUp: null, notices: [notice] };
  }
  const words = domain.entityTypes.find((each) => each.type === type)?.words.many ?? type;
  const lookUp = { call, subdomain, description: describeCalls([call], words) };
  return { answer: given, lookUp, notices: [] };
}

function withoutLookUp(answer: UnderstandAnswer): UnderstandAnswer {
  return { ...answer, needs: "work", look: null };
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
