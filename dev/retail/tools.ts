import { z } from "zod";
import {
  defineTool,
  type DomainTool,
  type EntityRow,
  type ToolContext,
  type ToolDefinition,
} from "../../packaging/domain.ts";
import { ADDRESS_PARTS, show } from "./entity-types.ts";

const order = z.string().describe("ref of the order");
const payment = z.string().describe("ref of the payment method");
/** Other variants in place of items of an order, which a payment method settles. */
const Swaps = z.strictObject({
  order,
  swaps: z
    .array(
      z.strictObject({
        item: z.string().describe("its ref"),
        variant: z.string().describe("ref of the variant in its place"),
      }),
    )
    .describe("each item once"),
  payment,
});
type Swaps = z.output<typeof Swaps>;
const ADDRESS = Object.fromEntries(
  ADDRESS_PARTS.map((part) => [part, z.string().describe("of the new address")]),
);
const PaymentLines = z.array(
  z.object({ transaction_type: z.string(), amount: z.number(), payment_method_id: z.string() }),
);

/** The writing tools of the benchmark, by its names. Each asks the customer first. */
export const RETAIL_TOOLS: readonly DomainTool[] = [
  defineRetailTool({
    name: "cancel_pending_order",
    description: "Cancel a pending order; what was paid goes back to how it was paid.",
    parameters: z.strictObject({
      order,
      reason: z
        .enum(["no longer needed", "ordered by mistake"])
        .describe("which the customer has given"),
    }),
    writes: ["order", "payment"],
    run: async ({ order: ref, reason }, tool) => {
      const row = await lockOrder(ref, "pending", tool);
      const paid = readPayments(row);
      for (const line of paid) {
        const method = await tool.lock({ type: "payment", id: line.payment_method_id });
        await charge(method, -line.amount, tool);
      }
      const refunds = paid.map((line) => Object.assign({}, line, { transaction_type: "refund" }));
      const cancelled = { status: "cancelled", cancel_reason: reason };
      await tool.update(ref, { ...cancelled, payment_history: [...paid, ...refunds] });
      return null;
    },
  }),
  defineRetailTool({
    name: "modify_pending_order_items",
    description: "Swap items of a pending order, once, for other variants of the same products.",
    parameters: Swaps,
    writes: ["order", "item", "payment"],
    run: async (args, tool) => {
      const { row, method, difference, swapped } = await readSwaps("pending", args, tool);
      for (const { item, variant, price } of swapped) {
        await tool.update(item, { variant_id: variant, price });
      }
      await charge(method, difference, tool);
      const line = {
        transaction_type: difference > 0 ? "payment" : "refund",
        amount: Math.abs(difference),
        payment_method_id: method.id,
      };
      const payment_history = [...readPayments(row), line];
      await tool.update(args.order, { status: "pending (item modified)", payment_history });
      return null;
    },
  }),
  defineRetailTool({
    name: "modify_pending_order_address",
    description: "Send a pending order to another address.",
    parameters: z.strictObject({ order, ...ADDRESS }),
    writes: ["order"],
    run: async ({ order: ref, ...address }, tool) => {
      await lockOrder(ref, "pending", tool);
      await tool.update(ref, address);
      return null;
    },
  }),
  defineRetailTool({
    name: "modify_pending_order_payment",
    description: "Pay a pending order in another way; what was paid goes back.",
    parameters: z.strictObject({ order, payment }),
    writes: ["order", "payment"],
    run: async ({ order: ref, payment: to }, tool) => {
      const [paid, ...others] = readPayments(await lockOrder(ref, "pending", tool));
      if (paid?.transaction_type !== "payment" || others.length > 0) {
        return tool.refuse("The order must have been paid exactly once");
      }
      const method = await tool.lock(to);
      if (method.id === paid.payment_method_id) tool.refuse("It is paid in this way already");
      await charge(method, paid.amount, tool);
      const before = await tool.lock({ type: "payment", id: paid.payment_method_id });
      await charge(before, -paid.amount, tool);
      const now = { ...paid, payment_method_id: method.id };
      const back = { ...paid, transaction_type: "refund" };
      await tool.update(ref, { payment_history: [paid, now, back] });
      return null;
    },
  }),
  defineRetailTool({
    name: "exchange_delivered_order_items",
    description: "Ask to exchange items of a delivered order for variants of the same products.",
    parameters: Swaps,
    writes: ["order"],
    run: async (args, tool) => {
      const { method, difference, swapped } = await readSwaps("delivered", args, tool);
      if (difference > readBalance(method)) tool.refuse("The gift card does not have enough left");
      await tool.update(args.order, {
        status: "exchange requested",
        exchange_items: swapped.map(({ from }) => from).toSorted(),
        exchange_new_items: swapped.map(({ to }) => to).toSorted(),
        exchange_payment_method_id: args.payment,
        exchange_price_difference: difference,
      });
      return null;
    },
  }),
  defineRetailTool({
    name: "return_delivered_order_items",
    description: "Ask to return items of a delivered order, to how it was paid or to a gift card.",
    parameters: z.strictObject({
      order,
      items: z.array(z.string()).describe("refs of the items"),
      payment,
    }),
    writes: ["order"],
    run: async ({ order: ref, items, payment: to }, tool) => {
      const row = await lockOrder(ref, "delivered", tool);
      const method = await tool.lock(to);
      const isFirst = readPayments(row)[0]?.payment_method_id === method.id;
      if (!isFirst && method.values["source"] !== "gift_card") {
        tool.refuse("It goes back to how the order was paid first, or to a gift card");
      }
      const returned = await lockItems(row, items, tool);
      await tool.update(ref, {
        status: "return requested",
        return_items: returned.map(({ values }) => show(values, "variant_id")).toSorted(),
        return_payment_method_id: to,
      });
      return null;
    },
  }),
  defineRetailTool({
    name: "modify_user_address",
    subdomain: "customers",
    description: "Change the customer's own address; orders keep theirs.",
    parameters: z.strictObject({
      customer: z.string().describe("ref of the customer"),
      ...ADDRESS,
    }),
    writes: ["customer"],
    run: async ({ customer, ...address }, tool) => {
      await tool.update(customer, address);
      return null;
    },
  }),
];

