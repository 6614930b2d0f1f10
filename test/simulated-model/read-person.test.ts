import { expect, test } from "vitest";
import { finishedSteps } from "../../simulated-model/concierge/read-person.ts";

test.each<[string, readonly number[]]>([
  ["step 1 is done and skip step 3", [1]],
  ["step 2 is done, please remove step 4", [2]],
  ["steps 1 to 5 are done", [1, 2, 3, 4, 5]],
  ["steps 2-4 and 6 are done", [2, 3, 4, 6]],
  ["I did step 2 and 3", [2, 3]],
  ["steps 1 to 900 are done", [1, 900]],
  ["that is done, and what now", [0]],
  ["skip step 3", []],
  ["drop step 3 and step 1 is done", [1]],
  ["step 1 is done, and could you skip step 2?", [1]],
  ["please tick off step 2", [2]],
  ["I did step 1 but it didn't work", []],
  ["I'm done with all of it", []],
])("finishedSteps() reads the steps that are said to be done: %j", (text, steps) => {
  expect(finishedSteps(text)).toEqual(steps);
});
