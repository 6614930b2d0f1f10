import { ChatOpenAI } from "@langchain/openai";
import { fc, test } from "@fast-check/vitest";
import { afterEach, describe, expect } from "vitest";
import { classifyRetry } from "../../../models/queue/classify-retry.ts";
import { readErrorFacts } from "../../../models/failures/diagnose.ts";
import { toModelError } from "../../../models/failures/errors.ts";
import { readRetryAfter } from "../../../models/queue/retry-after.ts";
import { FAULTS, startOpenAIMock, type Fault, type OpenAIMock } from "../../support/openai-mock.ts";

const NOW = Date.UTC(2026, 2, 2, 12, 0, 0);
const NO = { kind: "no" };
const AGAIN = { kind: "retry" };
const RATE_LIMIT = { kind: "rate-limit", seconds: null };

function failure(facts: object, message = "no"): Error {
  return Object.assign(new Error(message), facts);
}

function unreachable(code: string): Error {
  const cause = new Error("fetch failed", { cause: failure({ code }) });
  return Object.assign(new Error("Connection error.", { cause }), { name: "APIConnectionError" });
}

describe("classifyRetry()", () => {
  test.each([
    [429, RATE_LIMIT],
    [408, AGAIN],
    [409, AGAIN],
    [500, AGAIN],
    [502, AGAIN],
    [503, AGAIN],
    [504, AGAIN],
    [529, AGAIN],
    [400, NO],
    [401, NO],
    [402, NO],
    [403, NO],
    [404, NO],
    [413, NO],
    [422, NO],
  ])("judges the status %i", (status, retry) => {
    expect(classifyRetry(failure({ status }))).toEqual(retry);
  });

  test.each<[string, unknown, object]>([
    ["no credit", failure({ status: 429, code: "insufficient_quota" }), NO],
    ["no credit, in the body", failure({ status: 429, error: { code: "insufficient_quota" } }), NO],
    [
      "a prompt too long, as a 500",
      failure({ status: 500 }, "the request exceeds the available context size"),
      NO,
    ],
    [
      "tokens of a minute",
      failure({ status: 429 }, "Request too large: too many tokens per minute"),
      RATE_LIMIT,
    ],
    ["a router's code in the body", failure({ error: { code: 502 } }), AGAIN],
    ["a stopped call", failure({ name: "AbortError" }), NO],
    ["a stopped call of OpenAI's client", failure({ name: "APIUserAbortError" }), NO],
    ["a timeout", failure({ name: "TimeoutError" }), NO],
    ["a timeout of OpenAI's client", failure({ name: "APIConnectionTimeoutError" }), NO],
    ["minutes of silence", unreachable("UND_ERR_HEADERS_TIMEOUT"), NO],
    ["nothing that listens", unreachable("ECONNREFUSED"), AGAIN],
    ["a name that is not resolved", unreachable("EAI_AGAIN"), AGAIN],
    ["a connection that is closed", unreachable("UND_ERR_SOCKET"), AGAIN],
    ["a connection that is not opened in time", unreachable("UND_ERR_CONNECT_TIMEOUT"), AGAIN],
    ["a certificate", unreachable("CERT_HAS_EXPIRED"), NO],
    ["a failed fetch", new TypeError("fetch failed"), AGAIN],
    ["a stream that breaks", new TypeError("terminated"), AGAIN],
    ["a page in place of an answer", new SyntaxError("Unexpected token <"), AGAIN],
    ["an answer that is none", failure({ name: "NotAnAnswerError" }), AGAIN],
    ["an error in a stream", failure({ name: "APIError", code: "server_error" }), AGAIN],
    ["a number that is no status", failure({ name: "APIError", error: { code: 1 } }), AGAIN],
    ["no credit, in a stream", failure({ name: "APIError", code: "insufficient_quota" }), NO],
    ["a rejected key, in a stream", failure({ name: "APIError", code: "invalid_api_key" }), NO],
    ["an unknown model, in a stream", failure({ name: "APIError", code: "model_not_found" }), NO],
    ["a mistake of the program", new TypeError("x is not a function"), NO],
    ["a text", "429", NO],
    ["nothing", undefined, NO],
  ])("judges %s", (_, error, retry) => {
    expect(classifyRetry(error)).toEqual(retry);
  });

  test("reads how long a rate limit lasts, and of a 503 that says so", () => {
    const headers = new Headers({ "retry-after": "7" });

    expect([
      classifyRetry(failure({ status: 429, headers })),
      classifyRetry(failure({ status: 503, headers: { "Retry-After": "7" } })),
      classifyRetry(failure({ status: 500, headers })),
    ]).toEqual([{ kind: "rate-limit", seconds: 7 }, { kind: "rate-limit", seconds: 7 }, AGAIN]);
  });

  test("judges a ModelError by its cause", () => {
    const context = { model: "gpt-test", endpoint: null, secrets: [] };

    expect([
      classifyRetry(toModelError(failure({ status: 500 }), context)),
      classifyRetry(toModelError(failure({ status: 401 }), context)),
    ]).toEqual([AGAIN, NO]);
  });
});

