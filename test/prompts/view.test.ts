import { expect, test } from "vitest";
import { viewConversation, viewEntities } from "../../prompts/view.ts";
import { testServices } from "../support/node-services.ts";
import { createReceipt, renderReceipts } from "../../registry/receipts.ts";
import { thirdTurn } from "../support/narrowing.ts";

test("viewEntities() computes the entities of a state once, and anew for the state after it", () => {
  const services = testServices();
  const state = thirdTurn();
  const first = viewEntities(state, services.domain);

  expect(viewEntities(state, services.domain)).toBe(first);
  expect(viewConversation(state, services).workingSet).toBe(first.workingSet);
  expect(viewEntities({ ...state }, services.domain)).not.toBe(first);
});

test("a label made of its row's own key stands in a receipt, and in no prompt", () => {
  const services = testServices();
  const [dish, other] = thirdTurn().registry.entries;
  if (dish === undefined || other === undefined) throw new Error("the turn knows two dishes");
  const key = "gift_card_7711863";
  const registry = {
    ...thirdTurn().registry,
    entries: [
      { ...dish, id: key, label: `card ${key}`, referencedTurn: 3, demotion: null },
      { ...other, label: `paid with ${key}` },
    ],
  };
  const view = viewConversation(thirdTurn({ registry, registryTable: [] }), services);
  const receipt = createReceipt({ kind: "updated", label: "order", facts: `paid: none → ${key}` });

  expect(renderReceipts([receipt], { registry: view.registry, timeZone: "UTC" })).toBe(
    `Changed: order (paid: none → card ${key})`,
  );
  expect(view.registry.entries[1]?.label).toBe(`paid with ${dish.ref}`);
  expect(view.table.text).toContain(`${dish.ref} card ${dish.ref}`);
  expect(view.table.text).not.toContain(key);
});
