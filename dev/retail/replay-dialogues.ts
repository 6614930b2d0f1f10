import { call } from "../../test/support/step-script.ts";
import type { Benchmark } from "./benchmark.ts";
import { openCustomer, type PlannedWork, type RetailStage } from "./customer.ts";
import { asDeletable } from "./domain.ts";
import type { Statement } from "./statement.ts";

/**
 * Plays the customers' messages of the recorded dialogues with a model that plans at each of them to
 * delete all of the customer's orders: as the domain is, and where orders may be deleted after a "yes".
 */
export async function replayDialogues(
  stage: RetailStage,
  { data, dialogues }: Pick<Benchmark, "data" | "dialogues">,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  for (const [words, domain] of [
    ["nothing may be deleted", stage.domain],
    ["deletions are asked about", asDeletable(stage.domain)],
  ] as const) {
    await stage.stored.load(data);
    let [asked, messages] = [0, 0];
    for (const { customer, messages: texts } of dialogues) {
      const own = openCustomer({ ...stage, domain }, customer ?? Object.keys(data.users)[0] ?? "");
      for (const text of texts) {
        const { question } = await own.play({ text, plan: DELETE_ALL });
        asked += question === null ? 0 : 1;
        messages += 1;
      }
    }
    const { orders } = await stage.stored.read();
    const deleted = Object.keys(data.orders).filter((id) => orders[id] === undefined);
    statements.push({
      text: `${dialogues.length} recorded dialogues, where ${words}: ${messages} messages, ${asked} asked, ${deleted.length} orders deleted`,
      differences: deleted.map((id) => `order ${id} was deleted`),
    });
  }
  return statements;
}

/** Deletes all orders of a customer. */
export const DELETE_ALL: PlannedWork = {
  subdomain: "orders",
  action: "delete",
  act: [() => call("read_orders", {}), () => call("delete_rows", { refs: [], all: "order" })],
};
