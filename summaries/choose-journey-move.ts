import { findActiveJourney, type JourneyAction, type JourneyLine } from "../state/journey.ts";
import { sharesWord } from "../registry/shared-words.ts";
import { titleKey } from "../state/plan-words.ts";
import { foldQuoted } from "../text/holds-words.ts";
import { asksForNoEnd, hasKnownWords, saysEnd } from "../text/plan-change-words.ts";
import {
  asksForNothing,
  asksSomething,
  foldAnswer,
  isCourtesy,
  readYesNo,
} from "../text/read-yes-no.ts";
import { segmentWords } from "../text/segment-words.ts";
import { splitSentences } from "../text/split-sentences.ts";
import { asksWhether, deniesSomething } from "./confirming-clauses.ts";
import { findNamedJourneys, selectShownJourneys, sortByTurn } from "./find-journey.ts";
import type { JourneyMove } from "./move-journey.ts";

/** A message's request about journeys. */
export interface JourneyRequest {
  readonly action: JourneyAction;
  /** An id that was shown, a title as the person says it, the new title of `rename`, or null. */
  readonly name: string | null;
  /** The person's message, as typed. */
  readonly message: string;
}

/** Why a request about journeys cannot be met; `name` is what the person called it. */
export type JourneyRefusal =
  | { readonly reason: "unknown"; readonly name: string; readonly known: readonly JourneyLine[] }
  | { readonly reason: "none-active" | "none-paused" }
  | {
      readonly reason: "paused-already" | "closed-already" | "no-title" | "not-kept";
      readonly journey: JourneyLine;
    };

/** The consequence of a request. */
export type JourneyChoice =
  /** The active journey goes on. */
  | { readonly kind: "continue" }
  | { readonly kind: "move"; readonly move: JourneyMove }
  | { readonly kind: "ask"; readonly journeys: readonly JourneyLine[] }
  | { readonly kind: "refuse"; readonly refusal: JourneyRefusal }
  | { readonly kind: "list" };

export interface KnownJourneys {
  /** The journeys that the state names. */
  readonly lines: readonly JourneyLine[];
  /** Every journey of the conversation. Default: `lines`. */
  readonly all?: readonly JourneyLine[];
}

/**
 * Chooses what a message does to journeys. Going back to the active one continues it. Without a name,
 * `resume` means the only paused one, `pause`, `close` and `rename` the active one. Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function chooseJourneyMove(
  request: JourneyRequest,
  { lines, all = lines }: KnownJourneys,
): JourneyChoice {
  const active = findActiveJourney(all);
  const known = { lines, all, active };
  const { action, message } = request;
  // A name without a word is none.
  const name =
    request.name === null || titleKey(foldQuoted(request.name)) === "" ? null : request.name;
  switch (action) {
    case "continue":
      return { kind: "continue" };
    case "list":
      return { kind: "list" };
    case "new":
      return { kind: "move", move: { kind: "open", question: message } };
    case "reopen":
      return active === null ? refuseNone("none-active") : { kind: "move", move: { kind: action } };
    case "resume":
      return name === null ? resumeLast(known) : resumeNamed(name, known);
    case "pause":
    case "close":
      return leaveNamed({ action, name, message }, known);
    case "rename":
      if (active === null) return refuseNone("none-active");
      return name === null
        ? refuseFor("no-title", active)
        : { kind: "move", move: { kind: "rename", journey: active, title: name } };
    default:
      return action satisfies never;
  }
}

interface AnsweringRequest extends JourneyRequest {
  /** The question that the message may answer. Default: none. */
  readonly question?: string;
}

/** Requests that a mere question does not make. One that asks for other ways reopens the journey. */
const LEAVING: ReadonlySet<JourneyAction> = new Set(["pause", "close", "rename"]);

/** Words by which somebody wants something else, or something at all: a remark ("I had a bad day") has none. */
const WANTS =
  /(?<!\S)(?:want|need|like to|help me|advice|question|topic|another|others?|different|differently|new|else|instead|rather|again|over|start|lets|should|could|can|plan|will|mochte|brauch\S*|hilf|rat|frage|ander\S*|neu\S*|statt\S*|lieber|nochmal|thema|quier\S*|quisiera|necesit\S*|ayuda\S*|consejo|pregunta|otr[oa]s?|nuev\S*|mejor|tema|veux|voudrais|besoin|aid\S*|conseil\S*|autres?|nouve\S*|plutot|sujet|voglio|vorrei|bisogno|aiut\S*|consigli\S*|domanda|altr\S*|nuov\S*|piuttosto|wil|nodig|advies|vraag|nieuw\S*|liever|onderwerp|quero|preciso|ajud\S*|conselho|outr\S*|nov\S*|assunto)(?!\S)/u;

