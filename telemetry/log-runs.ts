import type { TurnConclusion } from "../state/turn-summary.ts";
import type { WatchRun } from "./watch-runs.ts";

/** The log line of a run. */
export interface RunLine {
  readonly run: string;
  readonly thread: string;
  readonly user: string;
  /** Outcome of the turn, or of a run whose turn did not end. */
  readonly outcome: string;
  /** Code of the error, or of what is missing of the turn; null if it was answered. */
  readonly code: string | null;
  /** Code of the first error of a model; null if there was none. An earlier line has its words. */
  readonly modelError: string | null;
  /** Steps that did not end well: their status and number, never their values. */
  readonly steps: readonly string[];
  readonly ms: number;
  /** Time until the first part of a reply; null if there was none. */
  readonly firstTextMs: number | null;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Text of the message: the writer of the line decides if it may be logged. */
  readonly text: string;
}

/** Writes one line for each run when it ends. */
export function logRuns(write: (line: RunLine) => void): WatchRun {
  return ({ runId, threadId, userId, text }) => {
    const began = performance.now();
    const since = (): number => Math.round(performance.now() - began);
    const used = { calls: 0, inputTokens: 0, outputTokens: 0 };
    let firstTextMs: number | null = null;
    let modelError: string | null = null;
    let end: TurnConclusion | null = null;
    const steps: string[] = [];
    return {
      onEvent(event) {
        if (event.type === "text-delta" || event.type === "reply") firstTextMs ??= since();
        if (event.type === "notice" && event.code.startsWith("model_")) modelError ??= event.code;
        if (event.type === "turn-end") end = event;
        if (event.type === "step-end" && event.status !== "done")
          steps.push(`${event.index + 1} ${event.status}`);
        if (event.type !== "usage") return;
        used.calls += 1;
        used.inputTokens += event.input;
        used.outputTokens += event.output;
      },
      onEnd({ outcome, error }) {
        const turn = outcome === "answered" ? end : null;
        write({
          run: runId,
          thread: threadId,
          user: userId,
          outcome: turn?.outcome ?? outcome,
          code: turn?.code ?? error?.code ?? null,
          modelError,
          steps,
          ms: since(),
          firstTextMs,
          ...used,
          text,
        });
      },
    };
  };
}
