import { expect, test } from "vitest";
import { ModelError } from "../../state/model.ts";
import { describeFailure } from "../../server/protocol/frames.ts";
import { testDatabase } from "../support/database.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { openWork, readEvents, submit, untilEnded, workOn } from "../support/thread-worker.ts";

const database = await testDatabase();

const REASON =
  'Cannot get an answer from model "gpt-5" at llm.example:8443: the endpoint rejected the key (401); check OPENAI_API_KEY';

const rejected = (): ModelError => new ModelError("model_key_rejected", REASON);

test("a run whose model gives no answer ends as error, and its message is done with", async () => {
  const work = await openWork(database);
  const run = newRun();
  const { thread } = workOn(work, {
    run,
    behaviour: { understand: rejected, think: rejected, reply: rejected, summarize: rejected },
  });

  const runId = await submit(work, { run, text: "add figs" });
  const ended = await untilEnded(work, { run, runId });
  const { events } = await readEvents(work, { run, runId });

  const reply =
    "Nothing was changed.\n\nI cannot work at the moment: the assistant's language model is not set up correctly. Sending the message again will not help.";
  expect({ status: ended.status, error: ended.error }).toEqual({
    status: "error",
    error: { code: "model_key_rejected", message: reply },
  });
  // As the streams and waits of the Agent Protocol report it.
  expect(describeFailure(ended)).toEqual({ error: "model_key_rejected", message: reply });
  expect(events.at(-1)).toMatchObject({
    type: "turn-end",
    outcome: "failed",
    code: "model_key_rejected",
  });
  // Users read these events and this state.
  const state = await thread.state();
  const stored = [events, state.notices, state.turnExecutionSummaries];
  expect(JSON.stringify(stored)).not.toMatch(/gpt-5|llm\.example|OPENAI_API_KEY|\(401\)/u);
  const { rows } = await database.owner.query(
    "select 1 from inbox where thread_id = $1 and finished_at is null",
    [run.threadId],
  );
  expect(rows).toEqual([]);
});
