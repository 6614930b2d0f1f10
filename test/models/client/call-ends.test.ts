import { expect, test } from "vitest";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import type { Limits } from "../../../state/limits.ts";
import type { LanguageModel } from "../../../state/model.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import {
  serveEndpoint,
  type CharacterInput,
  type Disturbance,
} from "../../support/scripted-endpoint.ts";

interface Opened {
  readonly character?: CharacterInput;
  readonly limits?: Partial<Limits>;
}

async function open({ character = {}, limits = {} }: Opened) {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "text", text: "Soup on Monday, salad on Tuesday." }),
    readRole: () => "think",
    character,
  });
  const { think } = createOpenAIModels(openAIConfig(endpoint.hostedUrl), { limits });
  const disturb = (next: Omit<Disturbance, "role">) => endpoint.disturb({ role: null, ...next });
  return { endpoint, disturb, think };
}

/** Asks for a streamed text; returns it as its reader has it in the end. */
async function read(model: LanguageModel): Promise<string> {
  const pieces: string[] = [];
  await model.complete(
    modelRequest({
      onText: (piece) => void pieces.push(piece),
      onRestart: () => void pieces.splice(0),
    }),
  );
  return pieces.join("");
}

const TEXT = "Soup on Monday, salad on Tuesday.";
const HANG = { fails: { kind: "hang" } } as const;

test("a whole answer that takes far longer than the ones before is asked for once more", async () => {
  const { endpoint, disturb, think } = await open({ limits: { modelSilenceSeconds: 1 } });
  await think.complete(modelRequest());
  disturb({ times: 1, character: HANG });

  const { text } = await think.complete(modelRequest());

  expect([text, endpoint.requests.length]).toEqual([TEXT, 3]);
});

test("a first answer may take its time, since nobody knows how long it takes", async () => {
  const limits = { modelSilenceSeconds: 1, modelSeconds: 3 };
  const { endpoint, disturb, think } = await open({ limits });
  disturb({ times: 9, character: HANG });

  await expect(think.complete(modelRequest())).rejects.toMatchObject({ code: "model_timeout" });

  expect(endpoint.requests).toHaveLength(1);
});

test("a stream that is silent twice is not asked for a third time", async () => {
  const { endpoint, disturb, think } = await open({ limits: { modelSilenceSeconds: 1 } });
  disturb({ times: 9, character: { fails: { kind: "silence", pieces: 0 } } });

  await expect(read(think)).rejects.toMatchObject({ code: "model_timeout" });

  expect(endpoint.requests).toHaveLength(2);
});

const ENDLESS: CharacterInput = { finishReason: null, withoutDone: true };

test("streams that never name their end cost one more call, once", async () => {
  const { endpoint, think } = await open({ character: ENDLESS });

  const texts = [await read(think), await read(think)];

  expect(texts).toEqual([TEXT, TEXT]);
  expect(endpoint.requests).toHaveLength(3);
});

test("a stream without its end is cut where others of the endpoint had one", async () => {
  const { endpoint, disturb, think } = await open({});
  await read(think);
  disturb({ times: 9, character: { ...ENDLESS, cutText: 9 } });

  await expect(read(think)).rejects.toMatchObject({ code: "model_failed" });

  expect(endpoint.requests).toHaveLength(4);
});

test.each([
  ["streamed", true, {}],
  ["whole", false, {}],
  ["streamed in one piece", true, { wholeStream: true }],
  ["whole in place of a stream", true, { delivery: "whole" } as const],
])("a %s answer past its limit is cut there", async (_, streams, character) => {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "text", text: "soup and salad ".repeat(10_000) }),
    readRole: () => "think",
    character,
  });
  const { think } = createOpenAIModels(openAIConfig(endpoint.hostedUrl));
  const pieces: string[] = [];
  const onText = streams ? (piece: string) => void pieces.push(piece) : null;

  const { text, truncated } = await think.complete(modelRequest({ maxOutputTokens: 100, onText }));

  expect(pieces.join("")).toBe(streams ? text : "");

  expect(truncated).toBe(true);
  expect("soup and salad ".repeat(10_000).startsWith(text)).toBe(true);
  expect(text).toHaveLength(1_600);
});

test("a text that is cut at its limit ends with a whole character", async () => {
  const { think } = await open({
    character: { says: `s${"🍲".repeat(2_000)}`, wholeStream: true },
  });

  const { text } = await think.complete(
    modelRequest({ maxOutputTokens: 100, onText: () => undefined }),
  );

  expect([text.isWellFormed(), text.length]).toEqual([true, 1_599]);
});

