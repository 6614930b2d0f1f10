import { MOST_NEW_ROWS } from "../../domain/table-tools/create-tool.ts";
import { DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import type { Toolbox } from "../../domain/toolbox.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { ToolCall } from "../../state/model.ts";

/**
 * Merges the creations of one table, and the deletions of named rows of one type, that a model gave as several
 * calls of one answer: nine items in nine calls become one call with nine rows, under the id of the first, so that
 * a person is asked about all of them or none. A call that would become too large begins another. Pure.
 */
export function mergeCalls(calls: readonly ToolCall[], toolbox: CreateFinder): ToolCall[] {
  const merged: ToolCall[] = [];
  for (const call of calls) {
    const own = readMergeable(call, toolbox);
    const index = merged.findLastIndex((earlier) => {
      const before = earlier.name === call.name ? readMergeable(earlier, toolbox) : null;
      return (
        own !== null &&
        before !== null &&
        before.prefix === own.prefix &&
        before.count + own.count <= MOST_NEW_ROWS
      );
    });
    const earlier = merged[index];
    if (earlier === undefined) merged.push(call);
    else merged[index] = joinCalls(earlier, call, toolbox);
  }
  return merged;
}

type CreateFinder = Pick<Toolbox, "findCreated">;

/** A call whose lists can take those of another. */
interface Mergeable {
  readonly args: JsonObject;
  readonly lists: Readonly<Record<string, readonly Json[]>>;
  readonly count: number;
  /** The beginning of the refs of deleted rows: rows of another type may go along with them, and are deleted after. */
  readonly prefix: string;
}

/** Reads a creation, or a deletion of named rows, whose arguments have their usual shape; null for every other call. */
function readMergeable(
  { name, args, argsError }: ToolCall,
  toolbox: CreateFinder,
): Mergeable | null {
  const parsed = JsonObjectSchema.safeParse(args);
  if (argsError !== null || !parsed.success) return null;
  const names = listMerged(name, parsed.data, toolbox);
  const lists: Record<string, readonly Json[]> = {};
  for (const list of names) {
    const items = parsed.data[list] ?? [];
    if (!Array.isArray(items)) return null;
    lists[list] = items;
  }
  const count = Object.values(lists).flat().length;
  const prefixes = (lists["refs"] ?? []).map((ref) =>
    typeof ref === "string" ? ref.replace(/_\d+$/u, "") : "",
  );
  const prefix = [...new Set(prefixes)].toSorted().join(" ");
  return names.length === 0 ? null : { args: parsed.data, lists, count, prefix };
}

/** Returns the names of the arguments that can be merged. */
function listMerged(name: string, args: JsonObject, toolbox: CreateFinder): readonly string[] {
  if (name === DELETE_TOOL) return (args["all"] ?? null) === null ? ["refs"] : [];
  return toolbox.findCreated(name) === null ? [] : ["rows", "drafts"];
}

function joinCalls(first: ToolCall, second: ToolCall, toolbox: CreateFinder): ToolCall {
  const [one, other] = [readMergeable(first, toolbox), readMergeable(second, toolbox)];
  if (one === null || other === null) return first;
  const lists = Object.entries(one.lists).map(([name, items]) => [
    name,
    [...items, ...(other.lists[name] ?? [])],
  ]);
  return { ...first, args: { ...one.args, ...Object.fromEntries(lists) } };
}
