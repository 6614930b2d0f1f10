import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { call, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const play = stepPlayer(await testDatabase());
const LOOK = makeStep({ description: "Look", subdomain: "recipes" });
const SENT_BACK =
  'tool "delete_rows" does not exist; there are: read_recipes. Answer again with that put right.';
const BLOCKED = { reason: "find_recipes gives nothing", tried: "", suggestion: "stop" };
const ASKED = { partialAnalysis: "read_recipes found two", question: "Shall read_recipes go on?" };

test.each<[string, StepScript, string, string | null]>([
  ["a failure", [call("fail_step", { reason: SENT_BACK })], "That came to no result.", null],
  ["a block", [call("block_step", BLOCKED)], "find recipes gives nothing", null],
  ["a question", [call("ask_user", ASKED)], "read recipes found two", "Shall read recipes go on?"],
  ["a result", [complete("read_recipes found two")], "read recipes found two", null],
])("endStep() keeps the machinery out of %s", async (_, script, outcome, question) => {
  const { state } = await play([LOOK], { scripts: { Look: script } });

  expect(state.stepResults[0]).toMatchObject({ outcome, question });
});
