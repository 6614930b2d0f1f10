import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";

/** The servers, the identity and the patience of a client. */
export interface Client {
  /** Any of them answers for any run. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A message of a thread. */
export interface Message {
  readonly threadId: string;
  /** Chosen by the client: sent twice, it is still one message. */
  readonly messageId: string;
  readonly text: string;
}

/** An event with its number in the stream and its time of arrival, by `performance.now()`. */
export interface ReceivedEvent {
  readonly id: string | null;
  readonly at: number;
  readonly event: TurnEvent;
}

/** A run as a client has followed it to its end. */
export interface FollowedRun {
  readonly runId: string;
  readonly events: readonly ReceivedEvent[];
  /** Status in the last event of the stream. */
  readonly status: string;
  /** Number of times that the client came back. */
  readonly returns: number;
}

export interface FollowOptions {
  readonly runId: string;
  /** Index of the server that gets the first request. */
  readonly first: number;
  /** Number of events after which the client hangs up once. */
  readonly leaveAfter: number;
}

const AGAIN_MS = 200;
/** Statuses of a server that is busy, stopping, or without its database: another try is due. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const RunSchema = z.object({ run_id: z.string() });
const EndSchema = z.object({ type: z.literal("end"), status: z.string() });

/** Sends a message until a server accepts it. Returns the id of its run. */
export async function postMessage(
  client: Client,
  { message, first }: { readonly message: Message; readonly first: number },
): Promise<string> {
  const { threadId, messageId, text } = message;
  const body = {
    assistant_id: "concierge",
    input: { messages: [{ type: "human", id: messageId, content: text }] },
    stream_mode: "custom",
    if_not_exists: "create",
  };
  for (let server = first; ; server += 1) {
    const path = `/threads/${threadId}/runs`;
    const response = await ask(client, server, { path, body: JSON.stringify(body) });
    const answer = response && (await nullIfBroken(client.signal, response.text()));
    if (answer !== null) return RunSchema.parse(JSON.parse(answer)).run_id;
    await delay(AGAIN_MS, undefined, { signal: client.signal });
  }
}

/** Reads a run's stream to its end. Whenever it breaks, comes back to the next server with the number of the last event. */
export async function followRun(client: Client, options: FollowOptions): Promise<FollowedRun> {
  const { runId, first, leaveAfter } = options;
  const events: ReceivedEvent[] = [];
  let last: string | null = null;
  let hasLeft = false;
  for (let returns = 0; ; returns += 1) {
    const response = await ask(client, first + returns, { path: `/chat/${runId}`, last });
    for await (const { id, data } of response === null ? [] : readEvents(response)) {
      const end = EndSchema.safeParse(data);
      if (end.success) return { runId, events, status: end.data.status, returns };
      const event = TurnEventSchema.parse(data);
      events.push({ id, at: performance.now(), event });
      last = id ?? last;
      if (hasLeft || events.length < leaveAfter) continue;
      hasLeft = true;
      break;
    }
    await delay(AGAIN_MS, undefined, { signal: client.signal });
  }
}

interface Request {
  readonly path: string;
  /** Body of a POST; absent for a GET. */
  readonly body?: string;
  /** The last event that the client has. */
  readonly last?: string | null;
}

/** Returns the answer; null where another server must be tried. @throws Error for a request that is refused for good. */
async function ask(
  client: Client,
  server: number,
  { path, body, last = null }: Request,
): Promise<Response | null> {
  const { urls, key, signal } = client;
  const sent = {
    signal,
    headers: {
      "content-type": "application/json",
      "x-api-key": key,
      ...(last === null ? {} : { "last-event-id": last }),
    },
    ...(body === undefined ? {} : { method: "POST", body }),
  };
  const response = await nullIfBroken(signal, fetch(`${urls[server % urls.length]}${path}`, sent));
  if (response === null || response.ok) return response;
  const problem = await nullIfBroken(signal, response.text());
  if (LATER.has(response.status)) return null;
  throw new Error(`Cannot request ${path}: the server answered ${response.status}: ${problem}`);
}

interface SentEvent {
  readonly id: string | null;
  readonly data: unknown;
}

/** Yields the server-sent events of an answer until it ends or breaks. */
async function* readEvents(response: Response): AsyncGenerator<SentEvent> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const read = await nullIfBroken(null, reader.read());
      if (read?.value === undefined) return;
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield* parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): readonly SentEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
  const data = fields.get("data");
  return data === undefined ? [] : [{ id: fields.get("id") ?? null, data: JSON.parse(data) }];
}

/** Returns null where the connection broke, for which `fetch` throws a TypeError. @throws the signal's reason. */
async function nullIfBroken<T>(signal: AbortSignal | null, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TypeError) return null;
    throw error;
  }
}
