import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBenchmark } from "../../dev/retail/benchmark.ts";
import { retailDomain } from "../../dev/retail/domain.ts";
import { playBenchmark } from "../../dev/retail/play-benchmark.ts";
import { renderStatement } from "../../dev/retail/statement.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import { createTestDatabase } from "../support/database.ts";

/** Twenty turns take long on a busy machine. */
const TIMEOUT_MS = 120_000;

const ADDRESS = {
  address1: "1 Mill Lane",
  address2: "",
  city: "Bath",
  state: "SO",
  country: "UK",
  zip: "1",
};

function user(first_name: string, orders: readonly string[]) {
  const id = `gift_card_${first_name.length}`;
  return {
    name: { first_name, last_name: "Gray" },
    address: ADDRESS,
    email: `${first_name}@example.com`,
    payment_methods: {
      [id]: { source: "gift_card", id, balance: 20.1 },
      [`paypal_${first_name.length}`]: { source: "paypal", id: `paypal_${first_name.length}` },
    },
    orders,
  };
}

const variant = (item_id: string, price: number) => ({
  item_id,
  options: { size: item_id },
  available: item_id !== "13",
  price,
});

const item = (item_id: string, price: number) => ({
  name: "Lamp",
  product_id: "1",
  item_id,
  price,
  options: { size: item_id },
});

function order(order_id: string, user_id: string, status: string) {
  return {
    order_id,
    user_id,
    status,
    address: ADDRESS,
    items: [item("11", 10.2), item("11", 10.2)],
    fulfillments: status === "delivered" ? [{ tracking_id: ["5"], item_ids: ["11", "11"] }] : [],
    payment_history: [
      {
        transaction_type: "payment",
        amount: 20.4,
        payment_method_id: `gift_card_${user_id.length - 2}`,
      },
    ],
  };
}

const USERS = { ann_1: user("ann", ["#W1", "#W2"]), alice_2: user("alice", ["#W3"]) };
const ORDERS = {
  "#W1": order("#W1", "ann_1", "pending"),
  "#W2": order("#W2", "ann_1", "pending"),
  "#W3": order("#W3", "alice_2", "delivered"),
};
const PRODUCTS = {
  "1": {
    product_id: "1",
    name: "Lamp",
    variants: { 11: variant("11", 10.2), 12: variant("12", 10.5), 13: variant("13", 9) },
  },
};

const CANCEL = {
  name: "cancel_pending_order",
  args: { order_id: "#W1", reason: "no longer needed" },
  refusal: null,
};
const [PAID] = ORDERS["#W1"].payment_history;
const CANCELLED = {
  ...ORDERS["#W1"],
  status: "cancelled",
  cancel_reason: "no longer needed",
  payment_history: [PAID, { ...PAID, transaction_type: "refund" }],
};

/** An exchange of lamps that the customer has for as many others. */
const exchange = (new_item_ids: readonly string[], refusal: string | null) => ({
  name: "exchange_delivered_order_items",
  args: {
    order_id: "#W3",
    item_ids: new_item_ids.map(() => "11"),
    new_item_ids,
    payment_method_id: "gift_card_5",
  },
  refusal,
});

/** Two tasks as the shop's tools would play them: the first refunds a card up to the balance. */
function playTasks(balance: number) {
  const { gift_card_3: card, ...others } = USERS.ann_1.payment_methods;
  const payment_methods = { gift_card_3: { ...card, balance }, ...others };
  return [
    {
      customer: "ann_1",
      actions: [{ name: "get_user_details", args: { user_id: "ann_1" }, refusal: null }, CANCEL],
      changed: {
        users: { ann_1: { ...USERS.ann_1, payment_methods } },
        orders: { "#W1": CANCELLED },
        products: {},
      },
    },
    {
      customer: "alice_2",
      actions: [exchange(["13"], "Error: not available"), exchange(["12", "12"], null)],
      changed: {
        users: {},
        orders: {
          "#W3": {
            ...ORDERS["#W3"],
            status: "exchange requested",
            exchange_items: ["11", "11"],
            exchange_new_items: ["12", "12"],
            exchange_payment_method_id: "gift_card_5",
            exchange_price_difference: 0.6000000000000014,
          },
        },
        products: {},
      },
    },
  ];
}

const DIALOGUE =
  "user: Hi, what have\nI ordered?\nassistant: Who are you?\nuser: ann\ntool: ann_1\nassistant: Lamps";

/** Plays the data from a folder in the benchmark's form, and returns the report, or its first lines. */
async function report(balance: number, most = Infinity): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-retail-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const data = join(folder, "tau_bench/envs/retail/data");
  await mkdir(data, { recursive: true });
  await mkdir(join(folder, "few_shot_data"));
  await writeFile(join(data, "users.json"), JSON.stringify(USERS));
  await writeFile(join(data, "orders.json"), JSON.stringify(ORDERS));
  await writeFile(join(data, "products.json"), JSON.stringify(PRODUCTS));
  await writeFile(
    join(folder, "few_shot_data/MockRetailDomainEnv-few_shot.jsonl"),
    `${JSON.stringify({ messages_display: DIALOGUE })}\n`,
  );
  const benchmark = await readBenchmark(folder, async () => playTasks(balance));
  const database = await createTestDatabase({ migrations: [domainFolder(retailDomain)] });
  onTestFinished(() => database.close());
  const lines: string[] = [];
  for await (const statement of playBenchmark({ database, domain: retailDomain }, benchmark)) {
    lines.push(renderStatement(statement));
    if (lines.length === most) break;
  }
  return lines;
}

test(
  "playBenchmark() plays tasks, dialogues and probes, and reports each in a line",
  { timeout: TIMEOUT_MS },
  async () => {
    expect(await report(40.5)).toEqual([
      "ok   2 of 2 tasks equal (3 writes, 2 asked first, 0 stored before a yes, undone again 2 of 2)",
      "ok   1 of 1 refusals",
      "ok   1 recorded dialogues, where nothing may be deleted: 2 messages, 0 asked, 0 orders deleted",
      "ok   1 recorded dialogues, where deletions are asked about: 2 messages, 2 asked, 0 orders deleted",
      "ok   a check that forbids everything, and all orders deleted: nothing changed",
      "ok   orders delivered past every tool, by a generated tool and by SQL: refused by rights",
      "ok   products renamed that all may read and none may change: never reported as updated",
      "ok   a yes to one cancellation: a second one is asked about, by labels and not by refs",
    ]);
  },
);

test(
  "playBenchmark() names what a tool of the benchmark has made otherwise",
  { timeout: TIMEOUT_MS },
  async () => {
    expect(await report(41, 2)).toEqual([
      [
        "FAIL 1 of 2 tasks equal (3 writes, 2 asked first, 0 stored before a yes, undone again 2 of 2)",
        "       task 0: users ann_1 payment_methods gift_card_3 balance: 41, but: 40.5",
      ].join("\n"),
      "ok   1 of 1 refusals",
    ]);
  },
);
