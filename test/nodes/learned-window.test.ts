import { expect, test } from "vitest";
import { createOpenAIModels } from "../../models/client/openai.ts";
import { askForText } from "../../nodes/ask/ask-model.ts";
import type { Question } from "../../nodes/ask/question.ts";
import { stablePart, volatilePart } from "../../prompts/part.ts";
import type { CountTokens } from "../../state/model.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { openAIConfig } from "../support/model-requests.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { serveEndpoint, type CharacterInput } from "../support/scripted-endpoint.ts";
import { TEST_RUN } from "../support/turn-state.ts";

const LINE = "Turn 1: the person wanted soup and nothing was stored at all.\n";

interface Thanks {
  /** Lines of the conversation before. */
  readonly lines?: number;
  readonly message?: string;
  readonly character?: CharacterInput;
  /** Behaviours of the endpoint's first answer. */
  readonly once?: CharacterInput;
  readonly countTokens?: CountTokens;
}

/** Says thanks to an endpoint whose window nobody knows. */
async function thank({
  lines = 0,
  message = "thanks",
  character = {},
  once,
  countTokens = countRoughly,
}: Thanks) {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "text", text: "You are welcome." }),
    readRole: () => "reply",
    character,
  });
  if (once !== undefined) endpoint.disturb({ role: null, times: 1, character: once });
  const models = createOpenAIModels(openAIConfig(endpoint.hostedUrl), { countTokens });
  const question: Question = {
    node: "reply",
    role: "reply",
    run: { ...TEST_RUN, audience: "operator" },
    turn: 3,
    parts: [
      stablePart("rules", "test", "Answer."),
      volatilePart("ledger", "test", LINE.repeat(lines)),
      volatilePart("message", "test", message),
    ],
    required: ["rules", "message"],
    thread: [],
    maxOutputTokens: 500,
  };
  const io = recordedIO();
  const services = { ...testServices(), models, countTokens };
  const asked = await askForText(question, { onText: () => undefined, services, io });
  const { window } = models.reply.traits?.() ?? {};
  return {
    answer: asked.kind === "answered" ? asked.value : asked.code,
    requests: endpoint.requests.length,
    window,
    notices: io.events.flatMap((event) => (event.type === "notice" ? [event.code] : [])),
  };
}

test("askForText() fits its prompt to the window that a refusal names, and asks again", async () => {
  const asked = await thank({ lines: 600, character: { window: 8_192 } });

  expect(asked).toEqual({
    answer: "You are welcome.",
    requests: 2,
    window: 8_192,
    notices: ["endpoint_learned"],
  });
});

function countHalf(text: string): number {
  return text.length / 8;
}

test("askForText() shortens a prompt that was counted to fit and is refused all the same", async () => {
  const asked = await thank({
    lines: 1_200,
    character: { window: 16_000 },
    countTokens: countHalf,
  });

  expect(asked).toMatchObject({ answer: "You are welcome.", requests: 2 });
});

test("askForText() shortens a prompt whose refusal names no window", async () => {
  const body = { error: { message: "Prompt is too long" } };
  const asked = await thank({
    lines: 600,
    once: { fails: { kind: "status", status: 400, body } },
  });

  expect(asked).toMatchObject({ answer: "You are welcome.", requests: 2, window: null });
});

const WRONG = "This model's maximum context length is 4096 tokens. Please reduce the length.";

test("askForText() shortens a prompt for a window that is too narrow, and believes no single error", async () => {
  const body = { object: "error", message: WRONG, code: 400 };
  const asked = await thank({
    lines: 600,
    once: { fails: { kind: "status", status: 400, body } },
  });

  expect(asked).toEqual({ answer: "You are welcome.", requests: 2, window: null, notices: [] });
});

test("askForText() says that it is too much where the message alone does not fit", async () => {
  const asked = await thank({ character: { window: 8_192 }, message: LINE.repeat(600) });

  expect(asked).toMatchObject({ answer: "model_context_too_long", requests: 1 });
});
