import { expertQuestion } from "../support/expert-questions.ts";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";
import { expect, test } from "vitest";
import { z } from "zod";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { buildExpertPrompt } from "../../prompts/expert.ts";
import { orderParts, renderParts } from "../../prompts/part.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";

const UsageSchema = z.object({
  input_tokens: z.number(),
  input_token_details: z.object({ cache_read: z.number() }),
});

async function readUsage(model: BaseChatModel, prompt: readonly BaseMessage[]) {
  const answer = await model.invoke([...prompt]);
  return UsageSchema.parse(Reflect.get(answer, "usage_metadata"));
}

const messages = renderParts(
  orderParts(
    buildExpertPrompt({
      question: expertQuestion("We keep ordering takeout, what should we do?"),
      lens: null,
    }),
  ),
).map(({ role, text }) => (role === "system" ? new SystemMessage(text) : new HumanMessage(text)));

test("createSimulatedModel() streams the same answer in pieces of a few words", async () => {
  const model = createSimulatedModel({ words: SIMULATED_WORDS });
  const whole = await model.invoke(messages);
  const pieces: AIMessageChunk[] = [];
  for await (const chunk of await model.stream(messages)) pieces.push(chunk);

  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.map(({ text }) => text).join("")).toBe(whole.text);
});

test("createSimulatedModel() counts tokens, and those that began the last prompt as cached", async () => {
  const model = createSimulatedModel();
  const long = [
    new SystemMessage(`You are an expert adviser. ${"word ".repeat(2_000)}`),
    new HumanMessage("a"),
  ];
  const [first, second] = [await readUsage(model, long), await readUsage(model, long)];

  expect(first.input_token_details.cache_read).toBe(0);
  expect(second.input_tokens).toBe(first.input_tokens);
  expect(second.input_token_details.cache_read).toBeGreaterThan(1_500);
});

test("createSimulatedModel() gives a structured answer as the call of the one tool that is offered", async () => {
  const model = createSimulatedModel();
  const tool = { type: "function" as const, function: { name: "summary", parameters: {} } };
  const answer = await model
    .bindTools?.([tool])
    .invoke([new SystemMessage("You keep the minutes of a conversation."), new HumanMessage("hi")]);

  expect(answer?.tool_calls?.map(({ name }) => name)).toEqual(["summary"]);
  expect(answer?.text).toBe("");
});

test("createSimulatedModel() says that a prompt names no role", async () => {
  const answer = await createSimulatedModel().invoke([new HumanMessage("hello")]);

  expect(answer.text).toBe("I do not know my role here: the prompt does not say who I am.");
});
