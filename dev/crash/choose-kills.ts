import type { Kill, Position, Undisturbed } from "./play.ts";
import { MOMENTS, type Moment } from "./run-program.ts";

/** Every so many kills the program dies twice. */
const TWICE_EVERY = 7;

/**
 * Chooses so many deaths, the same each time: spread evenly over the places of both lanes (every
 * node, and after it, while what it came to is stored), within a place over its turns and all that
 * they send and tell, and over the moments.
 */
export function chooseKills(undisturbed: readonly Undisturbed[], count: number): Kill[] {
  const places = placesOf(undisturbed.flatMap(({ positions }) => positions));
  const chosen = new Map<number, number>();
  return Array.from({ length: count }, (_, index) => {
    const place =
      count < places.length ? Math.floor((index * places.length) / count) : index % places.length;
    const nth = chosen.get(place) ?? 0;
    chosen.set(place, nth + 1);
    const { moment, positions } = positionsAt(places[place] ?? [], place + nth);
    const position = positions[Math.floor(positions.length * spread(place + nth * places.length))];
    if (position === undefined) {
      throw new RangeError(`Cannot choose ${count} kills: there is nothing to die at`);
    }
    const twice = index % TWICE_EVERY === TWICE_EVERY - 1 && leavesTwo(position);
    return { position, moment, twice };
  });
}

/** The positions of each place of each lane, in order. */
function placesOf(positions: readonly Position[]): Position[][] {
  const groups = Map.groupBy(
    positions,
    ({ conversation, place }) => `${conversation.lane} ${place}`,
  );
  return [...groups.values()];
}

/** The nth moment in turn, or the next one for which the place has a position. */
function positionsAt(
  place: readonly Position[],
  nth: number,
): { readonly moment: Moment; readonly positions: readonly Position[] } {
  const moments = MOMENTS.map((_, index) => MOMENTS[(nth + index) % MOMENTS.length] ?? "before");
  const moment =
    moments.find((each) => place.some(({ kind }) => kind === kindOf(each))) ?? "before";
  return { moment, positions: place.filter(({ kind }) => kind === kindOf(moment)) };
}

function kindOf(moment: Moment): Position["kind"] {
  return moment === "told" ? "event" : "statement";
}

/** Whether two messages are left after the turn: one to go on with, and one more after a second death. */
function leavesTwo({ conversation, turn }: Position): boolean {
  return turn + 2 <= conversation.messages.length;
}

/** From 0 to 1: however many are taken, they lie evenly (multiples of the golden ratio). */
function spread(nth: number): number {
  return (nth * 0.618_033_988_749_895) % 1;
}
