import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import type { ApiContext } from "../route.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { streamRun, type StreamRunOptions } from "../runs/stream-run.ts";
import { streamOutcome } from "../runs/wait-run.ts";
import { LATE_JSON } from "../stream/late-json.ts";
import type { StreamFormat } from "../stream/open-streams.ts";
import { encodeFrames, SSE } from "../stream/sse.ts";

/** The options of one client's stream of a run. */
export type StreamRequest = Omit<StreamRunOptions, "signal">;

/** A run that a request waits for. */
interface AwaitedRun {
  /** Creates or finds the run. */
  readonly begin: () => Promise<RunRecord>;
  /** Cancels the run when the client leaves before its end. */
  readonly cancelOnLeave: boolean;
}

/** Answers with the run's events. */
export async function answerStream(
  parts: RouteParts,
  context: ApiContext,
  { begin, ...request }: StreamRequest & AwaitedRun,
): Promise<Response> {
  const { cancelOnLeave } = request;
  const content = async function* (run: RunRecord, signal: AbortSignal): AsyncGenerator<string> {
    for await (const frames of streamRun(parts, run, { ...request, signal })) {
      yield encodeFrames(frames);
    }
  };
  const answer = { format: SSE, begin, cancelOnLeave, content };
  const { response, run } = await streamAnswer(parts, context, answer);
  response.headers.set("content-location", runPath(run));
  response.headers.set("location", streamPath(run, request));
  return response;
}

/** Answers with the outcome of the run, once it has ended. */
export async function answerOutcome(
  parts: RouteParts,
  context: ApiContext,
  awaited: AwaitedRun,
): Promise<Response> {
  const { response, run } = await streamAnswer(parts, context, {
    ...awaited,
    format: LATE_JSON,
    content: (run, signal) => streamOutcome(parts, run, signal),
  });
  response.headers.set("content-location", runPath(run));
  return response;
}

/** The path of a run, where LangGraph's clients look for its ids. */
function runPath({ threadId, runId }: Pick<RunRecord, "threadId" | "runId">): string {
  return `/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(runId)}`;
}

/** Returns the headers by which an answer names its run. */
export function runHeaders(run: Pick<RunRecord, "threadId" | "runId">): Record<string, string> {
  return { "content-location": runPath(run), ...idHeaders(run) };
}

function idHeaders({ runId, threadId }: Pick<RunRecord, "threadId" | "runId">) {
  return { "x-run-id": runId, "x-thread-id": encodeURIComponent(threadId) };
}

/** Returns the path at which a client that was cut off resumes the stream. */
function streamPath(
  run: RunRecord,
  { modes, cancelOnLeave }: Omit<StreamRequest & AwaitedRun, "begin">,
): string {
  const query = new URLSearchParams();
  for (const mode of modes) query.append("stream_mode", mode);
  if (cancelOnLeave) query.set("cancel_on_disconnect", "1");
  return `${runPath(run)}/stream?${query.toString()}`;
}

/** A response that streams something of a run. */
interface RunStream extends AwaitedRun {
  readonly format: StreamFormat;
  readonly content: (run: RunRecord, signal: AbortSignal) => AsyncIterable<string>;
}

interface StartedStream {
  readonly response: Response;
  readonly run: RunRecord;
}

/**
 * Streams something of a run, and names the run in the headers. The stream is opened before the run
 * begins: otherwise a caller with too many streams would start a run that it cannot follow.
 */
export async function streamAnswer(
  parts: RouteParts,
  context: ApiContext,
  options: RunStream,
): Promise<StartedStream> {
  const caller = context.get("caller");
  const { promise, resolve, reject } = Promise.withResolvers<RunRecord>();
  // If the stream ends first, nothing awaits the promise.
  promise.catch(() => undefined);
  const note = (error: unknown): void =>
    parts.log.error(error, `Request ${context.get("requestId")} was cut`);
  let isBegun = false;
  // A HEAD request must not change anything, so its end cancels nothing.
  const mayCancel = options.cancelOnLeave && context.req.method !== "HEAD";
  const cancel = async (): Promise<void> => {
    const { runId } = await promise;
    await cancelRun(parts, caller, { runId, action: "interrupt" });
  };
  const response = parts.streams.respond({
    format: options.format,
    userId: caller.userId,
    open: async function* (signal) {
      yield* options.content(await promise, signal);
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
    for (const [name, value] of Object.entries(idHeaders(run))) response.headers.set(name, value);
    return { response, run };
  } catch (error) {
    reject(error);
    throw error;
  }
}
