import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../driver/events.ts";

/** Where a client finds servers, who it is, and when it gives up. */
export interface Client {
  /** Any of them answers for any run. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A message of a thread. */
export interface Message {
  readonly threadId: string;
  /** Its own: sent twice, it is still one message. */
  readonly messageId: string;
  readonly text: string;
}

/** An event, its number in the stream, and when it came, by `performance.now()`. */
export interface HeardEvent {
  readonly id: string | null;
  readonly at: number;
  readonly event: TurnEvent;
}

/** A run as a client has followed it to its end. */
export interface HeardRun {
  readonly runId: string;
  readonly events: readonly HeardEvent[];
  /** As the stream's end says. */
  readonly status: string;
  /** How often the client came back. */
  readonly returns: number;
}

export interface FollowOptions {
  readonly runId: string;
  /** The server that is asked first, by its number. */
  readonly first: number;
  /** The client hangs up once after so many events, in the middle of whatever comes. */
  readonly leaveAfter: number;
}

const AGAIN_MS = 200;
/** A server that is busy, stopping, or without its database: to be asked again. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const RunSchema = z.object({ run_id: z.string() });
const EndSchema = z.object({ type: z.literal("end"), status: z.string() });

/** Sends a message, again and again until a server has taken it. Returns the id of its run. */
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
    const answer = response && (await unlessBroken(client.signal, response.text()));
    if (answer !== null) return RunSchema.parse(JSON.parse(answer)).run_id;
    await delay(AGAIN_MS, undefined, { signal: client.signal });
  }
}

/** Reads a run's stream to its end. Whenever it breaks, comes back to the next server with the number of the last event. */
export async function followRun(client: Client, options: FollowOptions): Promise<HeardRun> {
  const { runId, first, leaveAfter } = options;
  const events: HeardEvent[] = [];
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
  /** With one it is a POST. */
  readonly body?: string;
  /** The last event that the client has. */
  readonly last?: string | null;
}

/** The answer, or null where another server is to be asked. @throws Error for a request that is refused for good. */
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
  const response = await unlessBroken(signal, fetch(`${urls[server % urls.length]}${path}`, sent));
  if (response === null || response.ok) return response;
  const problem = await unlessBroken(signal, response.text());
  if (LATER.has(response.status)) return null;
  throw new Error(`Cannot go on: ${path} was answered with ${response.status}: ${problem}`);
}

interface SentEvent {
  readonly id: string | null;
  readonly data: unknown;
}

/** The server-sent events of an answer, until it ends or breaks. */
async function* readEvents(response: Response): AsyncGenerator<SentEvent> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const read = await unlessBroken(null, reader.read());
      if (read?.value === undefined) return;
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield* eventIn(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventIn(block: string): readonly SentEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
  const data = fields.get("data");
  return data === undefined ? [] : [{ id: fields.get("id") ?? null, data: JSON.parse(data) }];
}

/** Null where the connection broke, which clients of `fetch` are told with a TypeError. @throws the signal's reason. */
async function unlessBroken<T>(signal: AbortSignal | null, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TypeError) return null;
    throw error;
  }
}
