import { z } from "zod";
import { hasRight, type EntityType } from "../../state/entity.ts";
import { PlainConditionSchema, type RowCondition } from "../../state/filter.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { ToolRun } from "../tool-run.ts";
import { filterSql } from "./conditions.ts";
import { findEntityType } from "./lookup.ts";
import { resolveRows, type SavedRow } from "./refs.ts";
import { fetchRows, idSql } from "./rows.ts";
import { createBinder, tableName } from "./sql.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";

/** Makes `db_delete` for the tables whose rows may be deleted. */
export function createDbDelete(entityTypes: readonly EntityType[]): TableTool {
  const types = entityTypes.filter((type) => hasRight(type, "delete"));
  return defineTableTool({
    name: "db_delete",
    description: "Delete rows: by refs, by where (as in db_read), or all of them.",
    parameters: z.strictObject({
      table: z.string(),
      refs: z.array(z.string()),
      where: z.array(PlainConditionSchema),
      all: z.boolean().nullable(),
    }),
    effect: "write",
    writes: types.map(({ type }) => type),
    run: async (args, tool) => {
      const entityType = findEntityType(types, args.table);
      assertOneWay(args);
      const rows =
        args.refs.length === 0
          ? await findRows(entityType, args.where, tool)
          : resolveRows(tool.refs, args.refs, entityType);
      for (const row of rows) await tool.attempt(row, () => tool.removeRow(entityType, row));
      return null;
    },
  });
}

interface DeleteSelection {
  refs: readonly string[];
  where: readonly RowCondition[];
  all: boolean | null;
}

function assertOneWay(args: DeleteSelection): void {
  const ways = [args.refs.length > 0, args.where.length > 0, args.all === true].filter(Boolean);
  if (ways.length === 1) return;
  throw new ToolInputError(
    `Cannot delete: ${ways.length > 1 ? "more than one way" : "nothing"} is named; give refs, or where, or all: true`,
  );
}

async function findRows(
  entityType: EntityType,
  where: readonly RowCondition[],
  { tx, refs }: ToolRun,
): Promise<SavedRow[]> {
  const { bind, values } = createBinder();
  const filter = filterSql(entityType, { where, anyOf: [] }, { bind, refs });
  const found = await tx.query(
    `select ${idSql(entityType)} as id from ${tableName(entityType.table)} t where ${filter}`,
    values,
  );
  const ids = found.rows.map((row) => String(row["id"]));
  const rows = await fetchRows(tx, entityType, { ids, detail: "full" });
  return rows.map(({ id, values: content }) => ({
    id,
    ref: refs.refFor(entityType.type, id),
    label: entityType.label(content) || entityType.words.one,
  }));
}
