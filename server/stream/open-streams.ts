/** The form of one kind of stream, apart from its content. */
export interface StreamFormat {
  readonly headers: Readonly<Record<string, string>>;
  /** Written while nothing else is, so that both sides notice when the other is gone. */
  readonly heartbeat: string;
  /** Written when the server stops; empty for nothing. */
  readonly goodbye: string;
}

export interface StreamAnswer {
  readonly format: StreamFormat;
  /** The stream's user, who may have a limited number open. */
  readonly userId: string;
  /** More headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Yields the content, one text after another. `signal` aborts when the client is gone: a pending
   * wait must then return, and what it throws is ignored.
   */
  readonly open: (signal: AbortSignal) => AsyncIterable<string>;
  /** Called once if the client left, or was dropped, before the end was written. */
  readonly onLeave?: () => void;
  /** Receives the error that `open` throws; the stream is cut. */
  readonly onError: (error: unknown) => void;
}

/** The answers of a process that are still being written. */
export interface OpenStreams {
  /** @throws TooManyStreamsError when the user has as many open as allowed. */
  respond(answer: StreamAnswer): Response;
  /** Tests for a body of one of these answers: it may fail after part of it has been written. */
  made(body: Response["body"]): boolean;
  /** Returns the number of open streams. */
  count(): number;
}

export interface OpenStreamsOptions {
  /** Streams of one user at most. */
  readonly perUser: number;
  /** Time after which a client that does not read is dropped, in milliseconds. */
  readonly stalledMs: number;
  /** Aborts when the server stops: all streams write their goodbye and end, later ones at once. */
  readonly stopping: AbortSignal;
  /** Time between two heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /** Bytes that may wait for one client: no more are produced until it reads them. */
  readonly bufferBytes: number;
  /** Receives the number of open streams whenever it changes. */
  readonly onCount?: (count: number) => void;
}

/** Thrown when a user has as many streams open as allowed. */
export class TooManyStreamsError extends Error {
  override readonly name = "TooManyStreamsError";
  readonly code = "too_many_streams";

  constructor(perUser: number) {
    super(`Cannot open another stream: you have ${perUser} open, which is the limit; close one`);
  }
}

/** Creates the register of open streams. One timer serves them all, and runs only while there are any. */
export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { perUser, stalledMs, heartbeatMs, bufferBytes, stopping } = options;
  const open = new Map<OpenStream, string>();
  const countOf = new Map<string, number>();
  const bodies = new WeakSet<object>();
  let timer: NodeJS.Timeout | null = null;
  const beat = (): void => {
    for (const stream of open.keys()) stream.beat();
  };
  const enter = (stream: OpenStream, userId: string): void => {
    open.set(stream, userId);
    countOf.set(userId, (countOf.get(userId) ?? 0) + 1);
    timer ??= setInterval(beat, heartbeatMs).unref();
    options.onCount?.(open.size);
  };
  const leave = (stream: OpenStream, userId: string): void => {
    open.delete(stream);
    const left = (countOf.get(userId) ?? 1) - 1;
    if (left === 0) countOf.delete(userId);
    else countOf.set(userId, left);
    options.onCount?.(open.size);
    if (open.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  const closeAll = (): void => {
    for (const stream of open.keys()) stream.close();
  };
  stopping.addEventListener("abort", closeAll, { once: true });
  return {
    respond(answer) {
      const { userId, format, headers } = answer;
      if ((countOf.get(userId) ?? 0) >= perUser) throw new TooManyStreamsError(perUser);
      const stream = startStream(answer, {
        bufferBytes,
        patience: Math.ceil(stalledMs / heartbeatMs),
        onEnd: () => leave(stream, userId),
      });
      enter(stream, userId);
      bodies.add(stream.body);
      if (stopping.aborted) stream.close();
      return new Response(stream.body, { headers: { ...format.headers, ...headers } });
    },
    made: (body) => body !== null && bodies.has(body),
    count: () => open.size,
  };
}

interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Writes a heartbeat if there is room; drops a client that has not read for too long. */
  beat(): void;
  /** Writes the goodbye and ends. */
  close(): void;
}

/** Ends a stream whose client does not read. */
class StalledStreamError extends Error {
  override readonly name = "StalledStreamError";

  constructor() {
    super("Cannot continue a stream: its client does not read it");
  }
}

interface StreamBounds {
  readonly bufferBytes: number;
  /** Number of heartbeats to wait for a client that does not read. */
  readonly patience: number;
  readonly onEnd: () => void;
}

function startStream(
  answer: StreamAnswer,
  { bufferBytes, patience, onEnd }: StreamBounds,
): OpenStream {
  const gone = new AbortController();
  const texts = answer.open(gone.signal)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let missedBeats = 0;
  let isOver = false;
  /** Ends the stream; only the first call has an effect and returns true. */
  const finish = (how: () => void): boolean => {
    if (isOver) return false;
    isOver = true;
    onEnd();
    how();
    gone.abort();
    // A pending read ends with the abort; its end is not awaited.
    void texts.return?.().catch(() => undefined);
    return true;
  };
  const write = (text: string): void => {
    if (text !== "") controller?.enqueue(encoder.encode(text));
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      async pull() {
        missedBeats = 0;
        try {
          let next = await texts.next();
          // Without a write, the stream would not pull again.
          while (next.done !== true && next.value === "") next = await texts.next();
          if (isOver) return;
          if (next.done === true) finish(() => controller?.close());
          else write(next.value);
        } catch (error) {
          if (finish(() => controller?.error(error))) answer.onError(error);
        }
      },
      cancel() {
        if (finish(() => undefined)) answer.onLeave?.();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  );
  return {
    body,
    beat() {
      if ((controller?.desiredSize ?? 0) > 0) {
        write(answer.format.heartbeat);
        return;
      }
      missedBeats += 1;
      if (missedBeats < patience) return;
      if (finish(() => controller?.error(new StalledStreamError()))) answer.onLeave?.();
    },
    close() {
      finish(() => {
        write(answer.format.goodbye);
        controller?.close();
      });
    },
  };
}
