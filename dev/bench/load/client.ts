import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Sends requests over connections that are kept, as those of a proxy are. */
export interface LoadClient {
  /** Sends a request; resolves with the beginning of its answer. */
  send(path: string, body?: unknown): Promise<LoadAnswer>;
  /** Sends a request and breaks the connection as soon as it is sent. */
  abandon(path: string): Promise<void>;
  close(): void;
}

export interface LoadAnswer {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Breaks the connection. */
  abort(): void;
}

/** Makes a client of a server. */
export function createLoadClient(url: string): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const begin = (path: string, body?: unknown): ClientRequest => {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const method = body === undefined ? "GET" : "POST";
    const sent = request(new URL(path, url), { agent, headers, method });
    // Whoever waits for the answer gets the error too; whoever breaks it off does not need it.
    sent.on("error", () => undefined);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return sent;
  };
  return {
    async send(path, body) {
      const sent = begin(path, body);
      const [response]: IncomingMessage[] = await once(sent, "response");
      if (response === undefined) throw new Error(`Cannot request ${path}: nothing came`);
      return {
        status: response.statusCode ?? 0,
        response,
        abort() {
          response.on("error", () => undefined);
          sent.destroy();
        },
      };
    },
    async abandon(path) {
      const sent = begin(path);
      await once(sent, "finish");
      // The server must have read it.
      await delay(1);
      sent.destroy();
    },
    close: () => agent.destroy(),
  };
}

/** Reads an answer to its end; `onText` gets all that has come so far with every piece. */
export async function collectText(
  { response }: LoadAnswer,
  onText: (text: string) => void = () => undefined,
): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) {
    text += String(piece);
    onText(text);
  }
  return text;
}

/** A client's wait, in milliseconds from its request on. */
export interface TimedRun {
  /** Until the first event of a node came; null where none did. */
  readonly firstEventMs: number | null;
  /** Until the stream had ended. */
  readonly endMs: number;
  /** The reason it is no answer; null for one. */
  readonly error: string | null;
}

/** Sends a message to a new thread and follows its turn. */
export async function timeRun(client: LoadClient, message: string): Promise<TimedRun> {
  const began = performance.now();
  let firstEventMs: number | null = null;
  const end = (error: string | null): TimedRun => {
    return { firstEventMs, endMs: performance.now() - began, error };
  };
  try {
    const answer = await client.send("/chat", { message, thread: randomUUID() });
    const text = await collectText(answer, (soFar) => {
      if (firstEventMs !== null || !soFar.includes("event: node-start\n")) return;
      firstEventMs = performance.now() - began;
    });
    const succeeded = answer.status === 200 && text.includes('"status":"success"');
    return end(succeeded ? null : `status ${answer.status}: …${text.slice(-200)}`);
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}
