import { describe, expect, test } from "vitest";
import { z } from "zod";
import { invalidRequest, Problem } from "../../../server/problems.ts";
import { ASSISTANT_ID } from "../../../server/protocol/assistant-id.ts";
import { readRunBody, RunBodySchema } from "../../../server/protocol/run-body.ts";
import { readYaml } from "../../support/read-yaml.ts";

const CASES = readYaml(
  new URL("run-body.yaml", import.meta.url),
  z.object({
    messages: z.array(
      z.object({ name: z.string(), input: z.unknown(), text: z.string(), field: z.string() }),
    ),
    decisions: z.array(
      z.object({ name: z.string(), decisions: z.array(z.unknown()), message: z.unknown() }),
    ),
    refused: z.array(
      z.object({ name: z.string(), body: z.looseObject({}), code: z.string(), field: z.string() }),
    ),
  }),
);

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

  test.each(CASES.messages)("reads $name", ({ input, text, field }) => {
    expect(read({ input }).message).toEqual({ text, field, messageId: null });
  });

  test.each(CASES.decisions)("reads $name in place of a message", ({ decisions, message }) => {
    expect(read({ input: null, command: { resume: { decisions } } }).message).toEqual(message);
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

  test.each(CASES.refused)("refuses $name, and says where", ({ body, code, field }) => {
    expect(findProblem(body)).toEqual([code, field]);
  });

  test("lets through what asks for nothing", () => {
    const unset = { command: null, interrupt_before: [], checkpoint: {}, after_seconds: 0 };
    expect(findProblem({ ...unset, webhook: "", feedback_keys: null })).toEqual(["none", null]);
  });
});