describe("classifyRetry() of what LangChain's client throws", () => {
  const started: OpenAIMock[] = [];
  afterEach(async () => void (await Promise.all(started.splice(0).map((mock) => mock.close()))));

  async function catchFailure(fault: Fault): Promise<unknown> {
    const mock = await startOpenAIMock({ answer: () => ({ text: "Hello." }) });
    started.push(mock);
    mock.fail(fault);
    const configuration = { baseURL: mock.baseUrl, maxRetries: 0 };
    const chat = new ChatOpenAI({ model: "m", apiKey: "key", maxRetries: 0, configuration });
    return chat.invoke("Hello?").catch((error: unknown) => error);
  }

  test.each<[string, Fault, object]>([
    [
      "a rate limit with its time",
      { ...FAULTS.rateLimited, retryAfterMs: 90_000 },
      { kind: "rate-limit", seconds: 90 },
    ],
    ["an error of the server", FAULTS.serverError, AGAIN],
    ["a prompt that is too long", FAULTS.contextTooLong, NO],
    [
      "an account without credit",
      {
        kind: "status",
        status: 429,
        error: { message: "You exceeded your current quota.", code: "insufficient_quota" },
      },
      NO,
    ],
  ])("judges %s", async (_, fault, retry) => {
    expect(classifyRetry(await catchFailure(fault))).toEqual(retry);
  });

  test("judges an endpoint that is gone", async () => {
    const mock = await startOpenAIMock({ answer: () => ({ text: "Hello." }) });
    await mock.close();
    const configuration = { baseURL: mock.baseUrl, maxRetries: 0 };
    const chat = new ChatOpenAI({ model: "m", apiKey: "key", maxRetries: 0, configuration });

    const error: unknown = await chat.invoke("Hello?").catch((error: unknown) => error);

    expect(classifyRetry(error)).toEqual(AGAIN);
  });
});

describe("readRetryAfter()", () => {
  test.each<[string, Record<string, string>, number | null]>([
    ["seconds", { "retry-after": "20" }, 20],
    ["a part of a second", { "retry-after": " 0.5 " }, 0.5],
    ["milliseconds before seconds", { "retry-after": "20", "retry-after-ms": "1500" }, 1.5],
    ["seconds where milliseconds cannot be read", { "retry-after": "2", "retry-after-ms": "x" }, 2],
    ["a date", { "retry-after": "Mon, 02 Mar 2026 12:01:30 GMT" }, 90],
    [
      "a date by the clock of the server",
      { "retry-after": "Mon, 02 Mar 2026 13:00:30 GMT", date: "Mon, 02 Mar 2026 13:00:00 GMT" },
      30,
    ],
    ["a date that has passed", { "retry-after": "Mon, 02 Mar 2026 11:00:00 GMT" }, 0],
    ["a negative number", { "retry-after": "-1" }, null],
    ["no number", { "retry-after": "soon" }, null],
    ["infinity", { "retry-after": "9".repeat(400) }, null],
    ["nothing", { "retry-after": "" }, null],
    ["no such header", { date: "Mon, 02 Mar 2026 11:00:00 GMT" }, null],
  ])("reads %s, from a Headers object and from a plain one", (_, headers, seconds) => {
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );

    expect([
      readRetryAfter(new Headers(headers), NOW),
      readRetryAfter(headers, NOW),
      readRetryAfter(capitals, NOW),
    ]).toEqual([seconds, seconds, seconds]);
  });

  test.prop([fc.anything()])(
    "is null or a finite number from 0 on, whatever it gets",
    (headers) => {
      const seconds = readRetryAfter(headers, NOW);
      expect(seconds === null || (Number.isFinite(seconds) && seconds >= 0)).toBe(true);
    },
  );

  test.prop([fc.string()])("reads any value of the header without throwing", (value) => {
    const { retryAfter } = readErrorFacts({ headers: { "retry-after": value } });
    expect(retryAfter === null || (Number.isFinite(retryAfter) && retryAfter >= 0)).toBe(true);
  });
});
