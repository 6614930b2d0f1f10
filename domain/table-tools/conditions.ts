import type { z } from "zod";
import { findKey, listVisibleColumns, type Column, type EntityType } from "../../state/entity.ts";
import type { Operator, RowCondition, Filter, FilterValueSchema } from "../../state/filter.ts";
import { ToolInputError, type RefBook } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { findFilterTarget, keyColumn, type FilterTarget } from "./lookup.ts";
import { resolveSavedRef } from "./refs.ts";
import { escapeLike, identifier, tableName, type Bind } from "./sql.ts";
import { readValue, sqlType, type SqlValue } from "./values.ts";

/** Most conditions one filter may have. */
export const MAX_CONDITIONS = 40;

export interface SqlContext {
  readonly bind: Bind;
  readonly refs: RefBook;
}

/**
 * Builds the SQL of a filter over the table alias `t`; `true` when it has no condition.
 *
 * Texts compare without case. `!=` and `not_in` also find rows without a value.
 *
 * @throws ToolInputError for a wrong column, operator or value; UnknownRefError for a wrong ref.
 */
export function filterSql(entityType: EntityType, filter: Filter, use: SqlContext): string {
  const count = filter.where.length + filter.anyOf.flat().length;
  if (count > MAX_CONDITIONS) {
    throw new ToolInputError(
      `Cannot filter "${entityType.table}": ${count} conditions; give at most ${MAX_CONDITIONS}, with "in" for lists`,
    );
  }
  const all = filter.where.map((condition) => conditionSql(entityType, condition, use));
  const groups = filter.anyOf.map((group) => {
    if (group.length === 0) {
      throw new ToolInputError(
        `Cannot filter "${entityType.table}": a group of anyOf is empty; leave the group out`,
      );
    }
    return `(${group.map((condition) => conditionSql(entityType, condition, use)).join(" or ")})`;
  });
  return [...all, ...groups].join(" and ") || "true";
}

function conditionSql(entityType: EntityType, condition: RowCondition, use: SqlContext): string {
  const target = findFilterTarget(entityType, condition.column);
  const column = targetColumn(entityType, target);
  assertOperator(column, condition);
  const read = (value: SqlInput): SqlValue =>
    target.kind === "id" ? readId(entityType, value, use.refs) : readValue(column, value, use.refs);
  if (target.kind !== "child") {
    const expression = columnSql("t", column);
    return comparisonSql({ expression, column, condition, bind: use.bind, read });
  }
  const { child } = target;
  // "The row has no such child" is what the negative operators mean for a list.
  const negative = NEGATIVE[condition.op];
  const positive = negative === undefined ? condition : { ...condition, op: negative };
  const inner = comparisonSql({
    expression: columnSql("c", column),
    column,
    condition: positive,
    bind: use.bind,
    read,
  });
  return `${negative === undefined ? "" : "not "}exists (select 1 from ${tableName(child.table)} c where c.${identifier(child.foreignKey)} = t.${identifier(findKey(entityType).column)} and ${inner})`;
}

/** A column of the alias. A choice may be an enum, which compares with nothing but itself. */
function columnSql(alias: "t" | "c", { name, kind }: Column): string {
  const column = `${alias}.${identifier(name)}`;
  return kind === "choice" ? `${column}::text` : column;
}

type SqlInput = z.infer<typeof FilterValueSchema>;

const NEGATIVE: Partial<Record<Operator, Operator>> = { "!=": "=", not_in: "in" };

/** The id as a column that takes refs of the type itself. */
function targetColumn(entityType: EntityType, target: FilterTarget): Column {
  if (target.kind !== "id") return target.column;
  return { ...keyColumn(entityType), references: entityType.type };
}

function readId(entityType: EntityType, value: SqlInput, refs: RefBook): string {
  const { column, kind } = findKey(entityType);
  const isShown = listVisibleColumns(entityType).some(({ name }) => name === column);
  // A key that people know, such as an order's number, may stand in place of the ref.
  if (isShown && (typeof value !== "string" || refs.find(value) === null)) {
    return String(
      readValue({ name: column, kind: kind === "integer" ? kind : "text" }, value, refs),
    );
  }
  if (typeof value !== "string") {
    throw new ToolInputError(
      `Cannot use value ${quoteValue(value)} for column "id": it does not fit; give a ref of type ${entityType.type}`,
    );
  }
  return resolveSavedRef(refs, value, { type: entityType.type, place: "id" }).id;
}

function assertOperator(column: Column, { op }: RowCondition): void {
  const allowed = allowedOperators(column);
  if (allowed.includes(op)) return;
  throw new ToolInputError(
    `Cannot use operator "${op}" on column "${column.name}": it holds ${kindWords(column)}; use one of ${allowed.join(", ")}`,
  );
}

