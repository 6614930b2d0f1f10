import { inspect } from "node:util";
import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { redact, toModelError } from "../../../models/failures/errors.ts";
import { ModelError, type ModelErrorCode } from "../../../state/model.ts";

const CONTEXT = { model: "gpt-test", endpoint: "models.example:8080", secrets: ["open-sesame-42"] };

function failure(message: string, facts: object = {}): Error {
  return Object.assign(new Error(message), facts);
}

function unreachable(code: string): Error {
  const cause = new Error("fetch failed", { cause: failure("no", { code }) });
  return Object.assign(new Error("Connection error.", { cause }), { name: "APIConnectionError" });
}

function expectExplained(error: unknown, code: ModelErrorCode, found: string): void {
  const made = toModelError(error, CONTEXT);

  expect(made).toBeInstanceOf(ModelError);
  expect([made.code, made.message.split("; ")[0]]).toEqual([
    code,
    `Cannot get an answer from model "gpt-test" at models.example:8080: ${found}`,
  ]);
}

test.each([
  ["ECONNREFUSED", "nothing is listening there"],
  ["ENOTFOUND", "the host name cannot be found"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate was not accepted"],
  ["CERT_HAS_EXPIRED", "its certificate was not accepted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate was not accepted"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "its certificate was not accepted"],
  ["UND_ERR_SOCKET", "it closed the connection without an answer"],
])("toModelError() explains the network's code %s", (code, found) => {
  expectExplained(unreachable(code), "model_unreachable", `${found} (${code})`);
});

test.each<[number, string, ModelErrorCode, string]>([
  [503, "", "model_failed", "the endpoint failed"],
  [402, "", "model_no_credit", "the account has no credit left"],
  [
    404,
    'model "q" not found, try pulling it first',
    "model_unknown",
    "the endpoint does not know this model",
  ],
  [429, "Request too large: too many tokens per minute", "model_rate_limited", "too many requests"],
  [413, "", "model_context_too_long", "the prompt is longer than the model accepts"],
])("toModelError() explains the status %i %j", (status, message, code, found) => {
  expectExplained(failure(message, { status }), code, `${found} (${status})`);
});

test.each<[string, unknown, ModelErrorCode, string]>([
  ["a failed fetch", new TypeError("fetch failed"), "model_unreachable", "it cannot be reached"],
  [
    "a broken stream",
    new TypeError("terminated", {
      cause: failure("other side closed", { code: "UND_ERR_SOCKET" }),
    }),
    "model_failed",
    "the connection ended in the middle of the answer",
  ],
  ["an abort", new DOMException("", "AbortError"), "model_aborted", "the call was stopped"],
  [
    "a time-out of the client",
    new DOMException("", "TimeoutError"),
    "model_timeout",
    "no complete answer in time",
  ],
  [
    "an error inside a stream",
    failure("overloaded", { error: { code: 502, message: "overloaded" } }),
    "model_failed",
    "the endpoint failed (502)",
  ],
  [
    "an answer that is not JSON",
    new SyntaxError("Unexpected token"),
    "model_failed",
    "what came back is not an answer of a chat endpoint",
  ],
  ["something unknown", new RangeError("x"), "model_failed", "the call failed (RangeError)"],
])("toModelError() explains %s", (_, error, code, found) => {
  expectExplained(error, code, found);
});

test.each([
  "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens",
  "Input tokens exceed the configured limit of 272000 tokens",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "the request exceeds the available context size. try increasing the context size",
  "The input length exceeds the context length",
  "Your input exceeds the context window of this model",
  "too many tokens: size limit exceeded by 77 tokens",
])("toModelError() knows an over-long prompt by the words %j", (words) => {
  expect(toModelError(failure(words, { status: 400 }), CONTEXT).code).toBe(
    "model_context_too_long",
  );
});

test("toModelError() leaves the endpoint out for a model inside the process", () => {
  const made = toModelError(new RangeError("x"), { ...CONTEXT, endpoint: null });

  expect(made.message).toBe(
    'Cannot get an answer from model "gpt-test": the call failed (RangeError); the cause says more; try again',
  );
});

test.each([
  [0, ""],
  [1, ", also after 1 retry"],
  [2, ", also after 2 retries"],
])("toModelError() says that a call was made %i times again", (retries, said) => {
  const made = toModelError(failure("", { status: 503 }), { ...CONTEXT, endpoint: null, retries });

  expect(made.message).toBe(
    `Cannot get an answer from model "gpt-test": the endpoint failed (503)${said}; try again later`,
  );
});

test("toModelError() passes a ModelError on", () => {
  const error = new ModelError("model_timeout", "Cannot wait");

  expect(toModelError(error, CONTEXT)).toBe(error);
});

test("toModelError() keeps of the cause what helps, and none of its bodies", () => {
  const error = failure("400 bad temperature", {
    status: 400,
    code: "unsupported_value",
    param: "temperature",
    headers: { authorization: "Bearer open-sesame-42" },
    error: { message: "long body" },
  });

  const { cause } = toModelError(error, CONTEXT);

  expect(cause).toBeInstanceOf(Error);
  expect({ ...(cause as Error), message: (cause as Error).message }).toEqual({
    name: "Error",
    message: "400 bad temperature",
    status: 400,
    code: "unsupported_value",
    param: "temperature",
  });
});

test.each([
  ["Incorrect API key provided: abc123. You can", "Incorrect API key provided: [redacted] You can"],
  ["key sk-proj-AbC_123-x rejected", "key [redacted] rejected"],
  ["key sk-pr****************WXYZ rejected", "key [redacted] rejected"],
  ["key open-se*****-42 rejected", "key [redacted] rejected"],
  ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
  ["at https://me:hidden@models.example/v1", "at https://models.example/v1"],
  ["open-sesame-42 is wrong", "[redacted] is wrong"],
  [
    "nothing to hide: task-force, risk-free, 2 * 3",
    "nothing to hide: task-force, risk-free, 2 * 3",
  ],
])("redact() turns %j into %j", (text, redacted) => {
  expect(redact(text, ["open-sesame-42"])).toBe(redacted);
});

const secret = fc.stringMatching(/^[A-Za-z0-9_./+=-]{8,60}$/);

test.prop([secret, fc.string(), fc.string()])(
  "toModelError() never shows a key, wherever the client put it",
  (key, before, after) => {
    const text = `${before} ${key} ${after}`;
    const inner = failure(text, { code: key, param: key });
    const error = Object.assign(new Error(text, { cause: inner }), {
      name: key,
      status: 401,
      code: key,
      headers: { authorization: `Bearer ${key}` },
      request: { apiKey: key },
    });

    const made = toModelError(error, { ...CONTEXT, secrets: [key] });

    expect(inspect(made, { depth: null, showHidden: true })).not.toContain(key);
    expect(`${made.stack}`).not.toContain(key);
  },
);
