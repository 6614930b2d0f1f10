import { expect, test, vi } from "vitest";
import {
  createOpenStreams,
  TooManyStreamsError,
  type StreamAnswer,
  type StreamFormat,
} from "../../../server/stream/open-streams.ts";

const FORMAT: StreamFormat = {
  headers: { "content-type": "text/plain" },
  heartbeat: "<beat>",
  goodbye: "<bye>",
};

const stopping = new AbortController();

function streams(options: Partial<Parameters<typeof createOpenStreams>[0]> = {}) {
  return createOpenStreams({
    perUser: 2,
    stalledMs: 60_000,
    heartbeatMs: 15_000,
    bufferBytes: 65_536,
    stopping: stopping.signal,
    ...options,
  });
}

/** An answer that says some texts, then waits until it is left. */
function answer(texts: readonly string[] = [], options: Partial<StreamAnswer> = {}) {
  const left = Promise.withResolvers<void>();
  const noted = { ended: 0, errors: [] as unknown[], leaves: 0, frames: 0 };
  const made: StreamAnswer = {
    format: FORMAT,
    userId: "ada",
    open: async function* (signal) {
      try {
        for (const text of texts) {
          noted.frames += 1;
          yield text;
        }
        if (!signal.aborted) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        }
      } finally {
        noted.ended += 1;
      }
    },
    onError: (error) => noted.errors.push(error),
    onLeave: () => {
      noted.leaves += 1;
      left.resolve();
    },
    ...options,
  };
  return { made, noted, left: left.promise };
}

function finite(texts: readonly string[]): StreamAnswer["open"] {
  return async function* () {
    yield* texts;
  };
}

async function readUntil(response: Response, text: string): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let read = "";
  while (!read.includes(text)) {
    const next = await reader?.read();
    if (next === undefined || next.done) return read;
    read += decoder.decode(next.value, { stream: true });
  }
  await reader?.cancel();
  return read;
}

test("respond() writes what is said, with the format's headers and the answer's", async () => {
  const open = streams();
  const { made, noted } = answer([], {
    open: finite(["a", "", "b"]),
    headers: { "x-run-id": "r" },
  });
  const response = open.respond(made);
  expect(open.count()).toBe(1);
  expect(await response.text()).toBe("ab");
  expect([response.headers.get("content-type"), response.headers.get("x-run-id")]).toEqual([
    "text/plain",
    "r",
  ]);
  expect(open.count()).toBe(0);
  expect(noted).toMatchObject({ leaves: 0, errors: [] });
});

test("it writes heartbeats while nothing is said", async () => {
  const open = streams({ heartbeatMs: 2 });
  const { made } = answer(["a"]);
  expect(await readUntil(open.respond(made), "<beat><beat>")).toContain("a<beat>");
});

test("a client that leaves is let go of, and its place is free", async () => {
  const counts: number[] = [];
  const open = streams({ onCount: (count) => counts.push(count) });
  const { made, noted, left } = answer(["a"]);
  // It reads the first text and leaves.
  expect(await readUntil(open.respond(made), "a")).toBe("a");
  await left;
  expect(open.count()).toBe(0);
  expect(counts).toEqual([1, 0]);
  await expect.poll(() => noted).toMatchObject({ ended: 1, leaves: 1, errors: [] });
});

test("a client that does not read is dropped, and no more was made than it has room for", async () => {
  const open = streams({ heartbeatMs: 2, stalledMs: 6, bufferBytes: 100 });
  const { made, noted, left } = answer(Array.from({ length: 1_000 }, () => "x".repeat(10)));
  const response = open.respond(made);
  await left;
  expect(noted.frames).toBeLessThanOrEqual(11);
  expect(open.count()).toBe(0);
  await expect(response.text()).rejects.toThrow("its client does not read it");
  await expect.poll(() => noted.ended).toBe(1);
});

test("a client that reads slowly is not dropped", async () => {
  vi.useFakeTimers();
  try {
    const open = streams({ heartbeatMs: 2, stalledMs: 6, bufferBytes: 1 });
    const texts = ["<1>", "<2>", "<3>", "<4>"];
    const { made, noted } = answer([], { open: finite(texts) });
    const reader = open.respond(made).body?.getReader();
    const read: string[] = [];
    for (const _ of texts) {
      // One heartbeat less than it is waited for.
      await vi.advanceTimersByTimeAsync(4);
      const { value } = (await reader?.read()) ?? {};
      read.push(Buffer.from(value ?? []).toString());
    }
    expect([read, noted.leaves]).toEqual([texts, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test("a user has so many streams at most; others have theirs", async () => {
  const open = streams();
  const [first] = [open.respond(answer().made), open.respond(answer().made)];
  expect(() => open.respond(answer().made)).toThrow(TooManyStreamsError);
  const other = open.respond(answer([], { userId: "grace" }).made);
  await first?.body?.cancel();
  const again = open.respond(answer().made);
  expect(open.count()).toBe(3);
  for (const response of [other, again]) await response.body?.cancel();
  expect(open.count()).toBe(1);
});

test("a failure is noted, and the stream is cut", async () => {
  const broken = new Error("The database is gone");
  const open = streams();
  const { made, noted } = answer([], {
    // oxlint-disable-next-line require-yield -- It fails before it says anything.
    open: async function* () {
      throw broken;
    },
  });
  await expect(open.respond(made).text()).rejects.toThrow(broken);
  expect(noted).toMatchObject({ errors: [broken], leaves: 0 });
  expect(open.count()).toBe(0);
});

test("when the server stops, streams say goodbye and end; later ones end at once", async () => {
  const stop = new AbortController();
  const open = streams({ stopping: stop.signal });
  const { made, noted } = answer(["a"]);
  const response = open.respond(made);
  const text = response.text();
  await expect.poll(() => noted.frames).toBe(1);
  stop.abort();
  expect(await text).toBe("a<bye>");
  expect(await open.respond(answer(["b"]).made).text()).toBe("<bye>");
  expect(noted).toMatchObject({ leaves: 0, errors: [] });
  expect(open.count()).toBe(0);
});