type RetailTool<S extends z.ZodObject> = Omit<
  ToolDefinition<S>,
  "subdomain" | "effect" | "confirm"
> &
  Partial<Pick<DomainTool, "subdomain">>;

function defineRetailTool<S extends z.ZodObject>(definition: RetailTool<S>): DomainTool {
  return defineTool({ subdomain: "orders", ...definition, effect: "write", confirm: "always" });
}

async function lockOrder(ref: string, status: string, tool: ToolContext): Promise<EntityRow> {
  const row = await tool.lock(ref);
  const found = show(row.values, "status");
  if (found !== status) tool.refuse(`Order ${row.id} is ${found}, not ${status}`);
  return row;
}

async function lockItems(
  { id }: EntityRow,
  refs: readonly string[],
  tool: ToolContext,
): Promise<readonly EntityRow[]> {
  if (new Set(refs).size < refs.length) tool.refuse("An item is named twice");
  const rows: EntityRow[] = [];
  for (const ref of refs) rows.push(await tool.lock(ref));
  if (rows.some(({ values }) => values["order_id"] !== id))
    tool.refuse("An item is of another order");
  return rows;
}

/** Checks that items may be swapped, and adds up what they cost more. */
async function readSwaps(
  status: string,
  { order: ref, swaps, payment: by }: Swaps,
  tool: ToolContext,
) {
  const row = await lockOrder(ref, status, tool);
  const items = await lockItems(
    row,
    swaps.map(({ item }) => item),
    tool,
  );
  const method = await tool.lock(by);
  const swapped = [];
  for (const [at, { item, variant }] of swaps.entries()) {
    const { values: from = {} } = items[at] ?? {};
    const { id: to } = tool.refs.resolve(variant);
    const { rows } = await tool.tx.query(
      `select price from variants where id = $1 and available
          and product_id = (select product_id from variants where id = $2)`,
      [to, from["variant_id"]],
    );
    if (rows[0] === undefined) return tool.refuse("No variant of the product, or not available");
    const price = Number(rows[0]["price"]);
    swapped.push({
      item,
      variant,
      from: show(from, "variant_id"),
      to: to ?? "",
      price,
      more: price - Number(from["price"]),
    });
  }
  const difference = toCents(swapped.reduce((sum, { more }) => sum + more, 0));
  return { row, method, difference, swapped };
}

function readPayments({ values }: EntityRow): z.output<typeof PaymentLines> {
  return PaymentLines.parse(values["payment_history"]);
}

/** The most that a payment method can pay: a gift card its balance, others anything. */
function readBalance({ values }: EntityRow): number {
  return values["source"] === "gift_card" ? Number(values["balance"]) : Infinity;
}

/** Takes an amount from a gift card; a negative one goes back. Other methods are settled by others. */
async function charge(method: EntityRow, amount: number, tool: ToolContext): Promise<void> {
  if (method.values["source"] !== "gift_card") return;
  const balance = toCents(readBalance(method) - amount);
  if (balance < 0 && amount > 0) tool.refuse("The gift card does not have enough left");
  await tool.update({ type: "payment", id: method.id }, { balance });
}

/** Rounds an amount of money to cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
