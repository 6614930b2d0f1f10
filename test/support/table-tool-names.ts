import { DELETE_TOOL, nameTableTool } from "../../domain/table-tools/tool-names.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { EntityType } from "../../state/entity.ts";

/** Names the tool that reads, creates or changes rows of a table of the meals domain. */
export function tableTool(action: "read" | "create" | "update", table: string): string {
  return nameTableTool(action, findType(table));
}

/** A deletion of all rows of a table, as a call. */
export function deletingAll(table: string): [tool: string, args: { refs: string[]; all: string }] {
  return [DELETE_TOOL, { refs: [], all: findType(table).type }];
}

function findType(wanted: string): EntityType {
  const found = mealsDomain.entityTypes.find(({ table }) => table === wanted);
  if (found === undefined) throw new RangeError(`Cannot find the table "${wanted}"`);
  return found;
}
