import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { mealsDomain } from "../../meals/index.ts";
import { outcomeLines } from "../../nodes/reply/step-outcomes.ts";
import { renderSentence } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { failingReads } from "../support/failing-reads.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { adding, call, calls, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const database = await testDatabase();

const LOOK = makeStep({ description: "Look", subdomain: "inventory" });
const READ = ["read_inventory_items", {}] as const;
const READ_BADLY = ["read_inventory_items", { orderBy: "taste" }] as const;
const READ_LINES = ["read_shopping_list_lines", {}] as const;
const FIND_NO_LINE = [
  "read_shopping_list_lines",
  { where: [{ column: "name", op: "=", value: "Unheard-of Pie" }] },
] as const;
const RECALL = ["recall", { ref: null, turn: null, words: "cod" }] as const;
const CLAIM = complete("There is no milk.");
const FAIL = call("fail_step", { reason: "It cannot be read" });
const UNREAD = renderSentence("lookupFailed", { what: "the inventory items" });

const askRate = defineTool({
  name: "ask_rate",
  subdomain: "inventory",
  description: "Asks a service.",
  parameters: z.strictObject({ isRefused: z.boolean().describe("true to refuse") }),
  effect: "call",
  run: async ({ isRefused }, tool) => (isRefused ? tool.refuse("the bank\n- is closed") : "1.1"),
});
const REFUSED = renderSentence("lookupUnfit", {
  what: renderSentence("lookedUpThat"),
  reason: "the bank - is closed",
});

function denied(): Error {
  return Object.assign(new Error("permission denied"), { code: "42501" });
}

/** Plays a read step of the inventory; the database may deny the program its table. */
async function look(script: StepScript, { isDenied = false, roundsPerStep = 6 } = {}) {
  const { state, services } = await stepPlayer(database)([LOOK], {
    domain: { ...mealsDomain, tools: [...mealsDomain.tools, askRate] },
    scripts: { Look: script },
    limits: { roundsPerStep },
    ...(isDenied ? { userData: failingReads(database.userData, 'from "inventory"', denied) } : {}),
  });
  const [result] = state.stepResults;
  return { ended: [result?.status, result?.outcome], lines: outcomeLines(state), services };
}

describe("a read step whose read has failed", () => {
  test.each([
    ["the database denies it", READ, true],
    ["it names no column", READ_BADLY, false],
  ])("goes back once, and then has failed: %s", async (_, read, isDenied) => {
    const { lines, services } = await look([call(...read), CLAIM, CLAIM], { isDenied });

    expect(services.models.act.requests[2]?.messages.at(-1)?.text).toContain(
      "a read failed, so nothing is known of what it was to find; read it another way, or end the step with block_step or fail_step",
    );
    expect(lines).toEqual([`Look (failed): ${UNREAD}`]);
  });

  test.each<[string, StepScript, readonly [string, string]]>([
    ["it is read again", [CLAIM, call(...READ)], ["done", "Found 59 inventory items"]],
    ["its model says so", [CLAIM, FAIL], ["failed", "It cannot be read"]],
    ["nothing was said of it before", [call(...RECALL), CLAIM, CLAIM], ["failed", UNREAD]],
    [
      "other rows are not there",
      [call(...FIND_NO_LINE), CLAIM, CLAIM],
      ["partial", `There is no milk. ${UNREAD}`],
    ],
  ])("ends as it came out: %s", async (_, script, ended) => {
    expect((await look([call(...READ_BADLY), ...script])).ended).toEqual(ended);
  });

  test("is done in part where another of its reads has answered", async () => {
    const script = [calls(READ_LINES, READ_BADLY), complete("2 lines, and no milk"), CLAIM];

    expect((await look(script)).ended).toEqual(["partial", `There is no milk. ${UNREAD}`]);
  });

  test.each<[string, StepScript, readonly [string, string]]>([
    ["alone", [CLAIM, CLAIM], ["failed", renderSentence("lookupFailed", { what: "that" })]],
    ["before rows", [call(...FIND_NO_LINE)], ["done", "I found no shopping list lines that fit."]],
  ])(
    "has failed at a recall only where it looked at nothing else: %s",
    async (_, script, ended) => {
      const failed = call("recall", { ref: null, turn: null, words: null });

      expect((await look([failed, ...script])).ended).toEqual(ended);
    },
  );

  test("has found nothing at its limit where only earlier turns were looked into", async () => {
    const script = [call(...READ_BADLY), call(...RECALL)];

    expect((await look(script, { roundsPerStep: 2 })).ended).toEqual([
      "failed",
      renderSentence("stepNotDone", { cause: renderSentence("roundLimit", { limit: 2 }) }),
    ]);
  });

  test("asks its question below what could not be read", async () => {
    const ask = call("ask_user", {
      partialAnalysis: "There is no milk.",
      question: "Which shelf?",
    });

    const { ended, lines } = await look([call(...READ_BADLY), ask]);

    expect(ended).toEqual(["asked", UNREAD]);
    expect(lines).toEqual([`Look (asked): ${UNREAD} Which shelf?`]);
  });

  test("says why a service has refused, and no read beside it answers for the service", async () => {
    const ask = ["ask_rate", { isRefused: true }] as const;

    const alone = await look([call(...ask), CLAIM, CLAIM]);
    const beside = await look([call(...ask), call(...FIND_NO_LINE), CLAIM, CLAIM]);
    const asked = await look([call(...ask), call("ask_rate", { isRefused: false }), CLAIM]);

    expect(alone.ended).toEqual(["failed", REFUSED]);
    expect(beside.ended).toEqual(["partial", `There is no milk. ${REFUSED}`]);
    expect(asked.ended).toEqual(["done", "There is no milk."]);
  });
});

test("a write step that has written is done, whatever it could not read before", async () => {
  const add = makeStep({ description: "Add", stepType: "write", subdomain: "shopping" });

  const { state } = await stepPlayer(database)([add], {
    scripts: { Add: [call(...READ_BADLY), call(...adding("figs")), complete("Added figs")] },
  });

  expect(state.stepResults[0]).toMatchObject({ status: "done", outcome: "Added figs" });
});
