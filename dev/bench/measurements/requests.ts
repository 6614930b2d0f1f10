import { randomUUID } from "node:crypto";
import { quantile } from "../figures.ts";
import { readText, type Asker } from "../load/ask.ts";
import { withServices } from "../load/with-services.ts";
import type { Measurement, Row } from "../measurement.ts";

/** Requests a second of one server, from this process, over connections that are kept. */
export const requests: Measurement = {
  name: "requests",
  about: "Requests a second of one server, by what they take of the database",
  async run({ quick, openDatabase, progress }) {
    const options = { openDatabase, layout: "server alone", models: "instant" } as const;
    return withServices(options, async (services, asker) => {
      const threadId = randomUUID();
      await readText(await asker.ask("/threads", { thread_id: threadId }));
      const rows: Row[] = [];
      for (const { name, path, body } of kindsOf(threadId)) {
        progress(name);
        const request = async (): Promise<boolean> => {
          const answer = await asker.ask(path, body);
          await readText(answer);
          return answer.status === 200;
        };
        const ms = quick ? 200 : 5_000;
        await repeat(request, ms / 5);
        const before = await services.cpuMs();
        const done = await repeat(request, ms);
        const cpuMs = ((await services.cpuMs()) - before) / done.times.length;
        rows.push([
          name,
          (1_000 * done.times.length) / done.ms,
          quantile(done.times, 0.5),
          quantile(done.times, 0.95),
          cpuMs,
          done.errors,
        ]);
      }
      return [
        {
          title: `Requests, ${AT_ONCE} at once`,
          columns: ["request", "a second", "p50, ms", "p95, ms", "CPU each, ms", "errors"],
          rows,
          notes: [
            "CPU of the server's process; who asks takes as much of the machine again, and PostgreSQL its part",
          ],
        },
      ];
    });
  },
};

const AT_ONCE = 16;

interface Kind {
  readonly name: string;
  readonly path: Parameters<Asker["ask"]>[0];
  readonly body?: unknown;
}

function kindsOf(threadId: string): readonly Kind[] {
  return [
    { name: "GET /ok: no database", path: "/ok" },
    { name: "GET /threads/ID: a row", path: `/threads/${threadId}` },
    { name: "GET /threads/ID/state: a checkpoint", path: `/threads/${threadId}/state` },
    { name: "POST /threads/search: rows", path: "/threads/search", body: { limit: 10 } },
  ];
}

/** Asks again and again, so many at once, for so long. */
async function repeat(
  request: () => Promise<boolean>,
  ms: number,
): Promise<{ readonly times: readonly number[]; readonly errors: number; readonly ms: number }> {
  const times: number[] = [];
  let errors = 0;
  const began = performance.now();
  const ask = async (): Promise<void> => {
    while (performance.now() - began < ms) {
      const asked = performance.now();
      if (!(await request())) errors += 1;
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return { times, errors, ms: performance.now() - began };
}
