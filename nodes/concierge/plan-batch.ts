import type { ModelTraits } from "../../state/model.ts";

/** The pace of the endpoint of one expert; null for a model that tells nothing. */
export type ExpertPace = Pick<ModelTraits, "endpoint" | "slots" | "callMs" | "tier"> | null;

/** The facts by which a batch is planned. */
export interface BatchFacts {
  /** Of each expert, in the order in which they are asked. */
  readonly experts: readonly ExpertPace[];
  readonly mapper: ExpertPace;
  readonly quorum: number;
  /** Seconds of a batch, and of one expert, where the endpoint is quick enough. */
  readonly batchSeconds: number;
  readonly expertSeconds: number;
  /** Seconds of the mapper, within those of the batch. */
  readonly mapperSeconds: number;
  /** Seconds that are left of the turn. */
  readonly secondsLeft: number;
}

/** The form of a batch. */
export interface BatchPlan {
  /** The experts that are asked: the first of the list. */
  readonly count: number;
  /** True where one call gives all views, since the endpoint has no time for a call each. */
  readonly combined: boolean;
  /** Seconds of the whole batch. */
  readonly seconds: number;
  /** Seconds of one expert, from the beginning of its call. */
  readonly expertSeconds: number;
  /** Seconds of the mapper, after the experts. */
  readonly mapperSeconds: number;
  /** Seconds that it will take by the time of the last calls; null where nothing is known. */
  readonly expected: number | null;
}

/** An answer of an expert is longer than most: what is planned is this multiple of the last calls' time. */
const MARGIN = 1.5;
/** A small model cannot compare more views than these. */
const SMALL_VIEWS = 2;

/**
 * Plans a batch by the time that calls take: on a slow endpoint, or one with few places, fewer experts
 * are asked and their deadlines grow, within the turn; at least `quorum` views and a map, and where
 * that is too much all views in one call. Pure.
 *
 * Source: models.md §1, "Expert and batch deadlines".
 */
export function planBatch(facts: BatchFacts): BatchPlan {
  const { experts, mapper, quorum, batchSeconds, expertSeconds, mapperSeconds, secondsLeft } =
    facts;
  const isSmall = experts.some((expert) => expert?.tier === "small");
  const most = isSmall ? Math.min(experts.length, SMALL_VIEWS) : experts.length;
  const mapping = callSeconds(mapper);
  const slowest = Math.max(...experts.map(callSeconds), 0);
  if (slowest === 0) {
    return {
      count: most,
      combined: false,
      seconds: batchSeconds,
      expertSeconds,
      mapperSeconds: withinHalf(mapperSeconds, batchSeconds),
      expected: null,
    };
  }
  const planned = (count: number): number =>
    MARGIN * (secondsToAsk(experts.slice(0, count)) + mapping);
  const fitting = countDown(most).find((count) => planned(count) <= batchSeconds);
  const count = fitting ?? Math.min(quorum, most);
  const combined = fitting === undefined && count > 1 && planned(count) > secondsLeft;
  const asking = combined ? slowest : secondsToAsk(experts.slice(0, count));
  const seconds = Math.min(
    Math.max(batchSeconds, MARGIN * (asking + mapping)),
    Math.max(secondsLeft, 1),
  );
  const share = Math.max((mapperSeconds * seconds) / batchSeconds, MARGIN * mapping);
  return {
    count,
    combined,
    seconds,
    expertSeconds: Math.max(expertSeconds, MARGIN * slowest),
    mapperSeconds: withinHalf(share, seconds),
    expected: Math.ceil(asking + mapping),
  };
}

/** The experts have half of a batch at least. */
function withinHalf(seconds: number, batchSeconds: number): number {
  return Math.min(seconds, batchSeconds / 2);
}

function countDown(most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => most - index).filter((count) => count > 1);
}

function callSeconds(pace: ExpertPace): number {
  return (pace?.callMs ?? 0) / 1_000;
}

/** Endpoints work side by side; one with fewer places than experts takes them in rounds. */
function secondsToAsk(experts: readonly ExpertPace[]): number {
  const endpoints = Map.groupBy(experts, (pace) => pace?.endpoint ?? null);
  const each = [...endpoints.values()].map((asked) => {
    const slots = Math.max(1, Math.min(...asked.map((pace) => pace?.slots ?? asked.length)));
    return Math.ceil(asked.length / slots) * Math.max(...asked.map(callSeconds));
  });
  return Math.max(...each, 0);
}
