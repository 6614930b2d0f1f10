import { HEADINGS } from "../../prompts/headings.ts";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { DEMO_DAY, openConversation } from "../support/conversation.ts";
import type { ModelRequest } from "../../state/model.ts";
import { testDatabase } from "../support/database.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, stepScripts } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";
import { BIG_BUYER, shopDomain } from "./domain.ts";

const database = await testDatabase({ migrations: [domainFolder(shopDomain)] });

test("of an order of 305 items any is two reads away, those named are shown, and the order stays known", async () => {
  const ofTheOrder = [{ column: "order_id", op: "=", value: "order_1" }];
  const look = { subdomain: "orders" };
  const plans = [
    [makeStep({ ...look, description: "Look at the orders" })],
    [
      makeStep({ description: "Look at the catalogue", subdomain: "products" }),
      makeStep({ ...look, description: "Look at the items" }),
      makeStep({ ...look, description: "Look at the rest", group: 2 }),
    ],
    [makeStep({ ...look, description: "Look again" })],
  ];
  const models = scriptTurns(plans, {
    act: stepScripts({
      "Look at the orders": [call("read_orders", {})],
      "Look at the catalogue": [call("read_variants", {})],
      "Look at the items": [call("read_items", { where: ofTheOrder, limit: 200 })],
      "Look at the rest": [
        call("read_items", { where: ofTheOrder, limit: 200, after: "item_200" }),
      ],
      "Look again": [call("read_orders", { refs: ["order_1"] })],
    }),
    reply: plans.map(() => "Done."),
  });
  const demo = shopDomain.demo?.find(({ userId }) => userId === BIG_BUYER);
  await database.userData.seed(BIG_BUYER, "big order", async (tx) =>
    demo?.seed(tx, { userId: BIG_BUYER, today: DEMO_DAY.today }),
  );
  const shop = openConversation(
    { database, domain: shopDomain, models },
    { userId: BIG_BUYER, threadId: randomUUID() },
  );
  await shop.send("what have I ordered?");
  await shop.send("Are a keyboard and a thermostat in #W1001?");
  const reads = (await shop.state()).stepResults.flatMap(({ calls }) => calls);
  await shop.send("What was it again?");

  expect(reads.map(({ tool, refs, text }) => [tool, refs.at(-1), text.split("\n").at(-1)])).toEqual(
    [
      [
        "read_variants",
        "variant_20",
        "variant_20 | 5004 | product_5 (Shoe) | size 4 | 121 | false",
      ],
      ["read_items", "item_200", "257 more items: read_items, after item_48"],
      ["read_items", "item_305", "57 more items: read_items, after item_247"],
    ],
  );
  const [, shown, whole] = models.reply.requests.map((request) => readData(HEADINGS.rows, request));
  const lines = shown?.split("\n") ?? [];
  expect(lines.filter((line) => /^item_.* (?:Keyboard|Thermostat) /u.test(line))).toEqual([
    "item_7 | 7 | variant_1 (1001 (size 1)) | Keyboard | 25.25",
    "item_300 | 300 | variant_9 (3001 (size 1)) | Thermostat | 65.25",
  ]);
  const rows = ["variant", "item"].map((type) =>
    lines.filter((line) => line.startsWith(`${type}_`)),
  );
  expect(rows.map(({ length }) => length)).toEqual([20, 28]);
  expect(lines.at(-1)).toBe("277 more items");
  expect(whole?.split("\n").slice(0, 5)).toEqual([
    "order_1",
    "  number: #W1001",
    "  status: pending",
    "  address: 1 Mill Lane",
    "  payment_id: payment_1 (gift card 41)",
  ]);
  expect(whole).toContain("\n  items (305, first 12): item_1 (position 1, variant_id variant_5");
  // The order was asked for, and stands before what it points at.
  const table = readData(HEADINGS.recentContext, models.think.requests[2]).split("\n");
  expect(table[0]).toBe("order_1 order #W1001: pending");
});

/** A section of data in a prompt. */
function readData(heading: string, request: ModelRequest | undefined): string {
  const prompt = request?.messages.map(({ text }) => text).join("\n") ?? "";
  const [, after = ""] = prompt.split(`## ${heading}\n\n<data>\n`);
  return after.split("\n</data>")[0] ?? "";
}