function allowedOperators(column: Column): readonly Operator[] {
  const nullness: readonly Operator[] = ["is_null", "is_not_null"];
  const equality: readonly Operator[] = ["=", "!=", "in", "not_in", ...nullness];
  if (column.references !== undefined) return equality;
  switch (column.kind) {
    case "text":
      return [...equality, "ilike", "contains"];
    case "choice":
      return equality;
    case "boolean":
      return ["=", "!=", ...nullness];
    case "tags":
      return ["contains", ...nullness];
    case "json":
      return nullness;
    case "integer":
    case "number":
    case "date":
    case "timestamp":
      return [...equality, "<", "<=", ">", ">="];
  }
  return column.kind satisfies never;
}

function kindWords(column: Column): string {
  if (column.references !== undefined) return "refs";
  return column.kind === "tags" ? "a list of texts" : `values of kind ${column.kind}`;
}

interface Comparison {
  readonly expression: string;
  readonly column: Column;
  readonly condition: RowCondition;
  readonly bind: Bind;
  readonly read: (value: SqlInput) => SqlValue;
}

function comparisonSql(comparison: Comparison): string {
  const { expression, column, condition, bind } = comparison;
  const { op } = condition;
  // Texts are compared without case on both sides.
  const folded = column.kind === "text" && column.references === undefined;
  const left = folded ? `lower(${expression})` : expression;
  const type = sqlType(column);
  const one = (): string => {
    const right = bind(readOne(comparison), type);
    return folded ? `lower(${right})` : right;
  };
  const list = (): string => {
    const values = readList(comparison);
    if (!folded)
      return `${left} = any(${bind(values, type === undefined ? undefined : `${type}[]`)})`;
    return `${left} = any(select lower(item) from unnest(${bind(values, "text[]")}) item)`;
  };
  switch (op) {
    case "=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return `${left} ${op} ${one()}`;
    case "!=":
      return `${left} is distinct from ${one()}`;
    case "in":
      return list();
    case "not_in":
      return `(${expression} is null or not (${list()}))`;
    case "ilike":
      return `${expression} ilike ${bind(likePattern(readTextOperand(comparison)), "text")}`;
    case "contains":
      return column.kind === "tags"
        ? containsTags(comparison)
        : `${expression} ilike ${bind(`%${escapeLike(readTextOperand(comparison))}%`, "text")}`;
    case "is_null":
    case "is_not_null":
      if (condition.value !== null) {
        throw wrongOperand(comparison, "null");
      }
      return op === "is_null" ? `${expression} is null` : `${expression} is not null`;
  }
  return op satisfies never;
}

/** A pattern without a wildcard is looked for anywhere in the text. */
function likePattern(text: string): string {
  // A lone backslash at the end is an error in SQL.
  const safe = text.replace(/\\+$/, (tail) => (tail.length % 2 === 0 ? tail : `${tail}\\`));
  return /[%_]/.test(safe) ? safe : `%${safe}%`;
}

function containsTags(comparison: Comparison): string {
  const { expression, bind } = comparison;
  const { value } = comparison.condition;
  if (value === null) throw wrongOperand(comparison, "a text or a list of texts");
  const wanted = comparison.read(value);
  return `not exists (select 1 from unnest(${bind(wanted, "text[]")}) item where lower(item) <> all (select lower(tag) from unnest(${expression}) tag))`;
}

function readOne(comparison: Comparison): SqlValue {
  const { value } = comparison.condition;
  if (value === null) throw wrongOperand(comparison, "a value, or use is_null or is_not_null");
  if (Array.isArray(value)) throw wrongOperand(comparison, "one value, or use in or not_in");
  return comparison.read(value);
}

function readList(comparison: Comparison): SqlValue[] {
  const { value } = comparison.condition;
  if (!Array.isArray(value) || value.length === 0) {
    throw wrongOperand(comparison, "a list with at least one value");
  }
  return value.map((item) => comparison.read(item));
}

function readTextOperand(comparison: Comparison): string {
  const { value } = comparison.condition;
  if (typeof value !== "string" || value === "") throw wrongOperand(comparison, "a text");
  const read = comparison.read(value);
  if (typeof read !== "string") throw wrongOperand(comparison, "a text");
  return read;
}

function wrongOperand({ column, condition }: Comparison, expected: string): ToolInputError {
  return new ToolInputError(
    `Cannot use value ${quoteValue(condition.value)} with operator "${condition.op}" on column "${column.name}": it does not fit; give ${expected}`,
  );
}
