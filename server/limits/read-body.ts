import type { HonoRequest, MiddlewareHandler } from "hono";
import { Problem } from "../problems.ts";
import type { ApiEnv } from "../route.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Until all of it is there. */
  readonly bodySeconds: number;
}

/** Deeper JSON is no request of anybody's; reading it would exhaust the stack. */
const DEEPEST = 100;

/** Reads the body of a request before its route does: within its limits or not at all. */
export function readBody(limits: BodyLimits): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { raw } = context.req;
    if (raw.method === "GET" || raw.method === "HEAD" || raw.body === null) return next();
    if (Number(context.req.header("content-length") ?? 0) > limits.bodyBytes) {
      throw tooLarge(limits.bodyBytes);
    }
    const text = await readText(raw.body, limits);
    assertShallow(text);
    keepBody(context.req, text);
    return next();
  };
}

/** Where the framework looks first; its type says that it holds the text, and it is the promise of it. */
function keepBody({ bodyCache }: HonoRequest, text: string): void {
  Object.assign(bodyCache, { text: Promise.resolve(text) });
}

async function readText(body: ReadableStream<Uint8Array>, limits: BodyLimits): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const deadline = createDeadline(limits.bodySeconds);
  try {
    for (;;) {
      // Not cancelled when it is given up: that would close the socket before the answer is sent.
      const { done, value } = await Promise.race([readChunk(reader), deadline.passed]);
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
      chunks.push(value);
    }
  } finally {
    deadline.clear();
  }
  return decode(Buffer.concat(chunks));
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem("invalid_json", {
      detail: "Cannot read the body: it is not UTF-8; send JSON in UTF-8",
      cause,
    });
  }
}

function assertShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > DEEPEST) {
      throw new Problem("invalid_request", {
        detail: `Cannot use the body: it is nested more than ${DEEPEST} levels deep; flatten it`,
        field: "",
      });
    }
  }
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
