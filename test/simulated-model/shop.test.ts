import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { shopDomain } from "../shop/domain.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase({ migrations: [domainFolder(shopDomain)] });

/** Summaries of orders name their items. */
function listItems(type: EntityType): EntityType {
  return type.type === "order" ? { ...type, summary: [...type.summary, "items"] } : type;
}

async function openShop(domain: Domain) {
  const { models } = await openModels({ kind: "simulated" }, { domain });
  return testAssistant({ database, domain, models });
}

test("createSimulatedModel() names what rows point at and hold by label, never by ref", async () => {
  const shop = await openShop({
    ...shopDomain,
    entityTypes: shopDomain.entityTypes.map(listItems),
  });

  const { reply } = await shop.send("Show the orders");
  const items = await shop.send("Show the items");

  expect(reply).toContain("payment gift card 41, items Lamp; Thermostat; Bottle");
  expect(`${reply}${items.reply}`).not.toMatch(/[a-z]+_\d/u);
});

test.each([
  ["show keyboard", "**Keyboard**\n\nId P1, category keyboards"],
  [
    "show Ana",
    'I found nothing called "Ana" in the orders, the handovers, the items, the payments, the products or the variants.',
  ],
  ["show the orders of gift", 'I found nothing called "gift" in the orders.'],
  ["show the items of Ana", 'I found nothing called "Ana" in the items.'],
])(
  "createSimulatedModel() looks for a name in every part, or says where it looked: %s",
  async (message, reply) => {
    const shop = await openShop(shopDomain);

    expect((await shop.send(message)).reply).toBe(reply);
  },
);

test("createSimulatedModel() asks for no yes to what no tool can do", async () => {
  const shop = await openShop(shopDomain);
  await shop.send("Show the orders");

  const { reply, state } = await shop.send("Delete all my orders");

  expect(reply).toBe("Nothing was changed.\n\nI cannot delete orders here.");
  expect(state.pending).toBeNull();
});
