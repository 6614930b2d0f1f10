import { clip } from "../registry/shorten.ts";
import type { JourneyLine } from "../state/journey.ts";
import { oneLine } from "../text/fence.ts";
import { joinWithAnd, joinWithOr } from "../text/join-list.ts";
import { renderSentence } from "../text/sentences.ts";
import type { JourneyRefusal } from "./choose-journey-move.ts";
import { sortByTurn } from "./find-journey.ts";
import type { JourneyNews } from "./move-journey.ts";

/** Journeys that a sentence names, and that a list has. */
const NAMED = 6;
const LISTED = 20;
const NAME_CHARACTERS = 80;

/**
 * Words what happened to journeys, for the first paragraph of the reply; empty where nothing did. Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function renderJourneyNews(news: readonly JourneyNews[]): string {
  return news.map(wordNews).join(" ");
}

function wordNews(news: JourneyNews): string {
  const { journey } = news;
  const { title } = journey;
  switch (news.kind) {
    case "left":
      return wordLeft(journey);
    case "reopened":
      return renderSentence("journeyReopened", { title });
    case "resumed": {
      const place = findPlace(journey);
      return place === null
        ? renderSentence("journeyResumed", { title })
        : renderSentence("journeyResumedAt", { title, ...place });
    }
    case "renamed":
      return renderSentence("journeyRenamed", { from: news.from, title });
    default:
      return news satisfies never;
  }
}

function wordLeft(journey: JourneyLine): string {
  const { title, status } = journey;
  if (isDone(journey)) return renderSentence("journeyDone", { title });
  if (status === "closed") return renderSentence("journeyClosed", { title });
  const place = findPlace(journey);
  return place === null
    ? renderSentence("journeyPaused", { title })
    : renderSentence("journeyPausedAt", { title, ...place });
}

function isActive({ status }: JourneyLine): boolean {
  return status === "active";
}

/** Words the question which of several journeys is meant. Pure, total. */
export function renderJourneyQuestion(journeys: readonly JourneyLine[]): string {
  return renderSentence("journeyWhich", { titles: joinWithOr(listTitles(journeys)) });
}

/** Words why a request about journeys cannot be met. Pure, total. */
export function renderJourneyRefusal(refusal: JourneyRefusal): string {
  switch (refusal.reason) {
    case "unknown": {
      const { known } = refusal;
      const title = clip(oneLine(refusal.name), NAME_CHARACTERS);
      const unknown = renderSentence("journeyUnknown", { title });
      if (known.length === 0) return unknown;
      const titles = joinWithAnd(listTitles(sortByTurn(known)));
      return `${unknown} ${renderSentence("journeysKnown", { count: known.length, titles })}`;
    }
    case "none-active":
      return renderSentence("journeyNoneActive");
    case "none-paused":
      return renderSentence("journeyNonePaused");
    case "paused-already":
      return renderSentence("journeyPausedAlready", refusal.journey);
    case "closed-already":
      return renderSentence("journeyClosedAlready", refusal.journey);
    case "no-title":
      return renderSentence("journeyWithoutTitle", refusal.journey);
    case "not-kept":
      return renderSentence("journeyNotKept", refusal.journey);
    default:
      return refusal satisfies never;
  }
}

/**
 * Words the list of a conversation's journeys: the active one first, then the newest. Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function renderJourneyList(journeys: readonly JourneyLine[]): string {
  if (journeys.length === 0) return renderSentence("journeysNone");
  const sorted = sortByTurn(journeys);
  const shown = [...sorted.filter(isActive), ...sorted.filter((line) => !isActive(line))];
  const more = shown.length - LISTED;
  return [
    renderSentence("journeysList"),
    ...shown
      .slice(0, LISTED)
      .map((line) =>
        renderSentence("journeyListed", { title: line.title, status: describeJourneyStatus(line) }),
      ),
    ...(more > 0 ? [`- ${renderSentence("journeyCount", { count: more })}`] : []),
    ...(shown.every(isActive) ? [] : [renderSentence("journeyHowBack")]),
  ].join("\n");
}

/** Returns the words for where a journey stands: "paused at step 2 of 4". */
export function describeJourneyStatus(journey: JourneyLine): string {
  const place = findPlace(journey);
  switch (journey.status) {
    case "active":
      if (isOver(journey)) return renderSentence("journeyIsDone");
      return place === null ? renderSentence("journeyNow") : renderSentence("journeyNowAt", place);
    case "paused":
      return place === null
        ? renderSentence("journeyWaits")
        : renderSentence("journeyWaitsAt", place);
    case "closed":
      return renderSentence(isDone(journey) ? "journeyIsDone" : "journeyIsClosed");
    default:
      return journey.status satisfies never;
  }
}

interface StepPlace {
  readonly step: number;
  readonly steps: number;
}

/** Returns the number of the active step and of all; null where no step is active. */
function findPlace({ progress }: JourneyLine): StepPlace | null {
  return progress?.step == null ? null : { step: progress.step, steps: progress.of };
}

function isOver({ progress }: JourneyLine): boolean {
  return progress !== null && progress.step === null;
}

function isDone(journey: JourneyLine): boolean {
  return journey.status === "closed" && journey.reason === "done";
}

function listTitles(journeys: readonly JourneyLine[]): readonly string[] {
  const more = journeys.length - NAMED;
  return [
    ...journeys.slice(0, NAMED).map(({ title }) => renderSentence("journeyTitle", { title })),
    ...(more > 0 ? [renderSentence("journeyCount", { count: more })] : []),
  ];
}
