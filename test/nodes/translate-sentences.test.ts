import { expect, test } from "vitest";
import { translateSentences } from "../../nodes/translate/translate-sentences.ts";
import { ModelError } from "../../state/model.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { turnState } from "../support/turn-state.ts";

const AWAY = new ModelError("model_unreachable", "Cannot ask the model");
const USELESS = { json: { sentences: [] } };

test("translateSentences() asks again after a model that was away, and not after a useless answer", async () => {
  const services = testServices({ scripts: { summarize: [AWAY, USELESS, USELESS] } });
  const state = turnState({ language: "de" });
  const ask = async (): Promise<string> => {
    await translateSentences(state, { services, io: recordedIO() });
    return services.models.summarize.requests.at(-1)?.messages.at(-1)?.text ?? "";
  };

  const [first, second, third] = [await ask(), await ask(), await ask()];

  expect(second).toBe(first);
  expect(third).not.toBe(second);
  const { templates } = await services.sentences.open("de");
  expect(templates.get("receiptCreated")).toBe("Hinzugefügt: {rows}");
});
