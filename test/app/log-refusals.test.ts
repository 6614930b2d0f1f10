import { expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { logRefusals } from "../../app/log-refusals.ts";
import { openModels } from "../../app/open-models.ts";
import { silentLog } from "../../state/log.ts";
import { serveEndpoint } from "../support/plain-endpoint.ts";

test("logRefusals() logs the endpoint's words on one short line at debug, without the key", async () => {
  const words = `messages must not be empty\n\t(key sk-live-12345)\u0007 ${"x".repeat(300)}`;
  const body = JSON.stringify({ error: { message: words } });
  const { url } = await serveEndpoint(() => ({ status: 400, body }));
  const { model } = readConfig({
    OPENAI_API_KEY: "sk-live-12345",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "m",
  });
  const { models } = await openModels(model);
  const lines: string[] = [];
  const log = { ...silentLog, debug: (line: string) => void lines.push(line) };
  const asked = logRefusals(models.reply, log).complete({
    role: "reply",
    messages: [{ role: "user", text: "hello" }],
    schema: null,
    tools: [],
    toolChoice: "auto",
    maxOutputTokens: 10,
    onText: null,
    signal: null,
  });

  await expect(asked).rejects.toMatchObject({ code: "model_request_refused" });
  expect(lines).toEqual([
    expect.stringMatching(
      /^In the words of the endpoint of "m": 400 messages must not be empty \(key \[redacted\]\) x+$/u,
    ),
  ]);
  expect(lines[0]?.length).toBeLessThan(250);
});
