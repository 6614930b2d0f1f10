import { randomUUID } from "node:crypto";
import { quantile } from "../figures.ts";
import { collectText } from "../load/client.ts";
import { withServices } from "../load/start-services.ts";
import type { Measurement, Row } from "../measurement.ts";

/** Requests a second of one server, from this process, over connections that are kept. */
export const requests: Measurement = {
  name: "requests",
  about: "Requests a second of one server, by what they need of the database",
  run: ({ quick, openDatabase, progress }) =>
    withServices(["server"], { openDatabase }, async ({ client, readCpuMs }) => {
      const threadId = randomUUID();
      await collectText(await client.send("/threads", { thread_id: threadId }));
      const rows: Row[] = [];
      for (const { name, path, body } of listKinds(threadId)) {
        progress(name);
        const request = async (): Promise<boolean> => {
          const answer = await client.send(path, body);
          await collectText(answer);
          return answer.status === 200;
        };
        const ms = quick ? 200 : 5_000;
        await repeat(request, ms / 5);
        const before = await readCpuMs();
        const { times, errors, took } = await repeat(request, ms);
        const cpuMs = ((await readCpuMs()) - before) / times.length;
        const aSecond = (1_000 * times.length) / took;
        rows.push([name, aSecond, quantile(times, 0.5), quantile(times, 0.95), cpuMs, errors]);
      }
      return [
        {
          title: `Requests, ${AT_ONCE} at once`,
          columns: ["request", "a second", "p50, ms", "p95, ms", "CPU each, ms", "errors"],
          rows,
          notes: [
            "CPU of the server's process; the client takes as much of the machine again, and PostgreSQL its part",
          ],
        },
      ];
    }),
};

const AT_ONCE = 16;

interface RequestKind {
  readonly name: string;
  readonly path: string;
  readonly body?: unknown;
}

function listKinds(threadId: string): readonly RequestKind[] {
  return [
    { name: "GET /ok: no database", path: "/ok" },
    { name: "GET /threads/ID: a row", path: `/threads/${threadId}` },
    { name: "GET /threads/ID/state: a checkpoint", path: `/threads/${threadId}/state` },
    { name: "POST /threads/search: rows", path: "/threads/search", body: { limit: 10 } },
  ];
}

interface Repeated {
  readonly times: readonly number[];
  readonly errors: number;
  readonly took: number;
}

async function repeat(request: () => Promise<boolean>, ms: number): Promise<Repeated> {
  const times: number[] = [];
  let errors = 0;
  const began = performance.now();
  const goOn = async (): Promise<void> => {
    while (performance.now() - began < ms) {
      const sent = performance.now();
      if (!(await request())) errors += 1;
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  return { times, errors, took: performance.now() - began };
}
