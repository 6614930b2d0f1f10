import type { Toolbox } from "../../domain/toolbox.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { ToolCall } from "../../state/model.ts";

/** Most rows of one call, as the tool itself takes them. */
const ROWS_PER_CALL = 50;

/**
 * Merges the creations of one table that a model gave as several calls of one answer: nine items in
 * nine calls become one call with nine rows, under the id of the first. A call that would become too
 * large begins another. Pure.
 */
export function mergeCreates(calls: readonly ToolCall[], toolbox: CreateFinder): ToolCall[] {
  const merged: ToolCall[] = [];
  for (const call of calls) {
    const rows = readCreation(call, toolbox);
    const index = merged.findLastIndex((earlier) => {
      const before = readCreation(earlier, toolbox);
      return (
        rows !== null &&
        before !== null &&
        earlier.name === call.name &&
        before.count + rows.count <= ROWS_PER_CALL
      );
    });
    const earlier = merged[index];
    if (earlier === undefined) merged.push(call);
    else merged[index] = joinCalls(earlier, call, toolbox);
  }
  return merged;
}

type CreateFinder = Pick<Toolbox, "findCreated">;

interface Creation {
  readonly args: JsonObject;
  readonly rows: readonly Json[];
  readonly drafts: readonly Json[];
  readonly count: number;
}

/** Reads a creation whose arguments have their usual shape; null for every other call. */
function readCreation({ name, args, argsError }: ToolCall, toolbox: CreateFinder): Creation | null {
  const parsed = JsonObjectSchema.safeParse(args);
  if (toolbox.findCreated(name) === null || argsError !== null || !parsed.success) return null;
  const { rows = [], drafts = [] } = parsed.data;
  if (!Array.isArray(rows) || !Array.isArray(drafts)) return null;
  return { args: parsed.data, rows, drafts, count: rows.length + drafts.length };
}

function joinCalls(first: ToolCall, second: ToolCall, toolbox: CreateFinder): ToolCall {
  const [one, other] = [readCreation(first, toolbox), readCreation(second, toolbox)];
  if (one === null || other === null) return first;
  return {
    ...first,
    args: {
      ...one.args,
      rows: [...one.rows, ...other.rows],
      drafts: [...one.drafts, ...other.drafts],
    },
  };
}
