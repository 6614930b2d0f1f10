import type { HonoRequest, MiddlewareHandler } from "hono";
import { Problem } from "../problems.ts";
import type { ApiContext, ApiEnv } from "../route.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Longest time until the whole body has arrived. */
  readonly bodySeconds: number;
}

/** Not a setting: no request of this API nests deeper, and reading deeper JSON would exhaust the stack. */
const DEEPEST = 100;

/** Not a setting: no request has more values, and checking more would block other requests for seconds. */
const MOST_VALUES = 10_000;

/** Reads the body of a request before its route does, and refuses one that exceeds the limits. */
export function readBody(limits: BodyLimits): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { method } = context.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const deadline = createDeadline(limits.bodySeconds);
    try {
      const bytes = await readBytes(context, limits, deadline.passed);
      if (bytes !== null) {
        assertNotEncoded(context.req);
        // A client that sends its type with every request sends nothing where it gives no field.
        keepBody(context.req, decode(bytes) || "{}");
      }
    } finally {
      deadline.clear();
    }
    return next();
  };
}

/** Returns null if there is no body. A body that is refused is not cancelled: that would close the socket before the answer is sent. */
async function readBytes(
  { req, env }: ApiContext,
  limits: BodyLimits,
  late: Promise<never>,
): Promise<Uint8Array | null> {
  const length = req.header("content-length");
  const isChunked = req.header("transfer-encoding") !== undefined;
  if (length !== undefined && !isChunked) {
    if (Number(length) > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    // Much faster than chunk by chunk; no more bytes than its length can arrive.
    return new Uint8Array(await Promise.race([whileSent(req.raw.arrayBuffer()), late]));
  }
  const hasNone = env?.incoming !== undefined && !isChunked;
  if (hasNone || req.raw.body === null) return null;
  return readChunks(req.raw.body, limits, late);
}

/** Stores the body where the framework looks first: its type asks for the text, its code for a promise of it. */
function keepBody({ bodyCache }: HonoRequest, text: string): void {
  Object.assign(bodyCache, { text: Promise.resolve(text) });
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
  late: Promise<never>,
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
      detail: "Cannot read the body: the connection ended before it was complete; send it again",
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

/** Refuses compressed bodies: a few bytes could expand to more than a body may have. */
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

/** Checks depth and number of values before the text is parsed. */
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
