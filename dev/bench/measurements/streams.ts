import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Answer, Asker } from "../load/ask.ts";
import type { ServiceState } from "../load/service-task.ts";
import type { Services } from "../load/start-services.ts";
import { withServices } from "../load/with-services.ts";
import { kB } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";

/**
 * What open streams take, and what stays of those that were broken off. The server is alone: no
 * worker takes the runs, so that nothing is told and their streams stay open.
 */
export const streams: Measurement = {
  name: "streams",
  about: "Memory of a stream that is open and idle, and what clients that leave let stay",
  async run({ quick, openDatabase, progress }) {
    const { idle, cycles, quietMs } = quick ? QUICK : FULL;
    const options = { openDatabase, layout: "server alone", models: "instant" } as const;
    return withServices(options, async (services, asker) => {
      // What is made once, with the first of them, is no stream's.
      await openMany(asker, 50).then(closeAll);
      await breakOff(asker, Math.min(500, cycles));
      const before = await settled(services, quietMs);
      progress(`${idle} streams`);
      const open = await openMany(asker, idle);
      const during = await services.state();
      closeAll(open);
      const after = await settled(services, quietMs);
      progress(`${cycles} that are broken off`);
      const rows: Row[] = [
        ["before", ...heldOf(before)],
        ["after 0", ...heldOf(after)],
      ];
      for (const part of [1, 2]) {
        await breakOff(asker, cycles / 2);
        rows.push([`after ${(part * cycles) / 2}`, ...heldOf(await settled(services, quietMs))]);
      }
      return [
        {
          title: `${idle} open streams of runs that tell nothing`,
          columns: ["", "streams", "resident, kB a stream", "heap, kB a stream"],
          rows: [
            [
              "open",
              during.streams,
              kB(during.resident - before.resident) / idle,
              kB(during.heap - before.heap) / idle,
            ],
          ],
          notes: [
            "each of a run and a thread of its own, over a connection of its own; heap: with buffers, after collecting garbage",
          ],
        },
        {
          title: `${cycles} streams that are opened and broken off, ${AT_ONCE} at once`,
          columns: ["", ...HELD],
          rows,
          notes: [
            "a third each: a request whose answer is not waited for, one that is broken off once its answer begins, a run begun and broken off",
            "heap: with buffers, after collecting garbage; sockets: to clients and to the database",
          ],
        },
      ];
    });
  },
};

const AT_ONCE = 50;
/** Connections that are kept have gone by then, to clients and to the database. */
const FULL = { idle: 1_000, cycles: 5_000, quietMs: 12_000 } as const;
const QUICK = { idle: 50, cycles: 200, quietMs: 500 } as const;
const HELD = [
  "streams",
  "sockets",
  "connections to the database",
  "listeners",
  "heap, MB",
  "resident, MB",
] as const;

function heldOf(state: ServiceState): Row {
  const { streams, sockets, connections, listeners, heap, resident } = state;
  return [streams, sockets, connections, listeners, heap / 1e6, resident / 1e6];
}

/** Opens streams, each of a run of its own, as many at once as a browser's users would. */
async function openMany(asker: Asker, count: number): Promise<readonly Answer[]> {
  const open: Answer[] = [];
  while (open.length < count) {
    const more = Math.min(AT_ONCE, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: more }, () => openStream(asker)))));
  }
  return open;
}

async function openStream(asker: Asker): Promise<Answer> {
  const answer = await asker.ask("/chat", { message: "is there enough?", thread: randomUUID() });
  if (answer.status === 200) return answer;
  throw new Error(`Cannot open a stream: the server answered ${answer.status}`);
}

function closeAll(open: readonly Answer[]): void {
  for (const answer of open) answer.abort();
}

/** Opens and breaks off so many, each in one of three ways. */
async function breakOff(asker: Asker, cycles: number): Promise<void> {
  const first = await openStream(asker);
  const path = `/chat/${String(first.response.headers["x-run-id"])}`;
  const ways = [
    async () => asker.abandon(path),
    async () => (await asker.ask(path)).abort(),
    async () => (await openStream(asker)).abort(),
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

/** What the server holds once it has noticed that its clients are gone. */
async function settled(services: Services, quietMs: number): Promise<ServiceState> {
  await delay(quietMs);
  return services.state();
}
