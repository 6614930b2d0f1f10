import { describe, expect, test } from "vitest";
import { invalidRequest, Problem } from "../../../server/problems.ts";
import { ASSISTANT_ID } from "../../../server/protocol/assistant-id.ts";
import { readRunBody, RunBodySchema } from "../../../server/protocol/run-body.ts";

const NOW = new Date("2026-01-12T23:30:00Z");

function read(body: object, idempotencyKey: string | null = null) {
  const parsed = RunBodySchema.safeParse({ assistant_id: "concierge", input: "Hello", ...body });
  if (!parsed.success) throw invalidRequest(parsed.error, "json");
  return readRunBody(parsed.data, { now: NOW, idempotencyKey });
}

function findProblem(body: object): [string, string | null] {
  try {
    read(body);
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.field];
    throw error;
  }
  return ["none", null];
}

const HUMAN = { role: "user", content: "Hello" };
const PERSON = { today: "2026-01-12", timeZone: "UTC", locale: "en" };

describe("readRunBody()", () => {
  test("reads the least there is, the rest by default", () => {
    expect(read({})).toEqual({
      message: { text: "Hello", field: "/input", messageId: null },
      person: PERSON,
      trace: false,
      modes: ["values"],
      subgraphs: false,
      strategy: "enqueue",
      metadata: {},
      ifMissing: "reject",
      onDisconnect: "continue",
      onCompletion: "delete",
    });
  });

  test("reads everything that can be said", () => {
    const asked = read({
      assistant_id: ASSISTANT_ID,
      input: { messages: [{ type: "human", id: "m-1", content: "Hello" }] },
      context: { timeZone: "europe/vienna", locale: "de-at", trace: true },
      config: { configurable: { today: "2026-02-03", locale: "fr" }, tags: ["x"] },
      metadata: { from: "app" },
      stream_mode: ["values", "messages-tuple", "values"],
      stream_subgraphs: true,
      stream_resumable: true,
      multitask_strategy: "interrupt",
      on_disconnect: "cancel",
      on_completion: "keep",
      if_not_exists: "create",
      durability: "async",
    });
    expect(asked).toEqual({
      message: {
        text: "Hello",
        field: "/input/messages/0/content",
        messageId: { value: "m-1", field: "/input/messages/0/id" },
      },
      person: { today: "2026-02-03", timeZone: "Europe/Vienna", locale: "de-AT" },
      trace: true,
      modes: ["values", "messages-tuple"],
      subgraphs: true,
      strategy: "interrupt",
      metadata: { from: "app" },
      ifMissing: "create",
      onDisconnect: "cancel",
      onCompletion: "keep",
    });
  });

  test("takes the day from the person's time zone", () => {
    expect(read({ context: { timeZone: "Asia/Tokyo" } }).person.today).toBe("2026-01-13");
  });

  test.each([
    ["a text", "Hello", "Hello", "/input"],
    ["one message", { messages: HUMAN }, "Hello", "/input/messages/content"],
    ["a text as messages", { messages: "Hello" }, "Hello", "/input/messages"],
    ["a text among messages", { messages: ["Hello"] }, "Hello", "/input/messages/0"],
    ["a pair", { messages: [["user", "Hello"]] }, "Hello", "/input/messages/0/1"],
    [
      "the last human message of many",
      { messages: [{ type: "human", content: "First" }, HUMAN, { type: "ai", content: "Hi" }] },
      "Hello",
      "/input/messages/1/content",
    ],
    [
      "its parts",
      { messages: [{ type: "human", content: [{ type: "text", text: "a" }, "b"] }] },
      "a\nb",
      "/input/messages/0/content",
    ],
  ])("reads %s", (_, input, text, field) => {
    expect(read({ input }).message).toEqual({ text, field, messageId: null });
  });

  test.each([null, undefined])("reads %s as going on", (input) => {
    expect(read({ input }).message).toBeNull();
  });

  test("takes the header's id before the message's", () => {
    const input = { messages: [{ type: "human", id: "m-1", content: "Hello" }] };
    expect(read({ input }, "key-1").message?.messageId).toEqual({
      value: "key-1",
      field: "/Idempotency-Key",
    });
  });

  const image = { type: "image_url", image_url: "https://example.com/a.png" };

  test.each<[string, object, string, string]>([
    ["an unknown assistant", { assistant_id: "x" }, "assistant_not_found", "/assistant_id"],
    ["no assistant", { assistant_id: undefined }, "invalid_request", "/assistant_id"],
    ["a command", { command: { resume: 1 } }, "not_supported", "/command"],
    ["an interrupt before", { interrupt_before: "*" }, "not_supported", "/interrupt_before"],
    ["an interrupt after", { interrupt_after: ["act"] }, "not_supported", "/interrupt_after"],
    ["a webhook", { webhook: "https://example.com" }, "not_supported", "/webhook"],
    ["a checkpoint", { checkpoint: { checkpoint_id: "x" } }, "not_supported", "/checkpoint"],
    ["a checkpoint's id", { checkpoint_id: "x" }, "not_supported", "/checkpoint_id"],
    ["feedback keys", { feedback_keys: ["x"] }, "not_supported", "/feedback_keys"],
    ["a delay", { after_seconds: 5 }, "not_supported", "/after_seconds"],
    ["an unknown mode", { stream_mode: "tools" }, "invalid_request", "/stream_mode"],
    ["an unknown strategy", { multitask_strategy: "x" }, "invalid_request", "/multitask_strategy"],
    ["no day", { context: { today: "2026-02-30" } }, "invalid_request", "/context/today"],
    ["no time zone", { context: { timeZone: "Mars" } }, "invalid_request", "/context/timeZone"],
    [
      "no locale",
      { config: { configurable: { locale: "x" } } },
      "invalid_request",
      "/config/configurable/locale",
    ],
    ["a number", { input: 5 }, "invalid_request", "/input"],
    ["an empty object", { input: {} }, "invalid_request", "/input/messages"],
    ["no message", { input: { messages: [] } }, "invalid_request", "/input/messages"],
    [
      "nobody's message",
      { input: { messages: [{ type: "ai", content: "x" }] } },
      "invalid_request",
      "/input/messages",
    ],
    [
      "an image",
      { input: { messages: [{ type: "human", content: [image] }] } },
      "not_supported",
      "/input/messages/0/content/0",
    ],
    [
      "the id of a reply",
      { input: { messages: [{ type: "human", id: "reply_r_1", content: "x" }] } },
      "invalid_request",
      "/input/messages/0/id",
    ],
    ["metadata that are none", { metadata: [] }, "invalid_request", "/metadata"],
  ])("refuses %s, and says where", (_, body, code, field) => {
    expect(findProblem(body)).toEqual([code, field]);
  });

  test("lets through what asks for nothing", () => {
    const unset = { command: null, interrupt_before: [], checkpoint: {}, after_seconds: 0 };
    expect(findProblem({ ...unset, webhook: "", feedback_keys: null })).toEqual(["none", null]);
  });
});
