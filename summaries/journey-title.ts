import { clip } from "../registry/shorten.ts";
import type { JourneyLine, JourneyState } from "../state/journey.ts";
import { titleKey } from "../state/plan-words.ts";
import { oneLine } from "../text/fence.ts";
import { renderSentence } from "../text/sentences.ts";

const TITLE_CHARACTERS = 60;

/** A journey with its title. */
export type TitledJourney = Pick<JourneyLine, "id" | "title">;

/**
 * Makes a title of at most 60 characters from a text: on one line, numbered where another journey has the
 * same one. `id`: the journey it is for; `known`: all journeys of the conversation. Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function makeJourneyTitle(
  text: string,
  { id, known }: { readonly id: string; readonly known: readonly TitledJourney[] },
): string {
  const taken = new Set(known.filter((each) => each.id !== id).map(({ title }) => titleKey(title)));
  for (let number = 1; ; number += 1) {
    const title = numberTitle(text, number);
    if (!taken.has(titleKey(title))) return title;
  }
}

/**
 * Returns the title that a journey has from now on: from the goal that was handed over, before that from
 * the question that opened it. One that the person gave stays. Pure, total.
 */
export function chooseJourneyTitle(
  journey: TitledJourney,
  { opening, concierge }: Pick<JourneyState, "opening" | "concierge">,
  known: readonly TitledJourney[],
): string {
  const { id, title } = journey;
  const sources = [
    concierge.executionHandover?.goal ?? "",
    concierge.intentHandover?.impliedGoal ?? "",
    opening?.question ?? "",
  ].filter((text) => text.trim() !== "");
  const [best] = sources;
  const isOwn = sources.some((source) => isTitleFrom(title, source));
  if (best === undefined || !isOwn || isTitleFrom(title, best)) return title;
  return makeJourneyTitle(best, { id, known });
}

/** Returns a title without the number that tells it from another of the same words. */
export function removeTitleNumber(title: string): string {
  return title.replace(/ \(\d{1,2}\)$/u, "");
}

/** Returns true for the title that a text gives, with a number or without. */
function isTitleFrom(title: string, text: string): boolean {
  const number = Number(/ \((\d+)\)$/u.exec(title)?.[1] ?? 1);
  return title === numberTitle(text, 1) || title === numberTitle(text, number);
}

function numberTitle(text: string, number: number): string {
  const whole = oneLine(text) || renderSentence("journeyUntitled");
  const ending = number === 1 ? "" : ` (${number})`;
  return `${clip(whole, TITLE_CHARACTERS - ending.length)}${ending}`;
}
