import type { WatchRun } from "./watch-runs.ts";

/** What one line says of a run. */
export interface RunLine {
  readonly run: string;
  readonly thread: string;
  readonly user: string;
  readonly outcome: string;
  /** The error's, where it failed. */
  readonly code: string | null;
  readonly ms: number;
  /** Until the first piece of a reply; null where there was none. */
  readonly firstTextMs: number | null;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What was said: whoever writes the line decides whether it may be in it. */
  readonly text: string;
}

/** Says one line of each run, when it ends. */
export function logRuns(write: (line: RunLine) => void): WatchRun {
  return ({ runId, threadId, userId, text }) => {
    const began = performance.now();
    const since = (): number => Math.round(performance.now() - began);
    const used = { calls: 0, inputTokens: 0, outputTokens: 0 };
    let firstTextMs: number | null = null;
    return {
      told(event) {
        if (event.type === "text-delta" || event.type === "reply") firstTextMs ??= since();
        if (event.type !== "usage") return;
        used.calls += 1;
        used.inputTokens += event.input;
        used.outputTokens += event.output;
      },
      ended({ outcome, error }) {
        write({
          run: runId,
          thread: threadId,
          user: userId,
          outcome,
          code: error?.code ?? null,
          ms: since(),
          firstTextMs,
          ...used,
          text,
        });
      },
    };
  };
}
