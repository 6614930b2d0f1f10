import type { Change } from "../../state/change.ts";
import type { DomainTool } from "../../state/domain.ts";
import {
  hasRight,
  isSettable,
  listInlineLists,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";

interface RightsOptions {
  readonly tool: Pick<DomainTool, "name" | "writes">;
  readonly entityTypes: readonly EntityType[];
  /** True for a tool that the program makes: it may do what the types allow, and nothing else. */
  readonly isGenerated: boolean;
}

/**
 * Finds the changes that the tool may not make, as sentences. What follows from another change is not
 * the tool's, and neither is what the database computes in the columns of a changed row. Pure.
 */
export function findForbidden(
  changes: readonly Change[],
  { tool, entityTypes, isGenerated }: RightsOptions,
): readonly string[] {
  const forbidden = changes.flatMap((change): string[] => {
    const { type, action, cause } = change;
    if (cause === "follows") return [];
    const entityType = entityTypes.find((candidate) => candidate.type === type);
    const isAllowed = isGenerated
      ? entityType !== undefined && hasRight(entityType, action)
      : tool.writes?.includes(type) === true;
    if (!isAllowed) return [`"${tool.name}" may not ${action} rows of type "${type}"`];
    if (!isGenerated || entityType === undefined) return [];
    return listInlineLists(entityType)
      .filter((list) => losesValues(list, change))
      .map(
        ({ name }) =>
          `"${tool.name}" may not replace "${name}" in a row of type "${type}": what stays there would lose values that it cannot set; leave the list as it is`,
      );
  });
  return [...new Set(forbidden)];
}

/**
 * Returns true where a list that was replaced lost values that generic tools cannot set, of items
 * that are still there. An item is the same where all that can be set is equal.
 */
function losesValues(list: InlineList, { action, before, after }: Change): boolean {
  if (action !== "update") return false;
  const settable = list.columns.filter((column) => isSettable(column, "update"));
  const others = list.columns.filter(
    (column) =>
      !settable.includes(column) && column.volatile !== true && column.name !== list.orderBy,
  );
  const left = readItems(after?.[list.name]);
  return readItems(before?.[list.name]).some((item) => {
    const same = left.filter((other) => show(other, settable) === show(item, settable));
    const isRemoved = settable.length > 0 && same.length === 0;
    const hasValues = others.some(({ name }) => (item[name] ?? null) !== null);
    return (
      hasValues && !isRemoved && !same.some((other) => show(other, others) === show(item, others))
    );
  });
}

/** The item's values of some columns as one text. */
function show(item: JsonObject, columns: readonly Column[]): string {
  return JSON.stringify(columns.map(({ name }) => item[name] ?? null));
}

function readItems(items: Json | undefined): readonly JsonObject[] {
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}
