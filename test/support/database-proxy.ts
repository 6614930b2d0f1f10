import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a PostgreSQL server that can be cut and mended, or hang. */
export interface DatabaseProxy {
  /** The same database through this way. */
  readonly url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Lets nothing through any more, on connections that stay open. */
  hang(): void;
  close(): Promise<void>;
}

/**
 * Opens a way on loopback to the server of a database's address. `delayMs` is how much longer a
 * round trip takes on it, as with a server elsewhere.
 */
export async function openDatabaseProxy(
  databaseUrl: string,
  { delayMs = 0 }: { readonly delayMs?: number } = {},
): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const socketFolder = url.searchParams.get("host");
  const port = Number(url.port === "" ? 5432 : url.port);
  const open = new Set<Socket>();
  let isCut = false;
  let isHung = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    if (isHung) {
      open.add(client);
      return;
    }
    const upstream =
      socketFolder === null
        ? connect(port, url.hostname)
        : connect(`${socketFolder}/.s.PGSQL.${port}`);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
      if (from === client && delayMs > 0) forwardLate(from, { to, delayMs });
      else from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.toString(),
    cut,
    mend: () => {
      isCut = false;
    },
    hang() {
      isHung = true;
      for (const socket of open) socket.unpipe();
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Timers of one length end in the order in which they began, so bytes keep theirs. */
function forwardLate(
  from: Socket,
  { to, delayMs }: { readonly to: Socket; readonly delayMs: number },
): void {
  from.setNoDelay(true);
  from.on("data", (chunk) => {
    setTimeout(() => {
      if (to.writable) to.write(chunk);
    }, delayMs);
  });
  from.on("end", () => {
    setTimeout(() => to.end(), delayMs);
  });
}
