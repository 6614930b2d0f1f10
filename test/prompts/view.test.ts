import { expect, test } from "vitest";
import { viewConversation, viewEntities } from "../../prompts/view.ts";
import { testServices } from "../support/node-services.ts";
import { thirdTurn } from "../support/narrowing.ts";

test("viewEntities() computes the entities of a state once, and anew for the state after it", () => {
  const services = testServices();
  const state = thirdTurn();
  const first = viewEntities(state, services.domain);

  expect(viewEntities(state, services.domain)).toBe(first);
  expect(viewConversation(state, services).workingSet).toBe(first.workingSet);
  expect(viewEntities({ ...state }, services.domain)).not.toBe(first);
});
