import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readRetail } from "../../../dev/evaluate/read-retail.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "concierge-retail-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const USERS = {
  ada_1: {
    email: "ada@example.com",
    orders: ["#1"],
    payment_methods: { card_1: { id: "card_1" } },
  },
};
const ORDERS = {
  "#1": {
    order_id: "#1",
    user_id: "ada_1",
    status: "pending",
    items: [{ item_id: "11", product_id: "1", price: 20 }],
  },
};
const PRODUCTS = {
  1: { product_id: "1", name: "Lamp", variants: { 11: { item_id: "11", price: 20 } } },
};
const CANCEL = {
  name: "cancel_pending_order",
  kwargs: { order_id: "#1", reason: "no longer needed" },
};

function makeRun(id: number, words: readonly string[], user = "ada_1") {
  const task = { user_id: user, instruction: "You are Ada.", actions: [CANCEL], outputs: [] };
  const spoken = words.flatMap((content) => [
    { role: "user", content },
    { role: "assistant", content: null, tool_calls: [] },
  ]);
  const traj = [{ role: "system", content: "# Retail agent policy" }, ...spoken];
  return { task_id: id, reward: 1, info: { task }, traj, trial: 0 };
}

function writeFiles(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  }
}

test("readRetail() reads the tables, and each task with its user's turns", async () => {
  const runs = [
    makeRun(2, ["Cancel the lamp", "Yes", "###STOP###"]),
    makeRun(1, ["Hello", "Bye ###STOP###"]),
    makeRun(2, ["Another run of the same task"]),
  ];
  writeFiles({ users: USERS, orders: ORDERS, products: PRODUCTS, runs });

  const task = { userId: "ada_1", instruction: "You are Ada.", actions: [CANCEL] };
  await expect(readRetail(folder)).resolves.toEqual({
    users: USERS,
    orders: ORDERS,
    products: PRODUCTS,
    tasks: [
      { id: 1, turns: ["Hello", "Bye"], ...task },
      { id: 2, turns: ["Cancel the lamp", "Yes"], ...task },
    ],
  });
});

test.each([
  [
    { users: USERS, orders: ORDERS, products: PRODUCTS },
    "runs.json\" (ENOENT): name a folder of the benchmark's files",
  ],
  [
    { users: USERS, orders: { "#1": { order_id: 1 } }, products: PRODUCTS, runs: [] },
    'orders.json": #1.order_id: Invalid input: expected string, received number',
  ],
  [
    { users: USERS, orders: {}, products: PRODUCTS, runs: [] },
    'order "#1" of user "ada_1" is not in orders.json; take all files from one version of the benchmark',
  ],
  [
    { users: USERS, orders: ORDERS, products: PRODUCTS, runs: [makeRun(0, [], "bob_2")] },
    'task 0 is of user "bob_2", who is not in users.json; take all files from one version of the benchmark',
  ],
])("readRetail() names the file that cannot be used: case %#", async (files, sentence) => {
  writeFiles(files);

  await expect(readRetail(folder)).rejects.toThrow(sentence);
});
