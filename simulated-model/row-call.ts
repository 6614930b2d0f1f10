import type { RowCall } from "../state/row-call.ts";
import type { ShownTable } from "./prompt/read-tables.ts";

/** Makes a short call on rows of a type, in which nothing is set but what is given. */
export function createRowCall(
  action: RowCall["do"],
  { prefix: type }: Pick<ShownTable, "prefix">,
  given: Partial<RowCall>,
): RowCall {
  return { do: action, step: 0, type, refs: [], all: false, where: [], set: [], ...given };
}
