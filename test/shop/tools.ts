import { z } from "zod";
import { defineTool, type ToolDefinition } from "../../domain/define-tool.ts";
import type { DomainTool, RowTarget, ToolContext } from "../../state/domain.ts";
import type { EntityRow } from "../../state/entity.ts";
import { show } from "./entity-types.ts";

const ORDER = z.string().describe("its ref");
/** Other variants in place of items of an order. */
const Swaps = z.strictObject({
  order: ORDER,
  swaps: z
    .array(
      z.strictObject({
        item: z.string().describe("its ref"),
        variant: z.string().describe("ref of the variant in its place"),
      }),
    )
    .describe("each item once"),
});

const cancelOrder = defineShopTool({
  name: "cancel_order",
  description: "Cancel a pending order; what was paid goes back to its payment method.",
  parameters: z.strictObject({
    order: ORDER,
    reason: z
      .enum(["no longer needed", "ordered by mistake"])
      .describe("which the customer has given"),
  }),
  writes: ["order", "payment"],
  undo: { never: "the refund has been made" },
  run: async ({ order, reason }, tool) => {
    const row = await lockOrder(order, "pending", tool);
    const { rows } = await tool.tx.query(
      "select sum(price) as paid from order_items where order_id = $1::uuid and not returned",
      [row.id],
    );
    await tool.update(order, { status: "cancelled", cancel_reason: reason });
    await pay(row, -Number(rows[0]?.["paid"]), tool);
    return null;
  },
});

const changeAddress = defineShopTool({
  name: "change_address",
  description: "Send a pending order to another address.",
  parameters: z.strictObject({ order: ORDER, address: z.string().describe("the new one") }),
  writes: ["order"],
  run: async ({ order, address }, tool) => {
    await lockOrder(order, "pending", tool);
    await tool.update(order, { address });
    return null;
  },
});

const changeItems = defineShopTool({
  name: "change_items",
  description: "Swap items of a pending order for other variants of the same products.",
  parameters: Swaps,
  writes: ["order", "item", "payment"],
  run: (args, tool) => swapItems("pending", args, tool),
});

const exchangeItems = defineShopTool({
  name: "exchange_items",
  description: "Exchange items of a delivered order for other variants of the same products.",
  parameters: Swaps,
  writes: ["order", "item", "payment"],
  run: async (args, tool) => {
    await swapItems("delivered", args, tool);
    await tool.update(args.order, { status: "exchange requested" });
    return null;
  },
});

const returnItems = defineShopTool({
  name: "return_items",
  description: "Take items of a delivered order back and refund them.",
  parameters: z.strictObject({ order: ORDER, items: z.array(z.string()).describe("their refs") }),
  writes: ["order", "item", "payment"],
  run: async ({ order, items }, tool) => {
    const row = await lockOrder(order, "delivered", tool);
    let refund = 0;
    for (const item of items) {
      const { values } = await tool.lock(item);
      if (values["order_id"] !== row.id) tool.refuse("An item belongs to another order");
      if (values["returned"] === true) tool.refuse("An item has been returned already");
      await tool.update(item, { returned: true });
      refund += Number(values["price"]);
    }
    await tool.update(order, { status: "return requested" });
    await pay(row, -refund, tool);
    return null;
  },
  // Address and gift card may have been changed since: they stay, and the refund is taken from the card as it is.
  undo: async ({ changes }, tool) => {
    let refund = 0;
    for (const { type, id, before } of changes) {
      if (type !== "item") continue;
      await tool.update({ type, id }, { returned: false });
      refund += Number(before?.["price"]);
    }
    const id = changes.find(({ type }) => type === "order")?.id ?? "";
    const row = await lockOrder({ type: "order", id }, "return requested", tool);
    await tool.update({ type: "order", id }, { status: "delivered" });
    await pay(row, refund, tool);
  },
});

const handOver = defineShopTool({
  name: "hand_over",
  subdomain: "handovers",
  description: "Hand the customer over to a person, with what has to be known.",
  parameters: z.strictObject({ summary: z.string().describe("the case, for that person") }),
  writes: ["handover"],
  run: async ({ summary }, tool) => {
    await tool.create("handover", { summary });
    return null;
  },
});

/** Every change of the shop asks the customer first. */
export const SHOP_TOOLS: readonly DomainTool[] = [
  cancelOrder,
  changeAddress,
  changeItems,
  exchangeItems,
  returnItems,
  handOver,
];

type ShopTool<S extends z.ZodObject> = Omit<ToolDefinition<S>, "subdomain" | "effect" | "confirm"> &
  Partial<Pick<DomainTool, "subdomain">>;

function defineShopTool<S extends z.ZodObject>(definition: ShopTool<S>): DomainTool {
  return defineTool({ subdomain: "orders", ...definition, effect: "write", confirm: "always" });
}

async function lockOrder(order: RowTarget, status: string, tool: ToolContext): Promise<EntityRow> {
  const row = await tool.lock(order);
  const found = show(row.values["status"]);
  if (found !== status) {
    tool.refuse(`Order ${show(row.values["number"])} is ${found}, not ${status}`);
  }
  return row;
}

/** Puts other variants in place of items of an order, which pays what they cost more. */
async function swapItems(
  status: string,
  { order, swaps }: z.output<typeof Swaps>,
  tool: ToolContext,
): Promise<null> {
  const row = await lockOrder(order, status, tool);
  let more = 0;
  for (const { item, variant } of swaps) {
    const { values } = await tool.lock(item);
    const { id, label } = tool.refs.resolve(variant);
    if (values["order_id"] !== row.id) tool.refuse("An item belongs to another order");
    const { rows } = await tool.tx.query(
      `select wanted.price, wanted.available from variants wanted join variants bought using (product_id)
        where wanted.id = $1 and bought.id = $2`,
      [id, values["variant_id"]],
    );
    const [wanted] = rows;
    if (wanted === undefined) return tool.refuse("An item can only be swapped within its product");
    if (wanted["available"] !== true) tool.refuse(`Variant ${label} is sold out`);
    const price = Number(wanted["price"]);
    await tool.update(item, { variant_id: variant, price });
    more += price - Number(values["price"]);
  }
  await pay(row, more, tool);
  return null;
}

/** Takes an amount from the order's payment method; a negative one goes back. Cards are settled by the bank. */
async function pay(order: EntityRow, amount: number, tool: ToolContext): Promise<void> {
  const payment = { type: "payment", id: show(order.values["payment_id"]) };
  const { values } = await tool.lock(payment);
  if (values["kind"] !== "gift card" || amount === 0) return;
  const balance = Math.round((Number(values["balance"]) - amount) * 100) / 100;
  if (balance < 0) tool.refuse(`${show(values["name"])} has only ${show(values["balance"])} left`);
  await tool.update(payment, { balance });
}
