import { sum } from "./figures.ts";
import type { RecordedTurn } from "./long-recording.ts";
import type { RivalTurn } from "./rivals.ts";
import { countCalls, writeCall, type Tokens } from "./token-cost.ts";

/** Seconds of a turn, from the message on. */
export interface TurnTime {
  readonly firstWord: number;
  readonly end: number;
}

/** A simulated endpoint: the seconds before it reads, and the tokens that it reads and writes in one. */
const ENDPOINT = { latency: 0.3, read: 5_000, written: 60 } as const;

/** Times this project's turns on a clock that only calls of models move. */
export function timeOwnTurns(turns: readonly RecordedTurn[]): readonly TurnTime[] {
  const counted = countCalls(
    turns.map(({ calls }) => calls.map(writeCall)),
    "all",
  );
  return turns.map(({ calls, firstWord: { begun, ended } }, turn) => {
    const ends: number[] = [];
    const starts: number[] = [];
    const tokens = counted[turn] ?? [];
    for (const [index, { after }] of calls.entries()) {
      const start = findMoment(ends, after);
      starts.push(start);
      ends.push(start + timeCall(tokens[index]));
    }
    // A call that has begun and not ended is the reply's: it streams.
    const firstWord =
      begun > ended
        ? (starts[begun - 1] ?? 0) + timeFirstToken(tokens[begun - 1])
        : findMoment(ends.slice(0, begun), ended);
    return { firstWord, end: Math.max(0, ...ends) };
  });
}

/** Returns the moment at which so many calls had ended. */
function findMoment(ends: readonly number[], count: number): number {
  return ends.toSorted((a, b) => a - b)[count - 1] ?? 0;
}

/** Times a rival's turns: its calls follow one another, and its reply streams. */
export function timeRivalTurns(turns: readonly RivalTurn[]): readonly TurnTime[] {
  const counted = countCalls(
    turns.map(({ calls }) => calls),
    "all",
  );
  return turns.map(({ reply }, turn) => {
    const tokens = counted[turn] ?? [];
    const times = tokens.map(timeCall);
    const before = sum(times.slice(0, reply));
    return { firstWord: before + timeFirstToken(tokens[reply]), end: sum(times) };
  });
}

function timeCall(tokens: Tokens | undefined): number {
  return timeReading(tokens) + (tokens?.output ?? 0) / ENDPOINT.written;
}

function timeFirstToken(tokens: Tokens | undefined): number {
  return timeReading(tokens) + 1 / ENDPOINT.written;
}

function timeReading(tokens: Tokens | undefined): number {
  const { input, cached } = tokens ?? { input: 0, cached: 0 };
  return ENDPOINT.latency + (input - cached) / ENDPOINT.read;
}
