import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import type { StreamMode } from "../protocol/stream-modes.ts";
import type { ApiContext } from "../route.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { streamRun } from "../runs/stream-run.ts";
import { streamOutcome } from "../runs/wait-run.ts";
import { LATE_JSON } from "../stream/late-json.ts";
import type { StreamFormat } from "../stream/open-streams.ts";
import { encodeFrames, SSE } from "../stream/sse.ts";

/** The options of one client's stream of a run. */
export interface StreamRequest {
  readonly modes: readonly StreamMode[];
  readonly subgraphs: boolean;
  /** The last event that the client has; 0 for none. */
  readonly after: number;
  /** Cancels the run when the client leaves before its end. */
  readonly cancelOnLeave: boolean;
}

/** Answers with the run's events. */
export async function answerStream(
  parts: RouteParts,
  context: ApiContext,
  { begin, ...telling }: StreamRequest & { readonly begin: () => Promise<RunRecord> },
): Promise<Response> {
  const { response, run } = await answer(parts, context, {
    format: SSE,
    cancelOnLeave: telling.cancelOnLeave,
    begin,
    tell: async function* (run, signal) {
      for await (const frames of streamRun(parts, run, { ...telling, signal })) {
        yield encodeFrames(frames);
      }
    },
  });
  response.headers.set("location", streamPath(run, telling));
  return response;
}

/** Answers with what came of the run, once it has ended. */
export async function answerOutcome(
  parts: RouteParts,
  context: ApiContext,
  {
    begin,
    cancelOnLeave,
  }: { readonly begin: () => Promise<RunRecord>; readonly cancelOnLeave: boolean },
): Promise<Response> {
  const { response } = await answer(parts, context, {
    format: LATE_JSON,
    cancelOnLeave,
    begin,
    tell: (run, signal) => streamOutcome(parts, run, signal),
  });
  return response;
}

/** The path of a run, where LangGraph's clients look for its ids. */
function runPath({ threadId, runId }: Pick<RunRecord, "threadId" | "runId">): string {
  return `/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(runId)}`;
}

/** Returns the headers by which an answer names its run. */
export function runHeaders(run: Pick<RunRecord, "threadId" | "runId">): Record<string, string> {
  return {
    "content-location": runPath(run),
    "x-run-id": run.runId,
    "x-thread-id": encodeURIComponent(run.threadId),
  };
}

/** Returns the path at which a client that was cut off resumes the stream. */
function streamPath(run: RunRecord, { modes, cancelOnLeave }: StreamRequest): string {
  const query = new URLSearchParams();
  for (const mode of modes) query.append("stream_mode", mode);
  if (cancelOnLeave) query.set("cancel_on_disconnect", "1");
  return `${runPath(run)}/stream?${query.toString()}`;
}

/** The stream's place is taken first: no run is begun of which nobody could be told. */
async function answer(
  parts: RouteParts,
  context: ApiContext,
  options: {
    readonly format: StreamFormat;
    readonly cancelOnLeave: boolean;
    readonly begin: () => Promise<RunRecord>;
    readonly tell: (run: RunRecord, signal: AbortSignal) => AsyncIterable<string>;
  },
): Promise<{ readonly response: Response; readonly run: RunRecord }> {
  const caller = context.get("caller");
  const { promise, resolve, reject } = Promise.withResolvers<RunRecord>();
  // Where the stream ends first, nobody waits for it.
  promise.catch(() => undefined);
  const note = (error: unknown): void =>
    parts.log.error(error, `Request ${context.get("requestId")} was cut`);
  let isBegun = false;
  // Who asks for the head alone changes nothing by leaving.
  const mayCancel = options.cancelOnLeave && context.req.method !== "HEAD";
  const cancel = async (): Promise<void> => {
    const { runId } = await promise;
    await cancelRun(parts, caller, { runId, action: "interrupt" });
  };
  const response = parts.streams.respond({
    format: options.format,
    userId: caller.userId,
    open: async function* (signal) {
      yield* options.tell(await promise, signal);
    },
    onError: (error) => {
      if (isBegun) note(error);
    },
    ...(mayCancel ? { onLeave: () => void cancel().catch(note) } : {}),
  });
  try {
    const run = await options.begin();
    isBegun = true;
    resolve(run);
    for (const [name, value] of Object.entries(runHeaders(run))) response.headers.set(name, value);
    return { response, run };
  } catch (error) {
    reject(error);
    throw error;
  }
}
