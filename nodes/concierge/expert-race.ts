import { setTimeout as delay } from "node:timers/promises";

/** Why a batch's remaining experts are no longer waited for. */
export type RaceEnd = "late" | "cut";

export interface RaceLimits {
  /** Milliseconds that one expert may take, from the beginning of its call. */
  readonly expertMs: number;
  /** Milliseconds that the others are given after the second answer. */
  readonly graceMs: number;
  /** Milliseconds that a waiting message leaves a batch with fewer than two answers. */
  readonly cutGraceMs: number;
  /** Answers after which the others are waited for no longer than the grace. */
  readonly quorum: number;
}

/** The experts of one batch, who wait for each other only so long. */
export interface ExpertRace {
  /**
   * Runs one expert's work against its deadline, the batch's and the cut. Always settles in time,
   * whether or not the work heeds its signal. The expert's time counts from the moment in which the
   * work says that it has begun: until then its call waits for its place.
   *
   * @throws what `work` throws in time.
   */
  run<T>(
    work: (signal: AbortSignal, begin: () => void) => Promise<T>,
    options: {
      /** Milliseconds until the batch's deadline. */
      readonly leftMs: number;
      readonly cut: AbortSignal | null;
      /** Returns true for an answer. A failure does not shorten the time of the other experts. */
      readonly isAnswer: (value: T) => boolean;
    },
  ): Promise<{ readonly kind: "done"; readonly value: T } | { readonly kind: RaceEnd }>;
}

/** Makes the race of one batch. */
export function createExpertRace(limits: RaceLimits): ExpertRace {
  const over = new AbortController();
  const stopped = new AbortController();
  let answered = 0;
  let cutting = false;
  const end = (): void => {
    if (!over.signal.aborted) over.abort();
    stopped.abort();
  };
  const endAfter = (ms: number): void => {
    void delay(ms, undefined, { signal: stopped.signal, ref: false }).then(end, () => undefined);
  };
  const count = (): void => {
    answered += 1;
    if (answered !== limits.quorum) return;
    if (cutting) end();
    else endAfter(limits.graceMs);
  };
  const onCut = (): void => {
    if (cutting) return;
    cutting = true;
    if (answered >= limits.quorum) end();
    else endAfter(limits.cutGraceMs);
  };
  return {
    run: async (work, { leftMs, cut, isAnswer }) => {
      const listening = new AbortController();
      if (cut?.aborted === true) onCut();
      // A new function for each expert: the same one, added twice, would be removed for all when one expert is done.
      cut?.addEventListener("abort", () => onCut(), { signal: listening.signal });
      const own = new AbortController();
      const { promise: late, resolve: giveUp } = Promise.withResolvers<"late">();
      const giveUpAfter = (ms: number): void => {
        void delay(Math.max(0, ms), undefined, { signal: listening.signal }).then(
          () => giveUp("late"),
          () => undefined,
        );
      };
      giveUpAfter(leftMs);
      const ended = new Promise<"cut">((resolve) => {
        if (over.signal.aborted) resolve("cut");
        over.signal.addEventListener("abort", () => resolve("cut"), { signal: listening.signal });
      });
      const working = work(own.signal, () => giveUpAfter(limits.expertMs)).then((value) => ({
        value,
      }));
      // A failure after the deadline has no reader: without this handler it would be an unhandled rejection.
      working.catch(() => undefined);
      try {
        const first = await Promise.race([working, late, ended]);
        if (typeof first === "string") return { kind: first };
        if (isAnswer(first.value)) count();
        return { kind: "done", value: first.value };
      } finally {
        own.abort();
        listening.abort();
      }
    },
  };
}