test.each([true, false])(
  "a text that a filter has ended counts as cut (streamed: %s)",
  async (streams) => {
    const { think } = await open({ character: { cutText: 9, finishReason: "content_filter" } });

    const answer = await think.complete(modelRequest({ onText: streams ? () => undefined : null }));

    expect(answer).toMatchObject({ text: TEXT.slice(0, 9), truncated: true });
  },
);

const REFUSED = { status: 400, body: { error: { message: "Bad request" } } };

test.each<[string, number, object, number]>([
  ["is asked for once more", 1, { text: TEXT }, 2],
  ["twice is not asked for again", 2, { code: "model_request_refused" }, 2],
])("an answer that is refused without a reason %s", async (_, times, result, requests) => {
  const { endpoint, disturb, think } = await open({});
  disturb({ times, character: { fails: { kind: "status", ...REFUSED } } });

  const answer = await think.complete(modelRequest()).catch((error: unknown) => error);

  expect(answer).toMatchObject(result);
  expect(endpoint.requests).toHaveLength(requests);
});

/** Opens a model that decides, and asks it; an error counts as an answer. */
async function openDeciding(character: CharacterInput = {}) {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "json", name: "decision", value: { decision: "ask" } }),
    readRole: () => "think",
    character,
  });
  const { think } = createOpenAIModels(openAIConfig(endpoint.hostedUrl));
  const disturb = (times: number) =>
    endpoint.disturb({ role: null, times, character: { fails: { kind: "status", ...REFUSED } } });
  const decide = () =>
    think
      .complete(modelRequest({ schema: DECISION }))
      .catch((error: unknown) => ({ json: null, code: Reflect.get(Object(error), "code") }));
  const listForms = () =>
    endpoint.requests.map(
      ({ request: { response_format, tools } }) =>
        response_format?.type ?? (tools.length > 0 ? "tool" : "text"),
    );
  return { disturb, decide, listForms };
}

test.each([
  ["tool", 2, ["json_schema", "json_schema", "tool"]],
  ["text", 4, ["json_schema", "json_schema", "tool", "json_object", "text"]],
])(
  "a structured answer that is refused without a reason is asked for as %s, and so is the next",
  async (form, times, forms) => {
    const { disturb, decide, listForms } = await openDeciding();
    disturb(times);

    const answers = [await decide(), await decide()];

    expect(answers.map(({ json }) => json)).toEqual([{ decision: "ask" }, { decision: "ask" }]);
    expect(listForms()).toEqual([...forms, form]);
  },
);

test("a form that is tried and then refused by name is left for the next", async () => {
  const { decide, listForms } = await openDeciding({
    refuses: [{ field: "json_schema", body: "string", message: "Bad Request" }, { field: "tools" }],
  });

  const answers = [await decide(), await decide()];

  expect(answers.map(({ json }) => json)).toEqual([{ decision: "ask" }, { decision: "ask" }]);
  const tried = ["json_schema", "json_schema", "tool", "json_object"];
  expect(listForms()).toEqual([...tried, "json_object"]);
});

test("a structured answer that is refused in every form teaches none", async () => {
  const { disturb, decide, listForms } = await openDeciding();
  disturb(5);

  const answers = [await decide(), await decide()];

  expect(answers).toMatchObject([{ code: "model_request_refused" }, { json: { decision: "ask" } }]);
  const every = ["json_schema", "json_schema", "tool", "json_object", "text"];
  expect(listForms()).toEqual([...every, "json_schema"]);
});

test("a form that was answered is not left for a refusal without a reason", async () => {
  const { disturb, decide, listForms } = await openDeciding();
  await decide();
  disturb(2);

  expect(await decide()).toMatchObject({ code: "model_request_refused" });
  expect(listForms()).toEqual(["json_schema", "json_schema", "json_schema"]);
});

test.each([true, false])(
  "a made-up turn behind an answer is no part of it (streamed: %s)",
  async (streams) => {
    const says = `<think>Soup?</think>${TEXT}<|im_end|>\n<|im_start|>user\nthanks`;
    const { think } = await open({ character: { says } });
    const pieces: string[] = [];
    const onText = streams ? (piece: string) => void pieces.push(piece) : null;

    const { text } = await think.complete(modelRequest({ onText }));

    expect([text, pieces.join("")]).toEqual([TEXT, streams ? TEXT : ""]);
  },
);
