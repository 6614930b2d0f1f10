import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import { createFrameWriter, type Frame } from "../protocol/frames.ts";
import type { StreamMode } from "../protocol/stream-modes.ts";
import type { RunStep } from "../stream/run-feed.ts";

/** The options of a client's stream. */
export interface StreamRunOptions {
  readonly modes: readonly StreamMode[];
  readonly subgraphs: boolean;
  /** The last event that the client has; 0 for none. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Yields a run as LangGraph's stream events, some at a time. */
export async function* streamRun(
  parts: Pick<RouteParts, "feed">,
  run: Pick<RunRecord, "runId" | "threadId" | "userId">,
  { modes, subgraphs, after, signal }: StreamRunOptions,
): AsyncGenerator<readonly Frame[]> {
  const { userId, runId } = run;
  const writer = createFrameWriter({ run, modes, subgraphs });
  // Each part of a reply contains the parts before it, so those must be read as well.
  const hasMessages = modes.includes("messages") || modes.includes("messages-tuple");
  const from = hasMessages ? 0 : after;
  if (after === 0) yield writer.begin();
  for await (const step of parts.feed.follow({ userId, runId, after: from }, signal)) {
    const frames = step.events.flatMap((event) => {
      const next = writer.next(event);
      return event.seq > after ? next : [];
    });
    yield [...frames, ...endFrames(step, writer)];
  }
}

function endFrames(step: RunStep, writer: ReturnType<typeof createFrameWriter>): readonly Frame[] {
  if (step.isGone) return writer.end(null);
  return step.ended === null ? [] : writer.end(step.ended);
}

/** Waits for a run's end. Returns the ended run; null if it was rolled back or deleted, or if the signal aborts. */
export async function awaitRun(
  parts: Pick<RouteParts, "feed">,
  run: Pick<RunRecord, "runId" | "userId">,
  signal: AbortSignal,
): Promise<RunRecord | null> {
  const { userId, runId } = run;
  for await (const { ended } of parts.feed.follow({ userId, runId, after: LAST }, signal)) {
    return ended;
  }
  return null;
}

/** A position after every event: only the end is awaited. */
const LAST = 2_147_483_647;
