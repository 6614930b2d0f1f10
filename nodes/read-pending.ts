import { Temporal } from "temporal-polyfill";
import { listNouns } from "../state/entity.ts";
import { isJsonObject, type Json } from "../state/json.ts";
import type { Confirmation, ConfirmationDecision, Pending } from "../state/pending.ts";
import type { Registry } from "../state/registry.ts";
import type { Effect } from "../state/step.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { EMPTY_ADVICE, type UnderstandAnswer } from "../state/understanding.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { oneLine } from "../text/fence.ts";
import { onlyAcknowledges, readPersonsAnswer } from "../text/read-yes-no.ts";
import { renderSentence } from "../text/sentences.ts";
import { splitSentences } from "../text/split-sentences.ts";
import type { NodeServices } from "./node.ts";
import { readAgreement } from "./read-agreement.ts";
import { readLastReply } from "./read-last-reply.ts";
import { CONFIRMATION_DROPPED, UNCALLED_YES } from "./reply/collect-receipts.ts";

/** Understand's answer, as far as the person's own words leave it. */
export interface OwnAnswer {
  readonly answer: UnderstandAnswer;
  /**
   * `plain`: a yes or no to what was asked last, which no model need have read. `unclear`: it may be no yes
   * to what waits for one, or is more, and the question is put again. `uncalled`: a yes for which nothing waits.
   */
  readonly kind: "as-read" | "plain" | "unclear" | "uncalled";
}

type AskedState = Pick<
  TurnState,
  "pending" | "turn" | "input" | "conciergeThread" | "messages" | "turnExecutionSummaries"
>;

/**
 * Reads a message's own words as the answer to what is pending: a plain yes or no to what was asked last
 * counts whatever a model read, and a yes that a model read counts only in words that can be one. Pure.
 */
export function readOwnAnswer(
  given: UnderstandAnswer,
  state: AskedState,
  { lanes: { task }, domain }: Pick<NodeServices, "lanes" | "domain">,
): OwnAnswer {
  const { pending, turn } = state;
  const asRead = { answer: given, kind: "as-read" } as const;
  const message = state.input?.text ?? "";
  const talk = { ...given, ...ANSWER_ALONE, needs: "talk", answersPending: "other" } as const;
  const decision = state.input?.decision;
  if (decision !== undefined) return readDecision(decision, pending, talk);
  const own = readPersonsAnswer(message);
  const isAccepted = given.answersPending === "accept";
  if (pending === null) {
    const isYes = own === "yes" && (isAccepted || !onlyAcknowledges(message));
    const isUncalled = isYes && task && given.lane === "task" && !hasAskedOtherwise(state);
    return isUncalled ? { answer: talk, kind: "uncalled" } : asRead;
  }
  // A yes carries out what was asked last: with another message between, it may be meant for that.
  if (isAccepted && waitsForYes(pending) && pending.turn < turn - 1)
    return { answer: talk, kind: "unclear" };
  const isFresh = pending.turn === turn - 1 && !hasConciergeSpoken(state);
  if ((own === "yes" || own === "no") && (isAccepted || isFresh)) {
    const answersPending = own === "yes" ? ("accept" as const) : ("reject" as const);
    return { answer: { ...given, ...ANSWER_ALONE, answersPending }, kind: "plain" };
  }
  const nouns = domain.entityTypes.flatMap(listNouns);
  const agreement =
    isAccepted && own !== "yes" && waitsForYes(pending)
      ? readAgreement(message, { text: pending.text, nouns })
      : null;
  const order = { ...talk, needs: "change" } as const;
  if (agreement === "adjusts")
    return { answer: { ...order, answersPending: "adjust" }, kind: "as-read" };
  if (agreement === "more") return { answer: order, kind: "unclear" };
  const isUnclear =
    own === "yes"
      ? waitsForYes(pending) && !hasAskedOtherwise(state)
      : agreement === "unclear" || (agreement === null && isAccepted && own !== null);
  if (!isUnclear) return asRead;
  return waitsForYes(pending)
    ? { answer: talk, kind: "unclear" }
    : { answer: { ...talk, needs: given.needs }, kind: "as-read" };
}

/** Reads a decision: it counts for the confirmation that it names, and for any other what waits is put again. */
function readDecision(
  { confirmation, type }: ConfirmationDecision,
  pending: Pending | null,
  talk: UnderstandAnswer,
): OwnAnswer {
  if (pending === null) return { answer: talk, kind: "uncalled" };
  if (pending.kind !== "confirmation" || pending.id !== confirmation)
    return { answer: talk, kind: "unclear" };
  const answersPending = type === "approve" ? "accept" : "reject";
  return { answer: { ...talk, answersPending }, kind: "plain" };
}

/** A message that answers the task lane's question is that lane's, and is not asked about. */
const ANSWER_ALONE = {
  ...EMPTY_ADVICE,
  lane: "task",
  clarification: null,
  undo: null,
  meta: "none",
} as const;

/** Returns true where the concierge has answered last: of a message with two parts, its own after the task's. */
function hasConciergeSpoken({ conciergeThread, turn }: AskedState): boolean {
  return turn > 1 && conciergeThread.throughTurn === turn - 1;
}