/** Words by which somebody may have enough of something, beside those for what is gone. */
const ENDS =
  /(?<!\S)(?:clos(?:e|ed|ing)|end|ends|ended|finish\S*|done|over|complete\S*|stop|quit|enough|wrap|shut|behind|final\S*|finito|thats (?:all|it)|all set|made it|anymore|no longer|schliess\S*|abschliess\S*|beend\S*|fertig|erledigt|schluss|ende|geschafft|aufhor\S*|genug|abbrech\S*|c[ie]err\S*|encerr\S*|termin\S*|acab\S*|fin|fine|fim|list[oa]|basta|ferm\S*|clos|clotur\S*|fini\S*|arret\S*|assez|chiud\S*|sluit\S*|afgesloten|klaar|einde|genoeg|fech\S*|chega|pronto)(?!\S)/u;

/** Most words of a remark that opens nothing. */
const REMARK = 6;

/**
 * Returns true for a message that asks, wants or denies something, is long enough to tell of a new matter, or is in
 * words that nobody knows; to close something, for one with a word for an end.
 */
function mayTurn(action: JourneyAction, message: string): boolean {
  if (action === "close") {
    const isOther = message !== "" && !asksForNothing(message) && readYesNo(message) === null;
    return ENDS.test(foldAnswer(message)) || (isOther && !asksForNoEnd(message));
  }
  if (action !== "new" && action !== "reopen") return true;
  const words = foldAnswer(message);
  return (
    (action === "new" && segmentWords(message).length > REMARK) ||
    splitSentences(message).some(asksSomething) ||
    WANTS.test(words) ||
    saysEnd(message, "gone") ||
    deniesSomething(message) ||
    !hasKnownWords(message)
  );
}

/**
 * Returns a message's request about the journey that is active, or none where the message makes none: thanks and
 * greetings move nothing, a question ends and renames nothing, a remark opens nothing again or anew, and closes
 * nothing without a word for an end, in it or in the question that a yes answers; a new title is of the message. Pure.
 */
export function fitJourneyAction(
  { action, name, message, question = "" }: AnsweringRequest,
  lines: readonly JourneyLine[],
): JourneyAction {
  if (findActiveJourney(lines) === null) return action;
  if (action === "close" && readYesNo(message) === "yes" && mayTurn(action, question))
    return action;
  const isTitle = action !== "rename" || name === null || sharesWord(name, message);
  const isAsked = !isCourtesy(message) && !(LEAVING.has(action) && asksWhether(message, message));
  return isAsked && isTitle && mayTurn(action, message) ? action : "continue";
}

interface AllJourneys extends Required<KnownJourneys> {
  readonly active: JourneyLine | null;
}

function resumeLast({ all }: AllJourneys): JourneyChoice {
  const paused = sortByTurn(all.filter(({ status }) => status === "paused"));
  const [journey] = paused;
  if (journey === undefined) return refuseNone("none-paused");
  return paused.length === 1
    ? { kind: "move", move: { kind: "resume", journey } }
    : { kind: "ask", journeys: paused };
}

function resumeNamed(name: string, { lines, all, active }: AllJourneys): JourneyChoice {
  const found = findNamedJourneys(name, { shown: selectShownJourneys(lines), all });
  if (found.kind === "none") return refuseUnknown(name, all);
  const journeys = found.kind === "one" ? [found.journey] : found.journeys;
  // Who wants to go back is elsewhere.
  const others = journeys.filter(({ id }) => id !== active?.id);
  const [journey] = others;
  if (journey === undefined) return { kind: "continue" };
  return others.length === 1
    ? { kind: "move", move: { kind: "resume", journey } }
    : { kind: "ask", journeys: sortByTurn(others) };
}

interface LeaveRequest extends JourneyRequest {
  readonly action: "pause" | "close";
}

const LEFT = { pause: "paused", close: "closed" } as const;

function leaveNamed(
  { action, name, message }: LeaveRequest,
  { lines, all, active }: AllJourneys,
): JourneyChoice {
  if (name === null) {
    if (active === null) return refuseNone("none-active");
    return { kind: "move", move: { kind: action, journey: active, reason: message } };
  }
  const found = findNamedJourneys(name, { shown: selectShownJourneys(lines), all });
  if (found.kind === "none") return refuseUnknown(name, all);
  if (found.kind === "several") return { kind: "ask", journeys: sortByTurn(found.journeys) };
  const { journey } = found;
  const status = LEFT[action];
  return journey.status === status
    ? refuseFor(`${status}-already`, journey)
    : { kind: "move", move: { kind: action, journey, reason: message } };
}

function refuseNone(reason: "none-active" | "none-paused"): JourneyChoice {
  return { kind: "refuse", refusal: { reason } };
}

function refuseUnknown(name: string, known: readonly JourneyLine[]): JourneyChoice {
  return { kind: "refuse", refusal: { reason: "unknown", name, known } };
}

function refuseFor(
  reason: "paused-already" | "closed-already" | "no-title",
  journey: JourneyLine,
): JourneyChoice {
  return { kind: "refuse", refusal: { reason, journey } };
}
