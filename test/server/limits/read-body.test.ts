import { Hono } from "hono";
import { expect, test } from "vitest";
import { readBody } from "../../../server/limits/read-body.ts";
import type { ApiEnv } from "../../../server/route.ts";

const BYTES = 1_000_000;

const app = new Hono<ApiEnv>();
app.use(readBody({ bodyBytes: BYTES, bodySeconds: 30 }));
app.post("/", async (context) => context.json((await context.req.text()).length));
app.onError((error, context) => context.text(Reflect.get(error, "code"), 400));

/** Sends a body; returns its length as the route reads it, or the problem's code. */
async function post(body: string | ReadableStream<Uint8Array>): Promise<string> {
  const length = typeof body === "string" ? { "content-length": `${body.length}` } : {};
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...length },
    ...(typeof body === "string" ? {} : { duplex: "half" }),
  });
  return (await app.request(request)).text();
}

function inChunks(count: number, bytes: number): ReadableStream<Uint8Array> {
  return ReadableStream.from(Array.from({ length: count }, () => Buffer.alloc(bytes, " ")));
}

function writeText(length: number): string {
  return `"${"x".repeat(length - 2)}"`;
}

function writeNest(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

function writeList(values: number): string {
  return `[${Array.from({ length: values - 1 }, () => "1").join(",")}]`;
}

test("readBody() takes as many bytes as allowed, and no more", async () => {
  expect(await post(writeText(BYTES))).toBe(`${BYTES}`);
  expect(await post(writeText(BYTES + 1))).toBe("body_too_large");
});

test("readBody() counts the bytes of all chunks together", async () => {
  expect(await post(inChunks(10, BYTES / 10))).toBe(`${BYTES}`);
  expect(await post(inChunks(11, BYTES / 10))).toBe("body_too_large");
});

test("readBody() takes a hundred levels, and no more", async () => {
  expect(await post(writeNest(100))).toBe("200");
  expect(await post(writeNest(101))).toBe("invalid_request");
});

test("readBody() takes ten thousand values, and counts none inside a text", async () => {
  expect(await post(writeList(10_000))).toBe(`${writeList(10_000).length}`);
  expect(await post(writeList(10_001))).toBe("invalid_request");
  for (const text of [",".repeat(20_000), String.raw`\"${",".repeat(20_000)}`, "[".repeat(200)]) {
    expect(await post(`"${text}"`)).toBe(`${text.length + 2}`);
  }
});
