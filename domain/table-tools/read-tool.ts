import { z } from "zod";
import {
  listEntityLists,
  listVisibleColumns,
  type Column,
  type EntityType,
} from "../../state/entity.ts";
import { FilterValueSchema, OPERATORS } from "../../state/filter.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { ToolContext } from "../../state/domain.ts";
import { createColumnSchema, listFilterColumns } from "./column-schema.ts";
import { filterSql } from "./conditions.ts";
import { afterSql, orderSql } from "./order.ts";
import { readEntities } from "./read.ts";
import { resolveRows, resolveSavedRef, type NamedRow } from "./refs.ts";
import { fetchRows, keySql, keyType } from "./rows.ts";
import type { Bind } from "./sql.ts";
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
    ...PAGE,
  });
  return defineTableTool(entityType, {
    action: "read",
    name: nameTableTool("read", entityType),
    description: `Read ${words.many}.`,
    parameters,
    run: async (args, context) => {
      const named = args.refs.length === 0 ? null : resolveNamed(entityType, args.refs, context);
      const after = args.after === null ? null : resolveAfter(entityType, args.after, context);
      const bindNamed = (bind: Bind) =>
        bind(named?.map((row) => row.id) ?? [], `${keyType(entityType)}[]`);
      const read = await readEntities(
        entityType,
        {
          where: (bind) =>
            [
              filterSql(entityType, args, { bind, refs: context.refs }),
              ...(named === null ? [] : [`${keySql(entityType)} = any(${bindNamed(bind)})`]),
              ...(after === null
                ? []
                : [afterSql(entityType, args.orderBy, bind(after.id, keyType(entityType)))]),
            ].join(" and "),
          orderBy: (bind) =>
            named === null || after !== null || args.orderBy !== null
              ? orderSql(entityType, args.orderBy)
              : `array_position(${bindNamed(bind)}, ${keySql(entityType)})`,
          limit: readLimit(args.limit, { usual: DEFAULT_LIMIT, most: MAX_LIMIT }),
          detail: (args.whole ?? named !== null) ? "full" : "summary",
        },
        context,
      );
      if (after !== null && read.ids.length === 0) await assertThere(entityType, after, context);
      const isPlain = args.where.length === 0 && args.anyOf.length === 0 && after === null;
      const gone =
        isPlain && named !== null ? named.filter((row) => !read.ids.includes(row.id)) : [];
      return { reads: [read], text: goneText(gone) };
    },
  });
}

/** The part of the rows that a read returns. */
const PAGE = {
  limit: z.number().nullable().describe(`null: ${DEFAULT_LIMIT}`),
  after: z.string().nullable().describe("ref to go on after"),
};

/**
 * Returns the arguments of a read beside a step's own type: without order, without filters over
 * lists, and with pages only for rows that a list of the own type shows in part. Rows that refs name
 * come whole.
 */
export function createLookUpSchema(entityType: EntityType, own: EntityType): z.ZodObject {
  const schema = createReadSchema(entityType, listVisibleColumns(entityType));
  const isListed = listEntityLists(own).some(({ type }) => type === entityType.type);
  return isListed ? schema.extend(PAGE) : schema;
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

function resolveAfter(
  entityType: EntityType,
  ref: string,
  { refs }: Pick<ToolContext, "refs">,
): NamedRow {
  return resolveSavedRef(refs, ref, { type: entityType.type, place: "after" });
}

/** No row comes after one that is gone: an empty answer would read as the end of the list. */
async function assertThere(
  entityType: EntityType,
  { id, ref, label }: NamedRow,
  { tx }: Pick<ToolContext, "tx">,
): Promise<void> {
  const [row] = await fetchRows(tx, entityType, { ids: [id], detail: "summary" });
  if (row !== undefined) return;
  throw new ToolInputError(
    `Cannot go on after "${ref}": ${label} no longer exists; go on after the row before it`,
  );
}

/** Bounds of how many rows a call may ask for. */
interface RowBounds {
  readonly usual: number;
  readonly most: number;
}

/** Reads how many rows a call asks for; null asks for the usual number. @throws ToolInputError for a number that does not fit. */
export function readLimit(limit: number | null, { usual, most }: RowBounds): number {
  if (limit === null) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new ToolInputError(
    `Cannot use limit "${limit}": it does not fit; give a whole number from 1 to ${most}, or null`,
  );
}

function goneText(gone: readonly NamedRow[]): string | null {
  if (gone.length === 0) return null;
  return `No longer there: ${gone.map((row) => `${row.ref} (${row.label})`).join(", ")}`;
}
