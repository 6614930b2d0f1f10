import type { Kill, Position, Undisturbed } from "./play.ts";
import { MOMENTS, type Moment } from "./run-program.ts";

/** One kill in this many kills the program twice. */
const TWICE_EVERY = 7;

/**
 * Chooses `count` deaths, the same each time: spread evenly over the places of both lanes (every
 * node, and after it, while its result is stored), within a place over its turns with all their
 * statements and events, and over the moments.
 */
export function chooseKills(undisturbed: readonly Undisturbed[], count: number): Kill[] {
  const places = groupByPlace(undisturbed.flatMap(({ positions }) => positions));
  const chosen = new Map<number, number>();
  return Array.from({ length: count }, (_, index) => {
    const place =
      count < places.length ? Math.floor((index * places.length) / count) : index % places.length;
    const nth = chosen.get(place) ?? 0;
    chosen.set(place, nth + 1);
    const { moment, positions } = choosePositions(places[place] ?? [], place + nth);
    const position = positions[Math.floor(positions.length * spread(place + nth * places.length))];
    if (position === undefined) {
      throw new RangeError(`Cannot choose ${count} kills: no place to die at was found`);
    }
    const twice = index % TWICE_EVERY === TWICE_EVERY - 1 && leavesTwo(position);
    return { position, moment, twice };
  });
}

/** The positions of each place of each lane, in order. */
function groupByPlace(positions: readonly Position[]): Position[][] {
  const groups = Map.groupBy(
    positions,
    ({ conversation, place }) => `${conversation.lane} ${place}`,
  );
  return [...groups.values()];
}

/** The nth moment in turn, or the next one for which the place has a position. */
function choosePositions(
  place: readonly Position[],
  nth: number,
): { readonly moment: Moment; readonly positions: readonly Position[] } {
  const moments = MOMENTS.map((_, index) => MOMENTS[(nth + index) % MOMENTS.length] ?? "before");
  const moment =
    moments.find((each) => place.some(({ kind }) => kind === readKind(each))) ?? "before";
  return { moment, positions: place.filter(({ kind }) => kind === readKind(moment)) };
}

function readKind(moment: Moment): Position["kind"] {
  return moment === "emitted" ? "event" : "statement";
}

/**
 * Returns true where two messages follow the turn: one to resume it with, and one more after a second
 * death. That one waits before a question of the turn is put, and a "yes" there would count for none.
 */
function leavesTwo({ conversation, turn }: Position): boolean {
  const { messages } = conversation;
  return turn + 2 <= messages.length && messages[turn + 1] !== "yes";
}

/** Returns a number from 0 to 1; any count of them is spread evenly (multiples of the golden ratio). */
function spread(nth: number): number {
  return (nth * 0.618_033_988_749_895) % 1;
}
