import { once } from "node:events";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Requests over connections that are kept, as those of a proxy are. */
export interface Asker {
  /** Sends a request; resolves with the beginning of its answer. */
  ask(path: string, body?: unknown): Promise<Answer>;
  /** Sends a request and breaks the connection as soon as it is sent. */
  abandon(path: string): Promise<void>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Breaks the connection. */
  abort(): void;
}

/** Makes one for a server. */
export function createAsker(url: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return {
    async ask(path, body) {
      const sent = send(new URL(path, url), { agent, body });
      const [response]: IncomingMessage[] = await once(sent, "response");
      if (response === undefined) throw new Error(`Cannot ask for ${path}: nothing came`);
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
      const sent = send(new URL(path, url), { agent, body: undefined });
      await once(sent, "finish");
      // The server is to have read it.
      await delay(1);
      sent.destroy();
    },
    close: () => agent.destroy(),
  };
}

function send(
  url: URL,
  { agent, body }: { readonly agent: Agent; readonly body: unknown },
): ClientRequest {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const sent = request(url, { agent, headers, method: body === undefined ? "GET" : "POST" });
  // Whoever waits for the answer hears of it, too; who breaks it off need not.
  sent.on("error", () => undefined);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return sent;
}

/** Reads an answer to its end. */
export async function readText({ response }: Answer): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) text += String(piece);
  return text;
}
