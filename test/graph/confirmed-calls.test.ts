import { expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { shopDomain } from "../shop/domain.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, calls } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const DELETABLE = new Set(["order", "item"]);

function makeDeletable(type: EntityType): EntityType {
  if (!DELETABLE.has(type.type)) return type;
  return { ...type, rights: ["read", "delete"], confirm: { delete: "always" } };
}

/** Orders and their items may be deleted; the items of an order go with it. */
const domain = { ...shopDomain, entityTypes: shopDomain.entityTypes.map(makeDeletable) };
const database = await testDatabase({ migrations: [domainFolder(domain)] });

const remove = (...refs: string[]) => ["delete_rows", { refs, all: null }] as const;

const SUBDOMAIN = { subdomain: "orders" };
const STEPS = [
  makeStep({ ...SUBDOMAIN, description: "Look at the orders" }),
  makeStep({ ...SUBDOMAIN, description: "Look at the items" }),
  makeStep({
    ...SUBDOMAIN,
    description: "Delete",
    stepType: "write",
    writes: [{ action: "delete", type: "order", refs: [] }],
  }),
];

/** A customer who sees the orders and their items, asks for deletions, and says yes. */
async function confirm(...deletions: readonly (readonly [name: string, args: Json])[]) {
  const models = scriptTurns([...STEPS.map((step) => [step]), "yes"], {
    act: [
      call("read_orders", {}),
      call("read_items", { where: [{ column: "order_id", op: "=", value: "order_1" }] }),
      calls(...deletions),
    ],
    reply: ["Orders.", "Items."],
  });
  const shop = await testAssistant({ database, domain, models });
  await shop.send("what have I ordered?");
  await shop.send("and the items?");
  return { asked: await shop.send("away with it"), agreed: await shop.send("yes") };
}

test("one yes to an order and its items does not call the items not done that went with it", async () => {
  const { asked, agreed } = await confirm(remove("order_1"), remove("item_1", "item_2"));

  expect(asked.reply).toContain("This deletes");
  expect(agreed.reply).toBe("Deleted: order #W1001, Lamp, Thermostat, Bottle");
  expect(agreed.state.stepResults.map(({ status }) => status)).toEqual(["done"]);
});
