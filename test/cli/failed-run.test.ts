import { expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { openModels } from "../../app/open-models.ts";
import { converse } from "../support/converse.ts";
import { testDatabase } from "../support/database.ts";
import { runCli } from "../support/run-cli.ts";
import {
  endpointError,
  buildModelList,
  isStartCheck,
  serveEndpoint,
  type ScriptedResponse,
} from "../support/plain-endpoint.ts";

const database = await testDatabase();

const SETUP =
  "I cannot work at the moment: the assistant's language model is not set up correctly. Sending the message again will not help.";
const AWAY =
  "I cannot reach my language model at the moment, so your message has no answer yet. Please send it again in a few minutes.";
const BUSY = "Too much is being asked of me at the moment. Please try again in about 1 second.";
const PAGE = { status: 200, type: "text/html", body: "<html><body>Sign in</body></html>" };

test.each<[string, ScriptedResponse, string]>([
  ["401", endpointError(401), SETUP],
  ["403", endpointError(403), SETUP],
  ["404", endpointError(404), SETUP],
  ["429 without credit", endpointError(429, "insufficient_quota"), SETUP],
  ["400", endpointError(400), SETUP],
  ["429", endpointError(429), BUSY],
  ["503", endpointError(503), AWAY],
  ["a web page", PAGE, AWAY],
  ["413", endpointError(413), "That is too much at once for me. Please send it in smaller parts."],
  [
    "a refusal",
    endpointError(400, "content_filter"),
    "I cannot answer that. Please put it another way.",
  ],
])(
  "a user reads what holds and what to do when the endpoint answers %s",
  async (_, answer, says) => {
    const { url } = await serveEndpoint(() => answer);
    const { model } = readConfig({
      OPENAI_API_KEY: "sk-wrong",
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "m",
    });
    const { models } = await openModels(model);
    await converse(
      database,
      async ({ say }) => {
        const { replies, events } = await say("put eggs on my shopping list");
        expect(replies).toEqual([`Nothing was changed.\n\n${says}`]);
        expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: "failed" });
        // No event names the machine: not the notices, and not the turn's summary.
        const sent = events
          .filter(({ type }) => type !== "prompt")
          .map(({ time: _time, ...rest }) => rest);
        const texts = collectTexts(sent);
        expect(texts).toContain(says);
        expect(texts.filter((text) => MACHINERY.test(text))).toEqual([]);
      },
      { models },
    );
  },
);

/** Hosts, ports, names of models and settings, keys, and statuses. */
const MACHINERY = /127\.0\.0\.1|:\d{4,5}\b|OPENAI|CONCIERGE_|sk-wrong|\b[45]\d\d\b|"m"/u;

/** Collects every text in a value. */
function collectTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(collectTexts)
    : [];
}

test("chat asks an endpoint on this machine that is silent once, not once for each node", async () => {
  const { url, requests } = await serveEndpoint((request) => {
    if (request.path === "/models") return buildModelList("m");
    return isStartCheck(request) ? null : "silence";
  });
  const { exitCode, stdout } = await runCli({
    command: "chat",
    input: "put eggs on my shopping list\n",
    env: {
      DATABASE_URL: database.url,
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "m",
      CONCIERGE_LIMITS: "modelSeconds=1",
    },
  });

  const asked = requests.filter((request) => !isStartCheck(request)).map(({ path }) => path);
  expect({ exitCode, asked }).toEqual({
    exitCode: 1,
    // A server on this machine is asked which one it is, and whether it has the model. It takes one call at a time.
    asked: ["/models", "/models", "/chat/completions"],
  });
  expect(stdout).toContain("That took too long, and I stopped.");
});
