import { describe, expect, test } from "vitest";
import { buildSummarizePrompt } from "../../prompts/summarize.ts";
import { fence } from "../../state/fence.ts";
import { answerTo, messagesOf } from "./perform.ts";

/** What the minutes say of the plan after a message; undefined where they say nothing. */
async function progressAfter(message: string, hasPlan = true): Promise<unknown> {
  const text = await answerTo(
    messagesOf(
      buildSummarizePrompt({
        turn: 8,
        message: fence("message", message),
        goal: "Go on with the plan",
        outcomes: [],
        curation: "",
        reply: fence("reply", "Well done."),
        workflow: hasPlan
          ? {
              goal: "Cook at home",
              currentStepIndex: 1,
              steps: (["complete", "active", "pending"] as const).map((status, index) => ({
                id: `step_${index + 1}`,
                title: `Step ${index + 1}`,
                description: "",
                doneWhen: "",
                status,
              })),
            }
          : null,
      }),
    ),
  );
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? Reflect.get(value, "workflow") : value;
}

describe("the minutes", () => {
  test.each([
    ["step 2 is done, what now?", ["step_2"]],
    ["step 2 is done, how do i start step 3?", ["step_2"]],
    ["I finished the second step", ["step_2"]],
    ["done!", ["step_2"]],
    ["that's done, whats next", ["step_2"]],
    ["steps 2 and 3 are done", ["step_2", "step_3"]],
    ["step 3 is done too", ["step_3"]],
    ["step 9 is done", []],
    ["when step 2 is done, what comes next?", []],
    ["is step 2 done?", []],
    ["step 2 is almost done", []],
    ["I have not finished step 2", []],
    ["looks good", []],
  ])("tick off only what was confirmed: %s", async (message, completed) => {
    expect(await progressAfter(message)).toEqual({ completed, reopened: [] });
  });

  test("take up again what was complete", async () => {
    expect(await progressAfter("step 1 is not really done after all")).toEqual({
      completed: [],
      reopened: ["step_1"],
    });
  });

  test("say nothing of a plan where there is none", async () => {
    expect(await progressAfter("step 1 is done", false)).toBeUndefined();
  });
});
