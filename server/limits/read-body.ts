import type { HonoRequest, MiddlewareHandler } from "hono";
import { Problem } from "../problems.ts";
import type { ApiContext, ApiEnv } from "../route.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Until all of it is there. */
  readonly bodySeconds: number;
}

/** Deeper JSON is no request of anybody's; reading it would exhaust the stack. */
const DEEPEST = 100;

/** Nor is JSON of more values: to check them all would keep everybody else waiting for seconds. */
const MOST_VALUES = 10_000;

/** Reads the body of a request before its route does: within its limits or not at all. */
export function readBody(limits: BodyLimits): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { method } = context.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const deadline = createDeadline(limits.bodySeconds);
    try {
      const bytes = await readBytes(context, { limits, late: deadline.passed });
      if (bytes !== null) {
        assertNotEncoded(context.req);
        keepBody(context.req, decode(bytes));
      }
    } finally {
      deadline.clear();
    }
    return next();
  };
}

/** Null where there is no body. Not cancelled when it is given up: that would close the socket before the answer is sent. */
async function readBytes(
  { req, env }: ApiContext,
  { limits, late }: { readonly limits: BodyLimits; readonly late: Promise<never> },
): Promise<Uint8Array | null> {
  const length = req.header("content-length");
  const isChunked = req.header("transfer-encoding") !== undefined;
  if (length !== undefined && !isChunked) {
    if (Number(length) > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    // Much faster than by chunks, and no more than its length can come.
    return new Uint8Array(await Promise.race([whileSent(req.raw.arrayBuffer()), late]));
  }
  const hasNone = env?.incoming !== undefined && !isChunked;
  if (hasNone || req.raw.body === null) return null;
  return readChunks(req.raw.body, { limits, late });
}

/** Stores the body where the framework looks first: its type asks for the text, its code for a promise of it. */
function keepBody({ bodyCache }: HonoRequest, text: string): void {
  Object.assign(bodyCache, { text: Promise.resolve(text) });
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  { limits, late }: { readonly limits: BodyLimits; readonly late: Promise<never> },
): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await Promise.race([whileSent(reader.read()), late]);
    if (done) return Buffer.concat(chunks);
    bytes += value.byteLength;
    if (bytes > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    chunks.push(value);
  }
}

async function whileSent<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new Problem("bad_request", {
      detail: "Cannot read the body: its sender left before it was complete; send it again",
      cause,
    });
  }
}

function createDeadline(seconds: number): {
  readonly passed: Promise<never>;
  clear(): void;
} {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timer = setTimeout(() => reject(tooSlow(seconds)), seconds * 1_000);
  return { passed: promise, clear: () => clearTimeout(timer) };
}

/** No encoding is undone: a few bytes could become more than a body may have. */
function assertNotEncoded(request: HonoRequest): void {
  const coding = request.header("content-encoding")?.trim() ?? "";
  if (coding === "" || coding.toLowerCase() === "identity") return;
  throw new Problem("unsupported_media_type", {
    detail: `Cannot read the body: it is encoded ("${coding.slice(0, 40)}"); send it without "content-encoding"`,
    headers: { "accept-encoding": "identity" },
  });
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  assertPlain(text);
  return text;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem("invalid_json", {
      detail: "Cannot read the body: it is not UTF-8; send JSON in UTF-8",
      cause,
    });
  }
}

/** Neither deep nor of many values, before anything is made of it. */
function assertPlain(text: string): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ",") values += 1;
    else if (character === "{" || character === "[") {
      depth += 1;
      values += 1;
    } else if (character === "}" || character === "]") depth -= 1;
    if (depth > DEEPEST) throw tooMuch(`it is nested more than ${DEEPEST} levels deep; flatten it`);
    if (values > MOST_VALUES) throw tooMuch(`it has more than ${MOST_VALUES} values; send fewer`);
  }
}

function tooMuch(what: string): Problem {
  return new Problem("invalid_request", { detail: `Cannot use the body: ${what}`, field: "" });
}

function tooLarge(bytes: number): Problem {
  return new Problem("body_too_large", {
    detail: `Cannot read the body: it has more than ${bytes} bytes; send less`,
    headers: { connection: "close" },
  });
}

function tooSlow(seconds: number): Problem {
  return new Problem("body_too_slow", {
    detail: `Cannot read the body: it was not complete after ${seconds} seconds; send it at once`,
    headers: { connection: "close" },
  });
}
