import { listPatchColumns } from "../../domain/table-tools/column-schema.ts";
import { DECIMAL } from "../../domain/table-tools/values.ts";
import { wordMisfits } from "../../domain/table-tools/failures.ts";
import { listMisfits } from "../../domain/tool-arguments.ts";
import { DELETE_TOOL, nameTableTool } from "../../domain/table-tools/tool-names.ts";
import type { StepPlace, Toolbox } from "../../domain/toolbox.ts";
import type { Domain } from "../../state/domain.ts";
import { listSettableLists, type Column, type EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { RowCall, SetRows } from "../../state/row-call.ts";
import { readExactNumber } from "../../text/exact-json.ts";

/** A call of a generated tool, or the reason why there is none. */
export type TypedCall =
  | { readonly kind: "typed"; readonly tool: string; readonly args: JsonObject }
  | {
      readonly kind: "unfit";
      readonly problem: string;
      /** The values that do not fit, for the person; null where it is something else. */
      readonly reason: string | null;
    };

interface CallPlace {
  readonly place: StepPlace;
  readonly domain: Pick<Domain, "entityTypes" | "subdomains">;
  readonly toolbox: Pick<Toolbox, "listTools">;
}

/**
 * Turns a short call into the arguments of the tool that is generated for it, which the tool's own
 * schema accepts. One that its step has no tool for, or that says more than the tool can do, is
 * unfit. Pure.
 */
export function toTypedCall(call: RowCall, { place, domain, toolbox }: CallPlace): TypedCall {
  const type = domain.entityTypes.find((candidate) => candidate.type === call.type);
  if (type === undefined) return unfit(call, "there is no such type");
  const name = call.do === "delete" ? DELETE_TOOL : nameTableTool(call.do, type);
  const own = domain.subdomains.find((part) => part.name === place.subdomain)?.type;
  const tool = toolbox.listTools(place).find((candidate) => candidate.name === name);
  // One tool deletes rows of all types: a step deletes those of its own.
  if (tool === undefined || (call.do === "delete" && own !== type.type))
    return unfit(call, `it is not for ${place.stepType} steps of ${place.subdomain}`);
  const args = buildArguments(call, type);
  if (typeof args === "string") return unfit(call, args);
  const parsed = tool.parameters.safeParse(args);
  if (parsed.success) return { kind: "typed", tool: name, args };
  const [issue] = parsed.error.issues;
  const problem = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  const reason = wordMisfits(listMisfits(parsed.error.issues, args), type);
  return { ...unfit(call, problem), reason };
}

function unfit(call: Pick<RowCall, "do" | "type">, problem: string): UnfitCall {
  const words = `Cannot ${call.do} "${call.type}" as planned: ${problem}`;
  return { kind: "unfit", problem: words, reason: null };
}

type UnfitCall = Extract<TypedCall, { readonly kind: "unfit" }>;

/** Returns the arguments, or what of the call they cannot say. */
function buildArguments(call: RowCall, type: EntityType): JsonObject | string {
  const { refs, set } = call;
  const { all, where } = call.find ?? { all: false, where: [] };
  const misfit = set?.rows.find((row) => row.length !== set.columns.length);
  if (set !== null && misfit !== undefined)
    return `a row has ${misfit.length} values for ${set.columns.length} columns`;
  const given = set?.rows.map((row) => ({ columns: set.columns, row })) ?? [];
  switch (call.do) {
    case "read": {
      if (set !== null) return "a read sets nothing";
      const page = { whole: all ? true : null, orderBy: null, limit: null, after: null };
      return { refs, where, anyOf: [], ...page };
    }
    case "create": {
      if (where.length > 0 || all) return "a creation has no conditions";
      const rows = given.map((row) => buildValues(row, type, "create"));
      const wrong = rows.find((row) => typeof row === "string");
      return wrong ?? { rows, drafts: refs };
    }
    case "update": {
      const [patch, ...others] = given;
      if (where.length > 0 || all || refs.length === 0) return "an update names its rows by refs";
      if (patch === undefined || others.length > 0) return "an update sets one change";
      const values = buildValues(patch, type, "update");
      const clear = patch.columns.filter((_, index) => patch.row[index] === null);
      return typeof values === "string" ? values : { refs, set: values, clear };
    }
    case "delete":
      if (where.length > 0 || set !== null) return "a deletion names its rows by refs";
      if (refs.length > 0 === all) return "a deletion names rows, or all of them";
      return { refs, all: all ? type.type : null };
  }
  return call.do satisfies never;
}

/** The columns that are set in a row, and their values. */
interface GivenRow {
  readonly columns: readonly string[];
  readonly row: SetRows["rows"][number];
}

/** Returns every settable column and list with its value, null or nothing where none is given. */
function buildValues(
  { columns: named, row }: GivenRow,
  type: EntityType,
  action: "create" | "update",
): JsonObject | string {
  const columns = listPatchColumns(type, action);
  const lists = listSettableLists(type, action);
  const names = new Set([...columns, ...lists].map(({ name }) => name));
  const values = new Map(named.map((name, index) => [name, row[index] ?? null]));
  const unknown = [...values.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0) return `${unknown.join(", ")} cannot be set`;
  if (values.size < named.length) return "a column is set twice";
  const isNew = action === "create";
  return Object.fromEntries([
    ...columns.map((column): [string, Json] => {
      const value = convertValue(column, values.get(column.name) ?? null);
      return [column.name, isNew && column.kind === "tags" ? (value ?? []) : value];
    }),
    ...lists.map(({ name }): [string, Json] => [name, values.get(name) ?? (isNew ? [] : null)]),
  ]);
}

/** Converts a value to the kind of its column where it plainly says the same; else leaves it as it is. */
function convertValue({ kind, values = [], references }: Column, value: Json): Json {
  if (value === null) return null;
  if (references !== undefined) return value;
  const text = typeof value === "string" ? value.trim() : null;
  switch (kind) {
    case "text":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    case "integer":
    case "number":
      return text !== null && DECIMAL.test(text) ? readExactNumber(text) : value;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : value;
    case "choice":
      return values.find((choice) => choice.toLowerCase() === text?.toLowerCase()) ?? value;
    case "tags":
      return text === null ? value : [text];
    case "date":
    case "timestamp":
    case "json":
      return value;
  }
  return kind satisfies never;
}
