import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Place } from "./explain-listening.ts";

/** The running status server of a worker. */
export interface WorkerStatus {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/ok` and `/metrics` for a process that is not a server. @throws the system's error. */
export async function serveWorkerStatus(
  render: () => Promise<string>,
  { host, port }: Place,
): Promise<WorkerStatus> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    void answer(request.url ?? "", { render, response });
  });
  server.maxConnections = 100;
  server.listen({ host, port });
  await once(server, "listening");
  const { address, port: found } = AddressSchema.parse(server.address());
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${found}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const AddressSchema = z.custom<AddressInfo>((address) => typeof address === "object");

/** The response to a request, and what it may hold. */
interface StatusAnswer {
  readonly render: () => Promise<string>;
  readonly response: ServerResponse;
}

async function answer(path: string, { render, response }: StatusAnswer): Promise<void> {
  if (path === "/ok") {
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    return;
  }
  if (path !== "/metrics") {
    response
      .writeHead(404, { "content-type": "text/plain" })
      .end("This server answers /ok and /metrics\n");
    return;
  }
  const text = await render().catch(() => null);
  const type = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  if (text === null) response.writeHead(500).end();
  else response.writeHead(200, type).end(text);
}
