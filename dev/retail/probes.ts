import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  defineTool,
  type Check,
  type DomainTool,
  type JsonObject,
} from "../../packaging/domain.ts";
import { call } from "../../test/support/step-script.ts";
import { openCustomer, type PlannedWork, type CustomerTurn, type RetailStage } from "./customer.ts";
import { asDeletable } from "./domain.ts";
import { RETAIL_TYPES } from "./entity-types.ts";
import { compareRows } from "./compare-rows.ts";
import { planWrite } from "./plan-write.ts";
import { DELETE_ALL } from "./replay-dialogues.ts";
import type { Statement } from "./statement.ts";
import type { BenchmarkData } from "./stored-data.ts";

/** A customer with at least two pending orders. */
interface Buyer {
  readonly customer: string;
  readonly orders: readonly string[];
}

/** Something that must not happen; `run` returns the signs that it did. */
interface Probe {
  readonly text: string;
  readonly run: (scene: Scene) => Promise<readonly string[]>;
}

interface Scene {
  readonly stage: RetailStage;
  readonly data: BenchmarkData;
  readonly buyer: Buyer;
}

const FORBID: Check = {
  name: "nothing",
  types: ["order"],
  actions: ["create", "update", "delete"],
  run: () => [{ kind: "breach", rule: "nothing changes", reason: "Forbidden", overridable: false }],
};

/** A tool of a developer who did not say what it writes. */
function slip(name: string, run: DomainTool["run"]): DomainTool {
  const parameters = z.strictObject({});
  const about = { name, subdomain: "orders", description: "Has no business here." };
  return defineTool({ ...about, parameters, effect: "write", run: (_, tool) => run({}, tool) });
}

const DELIVER = slip("deliver_orders", async (_, { tx }) => {
  await tx.query("update orders set status = 'delivered'");
  return "Updated the orders";
});
const RENAME = slip("rename_products", async (_, { tx }) => {
  await tx.query("update products set name = 'New name'");
  return "Updated the products";
});

const RENAMED = { refs: ["product_1"], set: { name: "New name" }, clear: [] };
const DELIVERED = { refs: ["order_1"], set: { status: "delivered" }, clear: [] };
const REF = new RegExp(`\\b(?:${RETAIL_TYPES.map(({ type }) => type).join("|")})_\\d+\\b`, "u");

const PROBES: readonly Probe[] = [
  {
    text: "a check that forbids everything, and all orders deleted: nothing changed",
    run: (scene) => {
      const domain = { ...asDeletable(scene.stage.domain), checks: [FORBID] };
      return playRefused({ ...scene, stage: { ...scene.stage, domain } }, DELETE_ALL);
    },
  },
  {
    text: "orders delivered past every tool, by a generated tool and by SQL: refused by rights",
    run: async (scene) => [
      ...(await playRefused(scene, callOnce("update_orders", DELIVERED))),
      ...(await playRefused(withTool(scene, DELIVER), callOnce(DELIVER.name, {}))),
    ],
  },
  {
    text: "products renamed that all may read and none may change: never reported as updated",
    run: async (scene) => [
      ...(await playRefused(scene, callOnce("update_products", RENAMED))),
      ...(await playRefused(withTool(scene, RENAME), callOnce(RENAME.name, {}))),
    ],
  },
  {
    text: "a yes to one cancellation: a second one is asked about, by labels and not by refs",
    run: async ({
      stage,
      buyer: {
        customer,
        orders: [first = "", second = ""],
      },
    }) => {
      const own = openCustomer(stage, customer);
      const { question } = await own.play(cancel(first));
      await own.play({ text: "yes", plan: "yes" });
      const again = await own.play(cancel(second));
      const { orders } = await stage.stored.read();
      const found = {
        isNamed: question?.includes(first) ?? false,
        showsRef: REF.test(`${question} ${again.question}`),
        isAskedAgain: again.question?.includes(second) ?? false,
        statuses: [orders[first]?.["status"], orders[second]?.["status"]],
      };
      const statuses = ["cancelled", "pending"];
      const wanted = { isNamed: true, showsRef: false, isAskedAgain: true, statuses };
      return isDeepStrictEqual(found, wanted) ? [] : [JSON.stringify(found)];
    },
  },
];

function withTool(scene: Scene, tool: DomainTool): Scene {
  const { domain } = scene.stage;
  const tools = [...domain.tools, tool];
  return { ...scene, stage: { ...scene.stage, domain: { ...domain, tools } } };
}

function callOnce(name: string, args: JsonObject): PlannedWork {
  const act = [
    () => call("read_orders", {}),
    () => call("read_products", {}),
    () => call(name, args),
  ];
  return { subdomain: "orders", action: "update", act };
}

function cancel(order_id: string): CustomerTurn {
  return planWrite({
    name: "cancel_pending_order",
    args: { order_id, reason: "no longer needed" },
  });
}

/** Plays work that has to be refused, and returns what it changed or claimed all the same. */
async function playRefused(
  { stage, data, buyer }: Scene,
  plan: PlannedWork,
): Promise<readonly string[]> {
  const own = openCustomer(stage, buyer.customer);
  const { stored, question, reply } = await own.play({ text: "Please change my orders", plan });
  // In code's words, above those of the model.
  const isDenied = reply.includes("Nothing was changed.");
  const claims = isDenied && stored === 0 && question === null ? [] : [reply];
  return [...claims, ...compareRows(data, await stage.stored.read())];
}

function findBuyer({ users, orders }: BenchmarkData): Buyer {
  const pending = Object.entries(orders).filter(([, { status }]) => status === "pending");
  const buyers = Object.keys(users).map((customer) => ({
    customer,
    orders: pending.filter(([, { user_id }]) => user_id === customer).map(([id]) => id),
  }));
  const buyer = buyers.find((candidate) => candidate.orders.length > 1);
  if (buyer === undefined) throw new Error("Cannot find a customer with two pending orders");
  return buyer;
}

/** Plays what must not happen to the data; each probe begins with all of it. */
export async function playProbes(
  stage: RetailStage,
  data: BenchmarkData,
): Promise<readonly Statement[]> {
  const buyer = findBuyer(data);
  const statements: Statement[] = [];
  for (const { text, run } of PROBES) {
    await stage.stored.load(data);
    statements.push({ text, differences: await run({ stage, data, buyer }) });
  }
  return statements;
}
