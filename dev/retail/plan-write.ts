import type { Json, JsonObject } from "../../packaging/domain.ts";
import type { ModelRequest } from "../../state/model.ts";
import { call, calls } from "../../test/support/step-script.ts";
import type { RecordedAction } from "./benchmark.ts";
import type { CustomerTurn } from "./customer.ts";
import { show } from "./entity-types.ts";

/** Plans a recorded write: the rows that it names are read, then the tool is called with their refs. */
export function planWrite({ name, args }: Pick<RecordedAction, "name" | "args">): CustomerTurn {
  const isOrder = args["order_id"] !== undefined;
  const reads = [
    isOrder ? readRows("read_orders", args["order_id"]) : readRows("read_customers"),
    ...("payment_method_id" in args
      ? [readRows("read_payment_methods", args["payment_method_id"])]
      : []),
    ...("new_item_ids" in args ? [readRows("read_variants", args["new_item_ids"])] : []),
  ];
  return {
    text: `Please ${name.replaceAll("_", " ")} ${show(args, "order_id")}`.trim(),
    plan: {
      subdomain: isOrder ? "orders" : "customers",
      action: "update",
      act: [() => calls(...reads), (request) => call(name, fillArguments(request, args))],
    },
  };
}

function readRows(tool: string, id: Json = null): readonly [tool: string, args: Json] {
  const where = { column: "id", op: Array.isArray(id) ? "in" : "=", value: id };
  return [tool, { where: id === null ? [] : [where], whole: tool === "read_orders" }];
}

/** Puts the refs that the prompt shows in place of the benchmark's ids; an id that it does not show stays. */
function fillArguments({ messages }: ModelRequest, args: JsonObject): JsonObject {
  const { order_id, item_ids, new_item_ids, payment_method_id, user_id, ...rest } = args;
  const match = (tool: string, pattern: RegExp): RegExpExecArray[] => {
    const shown = messages.findLast((message) => message.role === "tool" && message.name === tool);
    return [...(shown?.text ?? "").matchAll(pattern)];
  };
  const one = (tool: string, pattern: RegExp, id: Json): Json => match(tool, pattern)[0]?.[0] ?? id;
  const items = match("read_orders", /(item_\d+) \(variant_id variant_\d+ \((\d+)\)/gu);
  const variants = match("read_variants", /(variant_\d+) \| (\d+) /gu);
  const itemRefs = listTexts(item_ids).map((id) => {
    const at = items.findIndex(([, , shown]) => shown === id);
    // Of two items of one variant, each is meant once.
    return at < 0 ? id : (items.splice(at, 1)[0]?.[1] ?? id);
  });
  const variantRefs = listTexts(new_item_ids).map(
    (id) => variants.find(([, , shown]) => shown === id)?.[1] ?? id,
  );
  const swaps = itemRefs.map((item, at) => ({ item, variant: variantRefs[at] ?? "" }));
  return {
    ...rest,
    ...(order_id === undefined ? {} : { order: one("read_orders", /order_\d+/gu, order_id) }),
    ...(user_id === undefined
      ? {}
      : { customer: one("read_customers", /customer_\d+/gu, user_id) }),
    ...(payment_method_id === undefined
      ? {}
      : { payment: one("read_payment_methods", /payment_\d+/gu, payment_method_id) }),
    ...(new_item_ids !== undefined ? { swaps } : item_ids === undefined ? {} : { items: itemRefs }),
  };
}

function listTexts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
