import { describe, expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { runReadTool } from "../../domain/run-tool.ts";
import { createTableTools } from "../../domain/table-tools.ts";
import { isJsonObject, type Json } from "../../state/json.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { DEMO_DAY, testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { testEffect } from "../support/effect.ts";
import { createRefBook } from "../support/ref-book.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";
import { shopDomain } from "./domain.ts";
import { SHOP_TYPES } from "./entity-types.ts";

const database = await testDatabase({ migrations: [domainFolder(shopDomain)] });

const LOOK = makeStep({ description: "Look at the orders", subdomain: "orders" });
const CHANGE = makeStep({
  description: "Change the order",
  stepType: "write",
  subdomain: "orders",
  writes: [{ action: "update", type: "order", refs: [] }],
});

interface Customer {
  readonly message?: string;
  readonly domain?: typeof shopDomain;
}

/** A customer who asks to see the orders, then for something, then says yes, then has it undone. */
async function serve(
  script: StepScript,
  { message = "I do not need #W1001 any more", domain = shopDomain }: Customer = {},
) {
  const models = scriptTurns([[LOOK], [CHANGE], "yes", "undo"], {
    act: [call("read_orders", {}), ...script],
    reply: Array.from({ length: 3 }, () => "Done."),
  });
  const shop = await testAssistant({ database, domain, models });
  await shop.send("what have I ordered?");
  const asked = await shop.send(message);
  return { shop, asked };
}

async function orders(userId: string): Promise<unknown> {
  const { rows } = await database.owner.query(
    `select number, status, balance from orders left join payment_methods on payment_methods.id = payment_id
      where orders.user_id = $1 order by number`,
    [userId],
  );
  return rows;
}

const exchange = (variant: string) =>
  call("exchange_items", { order: "order_2", swaps: [{ item: "item_1", variant }] });
const cancel = (order: string) => call("cancel_order", { order, reason: "no longer needed" });

describe("the shop's own tools", () => {
  test("ask before they change anything, and a yes refunds and cancels", async () => {
    const { shop, asked } = await serve([cancel("order_1")]);
    const before = await orders(shop.userId);
    await shop.send("yes");

    expect(asked.reply).toMatch(
      /^This changes 1 order: order #W1001 \(status: pending → cancelled, .*It cannot be undone\. Do it\?$/u,
    );
    expect(before).toEqual([
      { number: "#W1001", status: "pending", balance: 100 },
      { number: "#W1002", status: "delivered", balance: null },
      { number: "#W1003", status: "cancelled", balance: null },
    ]);
    expect(await orders(shop.userId)).toEqual([
      { number: "#W1001", status: "cancelled", balance: 295.75 },
      { number: "#W1002", status: "delivered", balance: null },
      { number: "#W1003", status: "cancelled", balance: null },
    ]);
  });

  test("refuse what the shop's rules forbid, and change nothing then", async () => {
    const { shop, asked } = await serve([cancel("order_2"), complete("It was delivered")]);

    expect(asked.state.stepResults[0]?.calls[0]?.text).toBe(
      "Order #W1002 is delivered, not pending",
    );
    expect(await orders(shop.userId)).toMatchObject([{ status: "pending" }, {}, {}]);
  });
});

test.each([
  ["cancelled", "Please cancel #W1001, I no longer need it."],
  ["pending", "Please cancel order #W1003, I no longer need it."],
  ["pending", "Please cancel #W5065081, I no longer need it."],
  ["pending", "Please cancel my order"],
])("a tool that asks about many rows leaves the order %s: %s", async (status, message) => {
  const confirm = { above: 20, unnamed: false };
  const tools = shopDomain.tools.map((tool) => Object.assign({}, tool, { confirm }));
  const { shop } = await serve([cancel("order_1"), complete("Cancelled it")], {
    message,
    domain: { ...shopDomain, tools },
  });

  expect(await orders(shop.userId)).toContainEqual(
    expect.objectContaining({ number: "#W1001", status }),
  );
});

test("an exchange swaps a variant within its product, where it is not sold out", async () => {
  const { shop, asked } = await serve([
    call("read_items", { where: [{ column: "order_id", op: "=", value: "order_2" }] }),
    call("read_variants", {}),
    exchange("variant_4"),
    exchange("variant_10"),
    exchange("variant_8"),
  ]);

  expect(asked.state.stepResults[0]?.calls.slice(2).map(({ text }) => text)).toEqual([
    "An item can only be swapped within its product",
    "Variant 2004 (size 4) is sold out",
    "Not done yet: the person is asked first",
  ]);
  expect(asked.reply).toContain("status: delivered → exchange requested");
  expect(asked.reply).toMatch(/\(variant: 2001 \(.+\) → 2002 \(.+\), price: /u);
  await shop.send("yes");
  const { rows } = await database.owner.query(
    "select variant_id, price from order_items where user_id = $1 and variant_id like '200_'",
    [shop.userId],
  );
  expect(rows).toContainEqual({ variant_id: "2002", price: 50.5 });
});

test("a return refunds each item once, and takes none back twice", async () => {
  const { shop, asked } = await serve([
    call("read_items", { where: [{ column: "order_id", op: "=", value: "order_2" }] }),
    call("return_items", { order: "order_2", items: ["item_1", "item_1"] }),
    call("return_items", { order: "order_2", items: ["item_1", "item_2"] }),
  ]);

  expect(asked.state.stepResults[0]?.calls[1]?.text).toBe("An item has been returned already");
  await shop.send("yes");
  const { rows } = await database.owner.query(
    "select count(*)::int as returned from order_items where user_id = $1 and returned",
    [shop.userId],
  );
  expect(rows).toEqual([{ returned: 2 }]);
});

test("a return is undone by its tool: the order's new address stays", async () => {
  const { shop } = await serve([
    call("read_items", { where: [{ column: "order_id", op: "=", value: "order_2" }] }),
    call("return_items", { order: "order_2", items: ["item_1", "item_2"] }),
  ]);
  await shop.send("yes");
  const returned = await orders(shop.userId);
  await database.owner.query(
    "update orders set address = '5 New Street' where user_id = $1 and number = '#W1002'",
    [shop.userId],
  );

  const { reply } = await shop.send("undo that");

  expect(returned).toContainEqual({ number: "#W1002", status: "return requested", balance: null });
  expect(reply).toMatch(/^Undone: .+ \(as it was before\)/u);
  const { rows } = await database.owner.query(
    `select status, address, (select count(*)::int from order_items where order_id = orders.id and returned) as returned
       from orders where user_id = $1 and number = '#W1002'`,
    [shop.userId],
  );
  expect(rows).toEqual([{ status: "delivered", address: "5 New Street", returned: 0 }]);
});

test("shared rows are everybody's to read, and nobody's to write through the program's login", async () => {
  const { shop } = await serve([complete("Nothing to do")]);
  const seen = await database.userData.read("somebody else", (tx) =>
    tx.query("select count(*)::int as products from products"),
  );
  expect(seen.rows).toEqual([{ products: 5 }]);
  const write = database.userData.write(shop.userId, testEffect("price"), async (tx) => {
    await tx.query("update variants set price = 1");
    return null;
  });
  await expect(write).rejects.toMatchObject({ code: "42501" });
});

test("a read of orders brings their number of items, whole also the first, and never from memory", async () => {
  const refs = createRefBook(SHOP_TYPES);
  const { userId } = (await serve([complete("Nothing to do")])).shop;
  const context = { userId, threadId: null, timeZone: "UTC", today: DEMO_DAY.today };
  const [tool] = createTableTools(SHOP_TYPES);
  if (tool === undefined) throw new Error("There is no tool that reads orders");
  const read = async (whole: boolean): Promise<ToolOutcome> => {
    const outcome = await database.userData.read(userId, (tx) =>
      runReadTool(
        tool,
        { whole },
        {
          ...context,
          tx,
          refs,
          signal: null,
          effectKey: null,
          entityTypes: SHOP_TYPES,
        },
      ),
    );
    refs.take(outcome);
    return outcome;
  };

  const [summary, full, again] = [await read(false), await read(true), await read(true)];

  const none = { total: 3, ids: [] };
  expect(listItems(summary)).toEqual([none, none, none]);
  expect(summary.listed).toEqual([]);
  const names = full.listed.map(({ type, rows }) => [
    type,
    ...rows.map(({ values }) => values["name"]),
  ]);
  const three = ["Lamp", "Thermostat", "Bottle"];
  expect(names).toEqual([["item", ...three, ...three, ...three]]);
  expect(listItems(full).flatMap((items) => readIds(items))).toEqual(
    full.listed.flatMap(({ rows }) => rows.map(({ id }) => id)),
  );
  expect(again).toEqual(full);
});

/** Returns the items that the rows of a read hold. */
function listItems({ reads }: ToolOutcome): (Json | undefined)[] {
  return reads.flatMap(({ rows }) => rows.map(({ values }) => values["items"]));
}

function readIds(items: Json | undefined): Json {
  return isJsonObject(items) ? (items["ids"] ?? []) : [];
}
