import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Serves HTTP on a free port of a loopback address until the test has ended; returns the port. */
export async function serveHttp(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
