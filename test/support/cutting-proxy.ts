import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy that breaks connections: what the network does to clients. */
export interface CuttingProxy {
  readonly url: string;
  /** Number of connections that it has cut. */
  cuts(): number;
  close(): Promise<void>;
}

/**
 * Stands before a server and cuts the first `times` connections in which the server says `marker`
 * right behind it: what comes after is lost.
 */
export async function startCuttingProxy(
  target: string,
  { marker, times }: { readonly marker: string; readonly times: number },
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        server.destroy();
      });
    }
    client.pipe(server);
    server.on("data", (chunk: Buffer) => {
      const at = chunk.indexOf(marker);
      if (cuts >= times || at === -1) {
        client.write(chunk);
        return;
      }
      cuts += 1;
      server.destroy();
      client.end(chunk.subarray(0, at + marker.length));
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port: own } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    cuts: () => cuts,
    async close() {
      const closed = once(proxy, "close");
      proxy.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
