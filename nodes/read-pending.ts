import { Temporal } from "temporal-polyfill";
import type { Confirmation, Pending } from "../state/pending.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { EMPTY_ADVICE, type UnderstandAnswer } from "../state/understanding.ts";
import { readPersonsAnswer } from "../text/read-yes-no.ts";
import { renderSentence } from "../text/sentences.ts";
import type { NodeServices } from "./node.ts";
import { CONFIRMATION_DROPPED } from "./reply/collect-receipts.ts";

/** Understand's answer, as far as the person's own words leave it. */
export interface OwnAnswer {
  readonly answer: UnderstandAnswer;
  /** True where the message is a plain yes or no to what was asked last: no model need have read it. */
  readonly isPlain: boolean;
  /** True where it may be no yes to what waits for one: the question is put again. */
  readonly isPutAgain: boolean;
}

/**
 * Reads a message's own words as the answer to what is pending: a plain yes or no to what was asked last
 * counts whatever a model read, and a yes that a model read counts only in words that can be one. Pure.
 */
export function readOwnAnswer(
  given: UnderstandAnswer,
  state: Pick<TurnState, "pending" | "turn" | "input" | "conciergeThread">,
): OwnAnswer {
  const { pending, input } = state;
  const isAccepted = given.answersPending === "accept";
  const own = pending === null ? null : readPersonsAnswer(input?.text ?? "");
  if (own === "yes" || own === "no") {
    const isPlain = isAccepted || isAskedLast(state);
    const answersPending = own === "yes" ? "accept" : "reject";
    const answer = { ...given, ...ANSWER_ALONE, answersPending } as const;
    return { answer: isPlain ? answer : given, isPlain, isPutAgain: false };
  }
  if (own === null || !isAccepted) return { answer: given, isPlain: false, isPutAgain: false };
  const isPutAgain = pending?.kind === "confirmation" || pending?.kind === "proposal";
  const needs = isPutAgain ? ("talk" as const) : given.needs;
  const answer = { ...given, ...ANSWER_ALONE, needs, answersPending: "other" as const };
  return { answer, isPlain: false, isPutAgain };
}

/** A message that answers the task lane's question is that lane's, and is not asked about. */
const ANSWER_ALONE = {
  ...EMPTY_ADVICE,
  lane: "task",
  clarification: null,
  undo: null,
  meta: "none",
} as const;

/** Returns true where nothing has been asked since the question that is pending. */
function isAskedLast({
  pending,
  turn,
  conciergeThread,
}: Pick<TurnState, "pending" | "turn" | "conciergeThread">): boolean {
  // Of a message with two parts the concierge's is answered last.
  return pending?.turn === turn - 1 && conciergeThread.throughTurn !== turn - 1;
}

interface EndedConfirmation {
  readonly id: string;
  readonly answer: "accepted" | "adjusted" | "rejected" | "expired";
}

/** The question that a message may answer, and what becomes of it. */
export interface ReadPending {
  /** Question that waits for this message; null where none does, or no longer. */
  readonly pending: Pending | null;
  /** The question that waits for the next message; null for none. */
  readonly waiting: Pending | null;
  /** The confirmation that ends with this message. */
  readonly ended: EndedConfirmation | null;
  /** True for a "yes" that was received before the question was put: the question is put again. */
  readonly isEarly: boolean;
  /** The person is told of a question that no longer waits: Reply adds this. */
  readonly notices: readonly Notice[];
}

/** Reads what the message may answer: a confirmation expires after a time, or when a second message speaks of something else. */
export function readPending(
  { pending, turn, input }: TurnState,
  { answer: { answersPending }, isPutAgain }: OwnAnswer,
  { now, limits }: Pick<NodeServices, "now" | "limits">,
): ReadPending {
  const answered = { pending, waiting: null, ended: null, isEarly: false, notices: [] };
  if (pending === null) return answered;
  const id = pending.kind === "confirmation" ? pending.id : null;
  const end = (answer: EndedConfirmation["answer"]) => (id === null ? null : { id, answer });
  const dropped = { ...answered, ended: end("expired"), notices: noticeDropped(pending) };
  const expires = pending.kind === "confirmation" ? readInstant(pending.expiresAt) : Infinity;
  if (now() >= expires) return { ...dropped, pending: null };
  if (isPutAgain) return { ...answered, waiting: { ...pending, turn } };
  switch (answersPending) {
    case "accept": {
      const asked = expires - limits.confirmationHours * MS_PER_HOUR;
      return id !== null && input?.receivedAt !== undefined && readInstant(input.receivedAt) < asked
        ? { ...answered, ended: end("expired"), isEarly: true }
        : { ...answered, ended: end("accepted") };
    }
    case "adjust":
      return { ...answered, ended: end("adjusted") };
    case "reject":
      return { ...answered, ended: end("rejected") };
    case "other":
    case null:
      if (pending.kind !== "confirmation") return answered;
      return turn > pending.turn + 1 ? dropped : { ...answered, waiting: pending };
    default:
      return answersPending satisfies never;
  }
}

const MS_PER_HOUR = 3_600_000;

function readInstant(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

function noticeDropped({ text: wording }: Pending): Notice[] {
  const text = renderSentence("confirmationDropped", { wording });
  return [{ node: "understand", code: CONFIRMATION_DROPPED, text }];
}

/** The confirmation with calls whose "yes" covers no changes: they are run, and asked about again. */
export function withoutScope(confirmation: Confirmation): Confirmation {
  const calls = confirmation.calls.map((call) => ({ ...call, changesHash: "" }));
  return { ...confirmation, calls };
}
