import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { LoadAnswer, LoadClient } from "../load/client.ts";
import { withServices, type ServiceState, type Services } from "../load/start-services.ts";
import type { Measurement, Row } from "../measurement.ts";

/**
 * Memory of open streams, and what stays after streams that were broken off. The server is alone: no
 * worker takes the runs, so that they emit nothing and their streams stay open.
 */
export const streams: Measurement = {
  name: "streams",
  about: "Memory of a stream that is open and idle, and what stays after clients that leave",
  run: ({ quick, openDatabase, progress }) =>
    withServices(["server"], { openDatabase }, async (services) => {
      const { idle, cycles, quietMs } = quick ? QUICK : FULL;
      const { client } = services;
      // What is made once, with the first of them, is no stream's.
      closeAll(await openMany(client, 50));
      await breakOff(client, Math.min(500, cycles));
      const before = await readQuietState(services, quietMs);
      progress(`${idle} streams`);
      const open = await openMany(client, idle);
      const during = await services.readState();
      closeAll(open);
      const rows: Row[] = [["before", ...describeState(before)]];
      rows.push(["after 0", ...describeState(await readQuietState(services, quietMs))]);
      progress(`${cycles} that are broken off`);
      for (const part of [1, 2]) {
        await breakOff(client, cycles / 2);
        const after = await readQuietState(services, quietMs);
        rows.push([`after ${(part * cycles) / 2}`, ...describeState(after)]);
      }
      const each = (part: "resident" | "heap"): number =>
        (during[part] - before[part]) / 1_000 / idle;
      return [
        {
          title: `${idle} open streams of runs that emit nothing`,
          columns: ["streams", "resident, kB a stream", "heap, kB a stream"],
          rows: [[during.streams, each("resident"), each("heap")]],
          notes: [
            "each of a run and a thread of its own, over a connection of its own; heap: with buffers, after collecting garbage",
          ],
        },
        {
          title: `${cycles} streams that are opened and broken off, ${AT_ONCE} at once`,
          columns: ["", "streams", "sockets", "database connections", "heap, MB", "resident, MB"],
          rows,
          notes: [
            "a third each: a request whose answer is not waited for, one that is broken off once its answer begins, a run begun and broken off",
          ],
        },
      ];
    }),
};

const AT_ONCE = 50;
/** Connections that are kept have gone after `quietMs`, to clients and to the database. */
const FULL = { idle: 1_000, cycles: 5_000, quietMs: 12_000 };
const QUICK: typeof FULL = { idle: 50, cycles: 200, quietMs: 500 };

function describeState(state: ServiceState): Row {
  const { sockets, connections, heap, resident } = state;
  return [state.streams, sockets, connections, heap / 1e6, resident / 1e6];
}

/** Opens streams, each of a run of its own, some at once. */
async function openMany(client: LoadClient, count: number): Promise<readonly LoadAnswer[]> {
  const open: LoadAnswer[] = [];
  while (open.length < count) {
    const more = Math.min(AT_ONCE, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: more }, () => openStream(client)))));
  }
  return open;
}

async function openStream(client: LoadClient): Promise<LoadAnswer> {
  const answer = await client.send("/chat", { message: "is there enough?", thread: randomUUID() });
  if (answer.status === 200) return answer;
  throw new Error(`Cannot open a stream: the server answered ${answer.status}`);
}

function closeAll(open: readonly LoadAnswer[]): void {
  for (const answer of open) answer.abort();
}

/** Opens streams and breaks them off, each in one of three ways. */
async function breakOff(client: LoadClient, cycles: number): Promise<void> {
  const first = await openStream(client);
  const path = `/chat/${String(first.response.headers["x-run-id"])}`;
  const ways = [
    async () => client.abandon(path),
    async () => (await client.send(path)).abort(),
    async () => (await openStream(client)).abort(),
  ];
  let begun = 0;
  const goOn = async (): Promise<void> => {
    while (begun < cycles) {
      begun += 1;
      await ways[begun % ways.length]?.();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  first.abort();
}

async function readQuietState(services: Services, quietMs: number): Promise<ServiceState> {
  await delay(quietMs);
  return services.readState();
}
