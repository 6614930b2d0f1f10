import { fc, test as lawTest } from "@fast-check/vitest";
import { AIMessageChunk, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { describe, expect, test } from "vitest";
import { createLangChainModel } from "../../models/langchain-model.ts";
import { createRehearsalModel } from "../../models/rehearsal/index.ts";
import { countTokens } from "../../models/tokens.ts";
import type { ModelRequest, PromptMessage } from "../../state/model.ts";
import { ThinkAnswerSchema } from "../../state/plan.ts";
import { toStrictSchema } from "../../state/strict-schema.ts";
import { NarrativeSchema } from "../../state/turn-summary.ts";
import { UnderstandAnswerSchema } from "../../state/understanding.ts";
import { nastyText } from "../support/arbitraries.ts";
import { readGolden } from "../support/read-golden.ts";

const SCHEMAS = {
  understand: UnderstandAnswerSchema,
  think: ThinkAnswerSchema,
  summarize: NarrativeSchema.pick({
    analysisConclusions: true,
    responseSummary: true,
    whatWeAcknowledged: true,
    naturalNext: true,
  }),
} as const;

describe("createRehearsalModel()", () => {
  describe.each(["json_schema", "tool", "json"] as const)("asked by %s", (structuredOutput) => {
    test.each(["understand", "think", "summarize"] as const)("answers as %s", async (role) => {
      const model = createLangChainModel({
        chat: createRehearsalModel(),
        name: "rehearsal",
        endpoint: null,
        structuredOutput,
        timeoutMs: 10_000,
        secrets: [],
        namesFinish: false,
      });
      const answer = await model.complete({
        ...request(await goldenPrompt(`${role}.full`)),
        role,
        schema: { name: role, description: role, schema: toStrictSchema(SCHEMAS[role]) },
      });

      expect(SCHEMAS[role].safeParse(answer.json).error).toBeUndefined();
    });
  });

  test("says that it does not know its role where the prompt does not", async () => {
    const answer = await createRehearsalModel().invoke([
      new SystemMessage("Rules: be kind."),
      new HumanMessage("hello"),
    ]);

    expect(answer.text).toMatch(/^I do not know my role/);
  });

  test("streams the same text in pieces", async () => {
    const messages = chatMessages(await goldenPrompt("reply.full"));
    const whole = await createRehearsalModel().invoke(messages);
    const pieces: string[] = [];
    for await (const chunk of await createRehearsalModel().stream(messages)) {
      if (chunk.text !== "") pieces.push(chunk.text);
    }

    expect(pieces.join("")).toBe(whole.text);
    expect(pieces.length).toBeGreaterThan(3);
  });

  test("streams the same tool calls in pieces", async () => {
    const messages = chatMessages(await goldenPrompt("act-read.full"));
    const whole = await createRehearsalModel().invoke(messages);
    let streamed: AIMessageChunk | null = null;
    let pieces = 0;
    for await (const chunk of await createRehearsalModel().stream(messages)) {
      streamed = streamed === null ? chunk : concat(streamed, chunk);
      pieces += 1;
    }

    expect(whole.tool_calls?.length).toBeGreaterThan(0);
    expect(streamed?.tool_calls).toEqual(whole.tool_calls);
    expect(pieces).toBeGreaterThan(2);
  });

  test("remembers nothing between calls", async () => {
    const first = chatMessages(await goldenPrompt("understand.full"));
    const other = chatMessages(await goldenPrompt("understand.empty"));
    const used = createRehearsalModel();
    await used.invoke(first);

    const later = await used.invoke(other);
    const fresh = await createRehearsalModel().invoke(other);

    expect(later.text).toBe(fresh.text);
  });

  test("counts tokens, and those of the prefix it was shown before as cached", async () => {
    const golden = await goldenPrompt("think.full");
    const model = createRehearsalModel();
    const long = golden.map(({ role, text }) => ({ role, text: `${text}\n`.repeat(3) }));
    const [first, second] = [
      await model.invoke(chatMessages(long)),
      await model.invoke(chatMessages(long)),
    ];
    const input = usageOf(first).input_tokens;

    expect(input).toBeGreaterThan(countTokens(long.map(({ text }) => text).join("\n")));
    expect(usageOf(first).input_token_details.cache_read).toBe(0);
    expect(usageOf(second).input_token_details.cache_read).toBe(input - (input % 128));
  });

  test("stops when it is told to", async () => {
    const messages = chatMessages(await goldenPrompt("reply.full"));

    await expect(
      createRehearsalModel().invoke(messages, { signal: AbortSignal.abort() }),
    ).rejects.toThrow(/abort/i);
  });

  lawTest.prop([
    fc.constantFrom(
      "understand",
      "think",
      "act-write",
      "act-generate",
      "reply",
      "summarize",
      "fold",
    ),
    fc.array(nastyText, { maxLength: 4 }),
    fc.boolean(),
  ])("answers any texts without a fault", async (file, texts, whole) => {
    const [system, user] = await goldenPrompt(`${file}.${whole ? "full" : "empty"}`);
    const noise = texts.join("\n");
    const answer = await createRehearsalModel().invoke([
      new SystemMessage(system?.text ?? ""),
      new HumanMessage(`${user?.text ?? ""}\n\n## Message\n\n<message>\n${noise}\n</message>`),
    ]);

    expect(answer.text !== "" || (answer.tool_calls ?? []).length > 0).toBe(true);
  });
});

function request(messages: readonly PromptMessage[]): ModelRequest {
  return {
    role: "think",
    messages,
    schema: null,
    tools: [],
    toolChoice: "auto",
    maxOutputTokens: 1_000,
    onText: null,
    signal: null,
  };
}

/** A golden prompt as the system and user message it was written from. */
async function goldenPrompt(
  name: string,
): Promise<readonly { readonly role: "system" | "user"; readonly text: string }[]> {
  const golden = await readGolden(name);
  const [system = "", user = ""] = golden.replace(/^# system\n\n/, "").split("\n# user\n\n");
  return [
    { role: "system", text: system },
    { role: "user", text: user },
  ];
}

function chatMessages(
  messages: readonly { readonly role: "system" | "user"; readonly text: string }[],
): (SystemMessage | HumanMessage)[] {
  return messages.map(({ role, text }) =>
    role === "system" ? new SystemMessage(text) : new HumanMessage(text),
  );
}

interface Usage {
  readonly input_tokens: number;
  readonly input_token_details: { readonly cache_read: number };
}

function usageOf(message: AIMessageChunk): Usage {
  const usage: unknown = Reflect.get(message, "usage_metadata");
  return usage as Usage;
}
