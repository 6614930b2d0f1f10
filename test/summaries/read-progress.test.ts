import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { readProgress } from "../../summaries/read-progress.ts";
import { startWorkflow } from "../../summaries/workflow-progress.ts";

const step = (title: string) => ({ title, description: "", doneWhen: "" });
const workflow = startWorkflow("goal", [step("One"), step("Two"), step("Three")]);

test.each<[string, string[]]>([
  ["step 1 is done, what now?", ["step_1"]],
  ["Step 2 is finished.", ["step_2"]],
  ["we've finished step 3", ["step_3"]],
  ["step 2 is done, how do i start step 3?", ["step_2"]],
  ["is step 1 done?", []],
  ["step 1 isn't done yet", []],
  ["when step 2 is done, what comes?", []],
  ["step 9 is done", []],
  ["what about step 1", []],
  ["hello", []],
])("readProgress() reads %s", (message, completed) => {
  expect(readProgress(message, workflow)).toEqual({ completed, reopened: [] });
});

law.prop([fc.string()])("names steps of the plan alone, whatever was said", (message) => {
  const ids = workflow.steps.map(({ id }) => id);
  for (const id of readProgress(message, workflow).completed) expect(ids).toContain(id);
});
