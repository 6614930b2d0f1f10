import { createTextCleaner } from "../output-filter/output-gate.ts";
import { conciergeQuestion } from "../prompts/concierge-question.ts";
import { sharesWord } from "../registry/shared-words.ts";
import { toReadCall } from "../state/row-call.ts";
import { NO_CURATION, type Registry } from "../state/registry.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { fitJourneyAction } from "../summaries/choose-journey-move.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { holdsWords } from "../text/holds-words.ts";
import {
  beginsAsQuestion,
  isCourtesy,
  onlyAcknowledges,
  readPersonsAnswer,
} from "../text/read-yes-no.ts";
import type { LookUp } from "./choose-route.ts";
import type { NodeServices } from "./node.ts";
import { readLastReply } from "./read-last-reply.ts";
import { readOwnAnswer, type OwnAnswer } from "./read-pending.ts";
import { collectTurnNames } from "./reply/output-names.ts";
import { describeCalls, findPart } from "./steps/place-calls.ts";
import { toTypedCall } from "./steps/to-typed-call.ts";
import { fitUndoToLast, takeBackDrop } from "./undo-wishes.ts";

/** Understand's answer as far as the message's own words and the domain leave it. */
export interface FittedAnswer extends OwnAnswer {
  /** The look-up that code can run; null where there is none. */
  readonly lookUp: LookUp | null;
  readonly notices: readonly Notice[];
}

interface FitContext {
  readonly registry: Registry;
  readonly services: Pick<NodeServices, "lanes" | "domain" | "toolbox">;
}

/**
 * Fits an answer to what it can mean, stage by stage: wishes are cleaned of the program's own words; what the
 * message does not say goes; its own yes or no stands before what a model read; and what it does to journeys,
 * its undo and its look-up become what can be done. Pure.
 */
export function fitAnswer(
  given: UnderstandAnswer,
  state: TurnState,
  { registry, services }: FitContext,
): FittedAnswer {
  const { domain, lanes } = services;
  const clean = createTextCleaner(collectTurnNames(state, { registry, domain }));
  const spoken = keepSpoken(cleanWishes(given, clean), state);
  const { answer, kind } = readOwnAnswer(spoken, state, services);
  const moved = { ...answer, journey: fitJourney(answer, state) };
  const undone = lanes.concierge ? fitUndoToLast(takeBackDrop(moved, state), state) : moved;
  return { ...fitLookUp(undone, services), kind };
}

/**
 * The answer with wishes as the person may read them, in any conversation: a ref means something in its
 * own alone.
 */
function cleanWishes(answer: UnderstandAnswer, clean: (text: string) => string): UnderstandAnswer {
  const constraints = answer.constraints.map(({ text, replaces, ...wish }) => ({
    ...wish,
    text: clean(text),
    replaces: replaces === null ? null : clean(replaces),
  }));
  return { ...answer, constraints };
}

/**
 * The answer without words that it says the person wrote, and the message does not hold: they ask for
 * nothing. Courtesy leaves nothing out and says no wish either, except behind a question, and a mere
 * question ("what day is it?") says none that it has no word of.
 */
function keepSpoken(answer: UnderstandAnswer, state: TurnState): UnderstandAnswer {
  const message = state.input?.text ?? "";
  const keep = (words: string | null): string | null =>
    words !== null && holdsWords(message, words) ? words : null;
  const isPolite =
    (isCourtesy(message) || onlyAcknowledges(message)) && !endsAsQuestion(readLastReply(state));
  const isQuestion = readPersonsAnswer(message) === "asks" && beginsAsQuestion(message);
  const isSpoken = ({ text, replaces }: UnderstandAnswer["constraints"][number]): boolean =>
    !isQuestion || sharesWord(`${text} ${replaces ?? ""}`, message);
  return {
    ...answer,
    ...(isPolite ? { curation: NO_CURATION } : {}),
    constraints: isPolite ? [] : answer.constraints.filter(isSpoken),
    conciergePart: keep(answer.conciergePart),
    rework: keep(answer.rework),
    asksForPlan: keep(answer.asksForPlan),
    commits: keep(answer.commits),
  };
}

function fitJourney(
  { journey: action, journeyTo: name }: UnderstandAnswer,
  { journeys, input, conciergeThread }: TurnState,
): UnderstandAnswer["journey"] {
  const question = conciergeQuestion(conciergeThread);
  return fitJourneyAction({ action, name, message: input?.text ?? "", question }, journeys);
}

/**
 * Returns the answer with its look-up, run in the part of the domain that holds its type. One that is
 * unfit is left to Think, with a notice.
 */
function fitLookUp(
  answer: UnderstandAnswer,
  { domain, toolbox }: FitContext["services"],
): Omit<FittedAnswer, "kind"> {
  const { needs, look } = answer;
  if (needs !== "look" || look === null) return { answer, lookUp: null, notices: [] };
  const { type } = look;
  const subdomain = findPart(type, "read", domain.subdomains)?.name ?? "";
  const place = { stepType: "read" as const, subdomain };
  const call = toReadCall(look);
  const typed = toTypedCall(call, { place, domain, toolbox });
  if (typed.kind === "unfit") {
    const notice = { node: "understand", code: "call-unfit", text: typed.problem };
    return { answer: withoutLookUp(answer), lookUp: null, notices: [notice] };
  }
  const words = domain.entityTypes.find((each) => each.type === type)?.words.many ?? type;
  const lookUp = { call, subdomain, description: describeCalls([call], words) };
  return { answer, lookUp, notices: [] };
}

/** Leaves a look-up to Think. */
export function withoutLookUp(answer: UnderstandAnswer): UnderstandAnswer {
  return { ...answer, needs: "work", look: null };
}
