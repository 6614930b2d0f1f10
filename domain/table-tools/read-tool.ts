import { z } from "zod";
import { listVisibleColumns, type Column, type EntityType } from "../../state/entity.ts";
import { FilterValueSchema, OPERATORS } from "../../state/filter.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { ToolContext } from "../../state/domain.ts";
import { createColumnSchema, listFilterColumns } from "./column-schema.ts";
import { filterSql } from "./conditions.ts";
import { orderSql } from "./order.ts";
import { readEntities } from "./read.ts";
import { resolveRows, type NamedRow } from "./refs.ts";
import { keySql, keyType } from "./rows.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";
import { nameTableTool } from "./tool-names.ts";

/** Rows a read returns when it names no limit. */
export const DEFAULT_LIMIT = 100;
/** Most rows one read returns. */
export const MAX_LIMIT = 200;

/** Makes the tool that reads rows of a type. */
export function createReadTool(entityType: EntityType): TableTool {
  const { words } = entityType;
  const parameters = createReadSchema(entityType, listFilterColumns(entityType)).extend({
    whole: z.boolean().nullable().describe("true: all columns"),
    orderBy: z.string().nullable().describe("column, or column desc"),
    limit: z.number().nullable().describe(`null: ${DEFAULT_LIMIT}`),
  });
  return defineTableTool(entityType, {
    action: "read",
    name: nameTableTool("read", entityType),
    description: `Read ${words.many}.`,
    parameters,
    run: async (args, context) => {
      const named = args.refs.length === 0 ? null : resolveNamed(entityType, args.refs, context);
      const read = await readEntities(
        entityType,
        {
          where: (bind) => {
            const filter = filterSql(entityType, args, { bind, refs: context.refs });
            if (named === null) return filter;
            return `${keySql(entityType)} = any(${bind(
              named.map((row) => row.id),
              `${keyType(entityType)}[]`,
            )}) and ${filter}`;
          },
          orderBy: (bind) =>
            named === null || args.orderBy !== null
              ? orderSql(entityType, args.orderBy)
              : `array_position(${bind(
                  named.map((row) => row.id),
                  `${keyType(entityType)}[]`,
                )}, ${keySql(entityType)})`,
          limit: readLimit(args.limit),
          detail: (args.whole ?? named !== null) ? "full" : "summary",
        },
        context,
      );
      const isPlain = args.where.length === 0 && args.anyOf.length === 0;
      const gone =
        isPlain && named !== null ? named.filter((row) => !read.ids.includes(row.id)) : [];
      return { reads: [read], text: goneText(gone) };
    },
  });
}

/**
 * Returns the arguments of a read beside a step's own type: without order and limit, and without
 * filters over lists. Rows that refs name come whole.
 */
export function createLookUpSchema(entityType: EntityType): z.ZodObject {
  return createReadSchema(entityType, listVisibleColumns(entityType));
}

function createReadSchema(entityType: EntityType, columns: readonly Column[]) {
  const condition = createConditionSchema(columns);
  return z.strictObject({
    refs: z.array(z.string()).describe(`${entityType.refPrefix ?? entityType.type}_n, [] for any`),
    where: z.array(condition).describe("all hold"),
    anyOf: z.array(z.array(condition)).describe("one of each group holds"),
  });
}

/** One condition on a column. Its id lets a JSON Schema say it once. */
function createConditionSchema(columns: readonly Column[]) {
  return z
    .strictObject({
      column: createColumnSchema(columns),
      op: z.enum(OPERATORS).describe("comparison"),
      value: FilterValueSchema.describe("list for in, null for is_null"),
    })
    .meta({ id: "condition" });
}

function resolveNamed(
  entityType: EntityType,
  refs: readonly string[],
  context: ToolContext,
): NamedRow[] {
  if (refs.length > MAX_LIMIT) {
    throw new ToolInputError(
      `Cannot read ${refs.length} refs: that is too many; name at most ${MAX_LIMIT}`,
    );
  }
  return resolveRows(context.refs, refs, entityType);
}

function readLimit(limit: number | null): number {
  if (limit === null) return DEFAULT_LIMIT;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new ToolInputError(
    `Cannot use limit "${limit}": it does not fit; give a whole number from 1 to ${MAX_LIMIT}, or null`,
  );
}

function goneText(gone: readonly NamedRow[]): string | null {
  if (gone.length === 0) return null;
  return `No longer there: ${gone.map((row) => `${row.ref} (${row.label})`).join(", ")}`;
}
