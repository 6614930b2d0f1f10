import type { Operator } from "../../state/filter.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { AnswerCall } from "../answer.ts";
import type { ShownTable } from "../prompt/read-tables.ts";
import type { Job } from "./job.ts";

/** One condition of a filter. */
export interface FilterCondition {
  readonly [key: string]: Json;
  readonly column: string;
  readonly op: Operator;
  readonly value: string | number | boolean | null;
}

/** Bounds of a read; without any it returns everything. */
export interface ReadFilter {
  readonly refs?: readonly string[];
  readonly where?: readonly FilterCondition[];
  readonly anyOf?: readonly FilterCondition[];
  /** Each value of `anyOf` is in one of its columns. */
  readonly every?: boolean;
  /** Whole rows, with what belongs to them. */
  readonly whole?: boolean;
}

/** Columns with their values; a pair without a column or a value is left out. */
export type Fields = readonly (readonly [column: string | null, value: Json])[];

/** Begins the names of the tools that read. */
const READER = "read_";

/** Returns true for the name of a tool that reads rows. */
export function isReader(tool: string): boolean {
  return tool.startsWith(READER);
}

/** Names the tool that reads rows of a table. */
export function nameReader({ table }: Pick<ShownTable, "table">): string {
  return `${READER}${table}`;
}

/** A call that reads rows of a table. */
export function readCall(table: ShownTable, filter: ReadFilter): AnswerCall {
  const { refs = [], where = [], anyOf = [], whole = false, every = false } = filter;
  const groups = Map.groupBy(anyOf, ({ value }) => (every ? value : null));
  const bounds = { where, anyOf: [...groups.values()] };
  return { name: nameReader(table), args: { refs, ...bounds, ...(whole ? { whole } : {}) } };
}

/** A call that creates rows. */
export function createCall({ table }: ShownTable, rows: readonly Fields[]): AnswerCall {
  return { name: `create_${table}`, args: { rows: rows.map(toRow), drafts: [] } };
}

/** A call that sets columns of rows. */
export function updateCall(
  { table }: ShownTable,
  refs: readonly string[],
  values: Fields,
): AnswerCall {
  return { name: `update_${table}`, args: { refs, set: toRow(values), clear: [] } };
}

/** A call that deletes rows. */
export function deleteCall(refs: readonly string[]): AnswerCall {
  return { name: "delete_rows", args: { refs, all: null } };
}

function toRow(fields: Fields): JsonObject {
  const given = fields.filter(([name, value]) => name !== null && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, value]));
}

/** Ends a step with its result. */
export function completeStep(resultSummary: string, refs: readonly string[] = []): AnswerCall {
  const args = { resultSummary, noteForNextStep: null, refs };
  return { name: "complete_step", args };
}

/** The reason of a step that cannot be done, where what is wrong is the model's own. */
export function cannotDo({ description }: Pick<Job, "description">): string {
  return `I cannot carry out “${description}”.`;
}

/** Ends a step that cannot be done. */
export function createFailStepCall(reason: string): AnswerCall {
  return { name: "fail_step", args: { reason } };
}

/** Ends a step with a question that only the person can answer. */
export function askUser(partialAnalysis: string, question: string): AnswerCall {
  return { name: "ask_user", args: { partialAnalysis, question } };
}

/** Ends a step that needs a yes: the plan is made again and proposes `tried` with the question. */
export function needYes(reason: string, tried: string): AnswerCall {
  return { name: "block_step", args: { reason, tried, suggestion: "replan" } };
}