/** Returns true where the last reply may have asked something that nothing pending tells of. */
function hasAskedOtherwise(state: AskedState): boolean {
  const { notices = [] } = state.turnExecutionSummaries.at(-1) ?? {};
  // A question that was dropped there is no new one.
  const dropped = notices.filter(({ code }) => code === CONFIRMATION_DROPPED);
  const rest = dropped.reduce(
    (left, { text }) => left.replace(oneLine(text), ""),
    readLastReply(state),
  );
  return hasConciergeSpoken(state) || splitSentences(rest).some(endsAsQuestion);
}

/** Returns true for a question that a "yes" carries out, without Think. */
function waitsForYes({ kind }: Pending): boolean {
  return kind === "confirmation" || kind === "proposal";
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

/** Reads what the message may answer: a question is dropped when a second message speaks of something else, a confirmation after a time as well. */
export function readPending(
  { pending, turn, input }: TurnState,
  { answer: { answersPending }, kind }: OwnAnswer,
  { now, limits }: Pick<NodeServices, "now" | "limits">,
): ReadPending {
  const answered = {
    pending,
    waiting: proposeRest(pending, turn),
    ended: null,
    isEarly: false,
    notices: [],
  };
  if (pending === null)
    return kind === "uncalled" ? { ...answered, notices: [noticeUncalled()] } : answered;
  const id = pending.kind === "confirmation" ? pending.id : null;
  const end = (answer: EndedConfirmation["answer"]) => (id === null ? null : { id, answer });
  const dropped = {
    ...answered,
    waiting: null,
    ended: end("expired"),
    notices: noticeDropped(pending),
  };
  const expires = pending.kind === "confirmation" ? readInstant(pending.expiresAt) : Infinity;
  if (now() >= expires) return { ...dropped, pending: null };
  if (kind === "unclear") return { ...answered, waiting: { ...pending, turn } };
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
      if (!waitsForYes(pending) && answersPending === "other") return answered;
      return turn > pending.turn + 1 ? dropped : { ...answered, waiting: pending };
    default:
      return answersPending satisfies never;
  }
}

/** Proposes the steps that stood behind a question, now that it is answered; null for none. */
function proposeRest(pending: Pending | null, turn: number): Pending | null {
  if (pending?.kind !== "confirmation" || pending.rest === null) return null;
  return { kind: "proposal", ...pending.rest, calls: [], turn };
}

const MS_PER_HOUR = 3_600_000;

function readInstant(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

/** Tells the person of the question that one of this turn takes the place of, unless that brings it along. */
export function noticeReplaced(
  { pending }: Pick<TurnState, "pending">,
  asked: Pending | null,
): Notice[] {
  if (asked === null || pending === null) return [];
  const brought = asked.kind === "confirmation" ? asked.rest?.text : undefined;
  return [asked.text, brought].includes(pending.text) ? [] : noticeDropped(pending);
}

/**
 * Returns true for a confirmation of which each changed row has been changed since, as the person asked for
 * instead of an answer: it is answered by that. Pure.
 */
export function isOvertaken(
  pending: Pending | null,
  effects: readonly Pick<Effect, "ref">[],
): pending is Confirmation {
  if (pending?.kind !== "confirmation" || pending.rest !== null) return false;
  const changed = new Set(effects.map(({ ref }) => ref));
  const listed = pending.calls.flatMap(({ changes }) => changes);
  return listed.length > 0 && listed.every(({ ref }) => ref !== null && changed.has(ref));
}

/** A question that a "yes" would not have carried out is answered in any words: nothing is lost with it. */
function noticeDropped(pending: Pending): Notice[] {
  const isMissed =
    waitsForYes(pending) || (pending.kind === "question" && pending.waives.length > 0);
  if (!isMissed) return [];
  const wording = oneLine(pending.text);
  const text = renderSentence("confirmationDropped", { wording });
  return [{ node: "understand", code: CONFIRMATION_DROPPED, text }];
}

function noticeUncalled(): Notice {
  return { node: "understand", code: UNCALLED_YES, text: renderSentence("nothingWaits") };
}

/**
 * The confirmation without rows that are gone by now: a call that names others too is run for these, and
 * asked about again. One that names nothing else stays as it is, to be refused with the reason.
 */
export function withoutGone(
  confirmation: Confirmation,
  { entries }: Pick<Registry, "entries">,
): Confirmation {
  const gone = new Set(entries.filter(({ action }) => action === "deleted").map(({ ref }) => ref));
  const isLeft = (value: Json): boolean => typeof value !== "string" || !gone.has(value);
  const fit = (value: Json): Json => {
    if (!Array.isArray(value)) return value;
    const left = value.filter(isLeft);
    return left.length === 0 ? value : left;
  };
  const calls = confirmation.calls.map((call) =>
    isJsonObject(call.args)
      ? {
          ...call,
          args: Object.fromEntries(
            Object.entries(call.args).map(([name, value]) => [name, fit(value)]),
          ),
        }
      : call,
  );
  return { ...confirmation, calls };
}

/** The confirmation with calls whose "yes" covers no changes: they are run, and asked about again. */
export function withoutScope(confirmation: Confirmation): Confirmation {
  const calls = confirmation.calls.map((call) => ({ ...call, changesHash: "" }));
  return { ...confirmation, calls };
}
