import { z } from "zod";
import { findKey, listInlineLists, type EntityType } from "../../state/entity.ts";
import { ConditionSchema } from "../../state/filter.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { ToolContext } from "../../state/domain.ts";
import { filterSql } from "./conditions.ts";
import { findEntityType, findFilterTarget } from "./lookup.ts";
import { orderSql } from "./order.ts";
import { readEntities } from "./read.ts";
import { resolveRows, type NamedRow } from "./refs.ts";
import { keySql, keyType } from "./rows.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";

/** Rows a read returns when it names no limit. */
export const DEFAULT_LIMIT = 100;
/** Most rows one read returns. */
export const MAX_LIMIT = 200;

/** Makes `db_read` for the tables of a domain. */
export function createDbRead(entityTypes: readonly EntityType[]): TableTool {
  const parameters = z.strictObject({
    table: z.string(),
    refs: z.array(z.string()),
    where: z.array(ConditionSchema),
    anyOf: z.array(z.array(ConditionSchema)),
    columns: z.array(z.string()),
    orderBy: z.string().nullable(),
    limit: z.number().nullable(),
  });
  return defineTableTool({
    name: "db_read",
    description: `Read rows: all of where and one of each anyOf group hold. Refs stand for ids. columns []: summary, ["*"]: all. orderBy "column" or "column desc". limit null: ${DEFAULT_LIMIT}.`,
    parameters,
    effect: "read",
    run: async (args, context) => {
      const entityType = findEntityType(entityTypes, args.table);
      const named = args.refs.length === 0 ? null : resolveNamed(entityType, args.refs, context);
      const detail = neededDetail(entityType, args.columns);
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
          detail,
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

/** `summary` covers its columns; anything beyond them, or a child's columns, needs the whole row. */
function neededDetail(entityType: EntityType, columns: readonly string[]): "summary" | "full" {
  const childNames = new Set(listInlineLists(entityType).map((list) => list.name));
  for (const name of columns) {
    if (name !== "*" && !childNames.has(name)) findFilterTarget(entityType, name);
  }
  const isCovered = (name: string): boolean =>
    name === findKey(entityType).column || entityType.summary.includes(name);
  return columns.every(isCovered) ? "summary" : "full";
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
