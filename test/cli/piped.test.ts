import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { openStorage } from "../../app/open-storage.ts";
import { Output } from "../../cli/chat/output.ts";
import { runPipedChat } from "../../cli/chat/piped.ts";
import type { TurnDriver } from "../../driver/turn-driver.ts";
import type { EventBody } from "../../state/event.ts";
import { silentLog } from "../../state/log.ts";
import { chatContext } from "../support/chat-context.ts";
import { testDatabase } from "../support/database.ts";

const { url } = await testDatabase();
const storage = await openStorage(
  { databaseUrl: url, dataDir: "" },
  { migrations: [], log: silentLog },
);
afterAll(() => storage.database.close());

async function* pipeMessage(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("what shall we cook?\n");
}

/** Pipes one message into a chat whose turn has these events; returns the lines for the operator. */
async function collectWarnings(
  bodies: readonly EventBody[],
  json: boolean,
): Promise<readonly string[]> {
  const driver: Pick<TurnDriver, "send" | "resume" | "replayTurn"> = {
    async send({ threadId: thread, runId: run = "r" }, { onEvent }) {
      for (const [index, body] of bodies.entries()) {
        onEvent({ thread, turn: 1, run, seq: index + 1, time: "", ...body });
      }
      return "processed";
    },
    resume: async () => undefined,
    replayTurn: async () => false,
  };
  const warnings: string[] = [];
  await runPipedChat(chatContext(storage, { driver, options: { json } }), "thread", {
    input: pipeMessage(),
    output: new Output(new PassThrough().resume()),
    warn: (line) => void warnings.push(line),
  });
  return warnings;
}

function notice(code: string, text: string): EventBody {
  return { type: "notice", node: "think", code, text };
}

function failedExpert(expert: string): EventBody {
  const head = { type: "expert-end", batch: "b", purpose: "opening", ms: 1 } as const;
  return { ...head, expert, outcome: "failed", reason: "the endpoint failed (500)" };
}

test.each([
  ["piped", false, "Line 1: "],
  ["with --json", true, ""],
])("chat %s tells the operator why a model gave no answer", async (_form, json, before) => {
  const warnings = await collectWarnings(
    [
      notice("model_failed", "the endpoint failed"),
      notice("repair", "it was asked again"),
      notice("invalid", "it was not JSON"),
      notice("turn-budget", "the turn's budget is used up"),
      notice("turn-time", "the turn's time is used up"),
      notice("endpoint_learned", "it has learned"),
      failedExpert("risk"),
      failedExpert("cost"),
    ],
    json,
  );

  expect(warnings).toEqual(
    [
      "the endpoint failed",
      "it was not JSON",
      "the turn's budget is used up",
      "the turn's time is used up",
      "An expert gave no answer: the endpoint failed (500)",
    ].map((line) => `${before}${line}`),
  );
});
