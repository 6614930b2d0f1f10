import { z } from "zod";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import { ToolInputError, type ToolWrite } from "../../state/tool.ts";
import { defineTool, toolOutcome } from "../define-tool.ts";
import type { DomainTool, ToolContext } from "../../state/domain.ts";
import { renderSentence } from "../../text/sentences.ts";
import { PlainConditionSchema, filterSql, type RowCondition } from "./conditions.ts";
import { rowFailure } from "./failures.ts";
import { findEntityType } from "./lookup.ts";
import { orderSql } from "./order.ts";
import { resolveRows } from "./refs.ts";
import { fetchRows } from "./rows.ts";
import { createBinder, identifier } from "./sql.ts";
import { deleteRow, deleteRows, writeRow } from "./write.ts";

/** Makes `db_delete` for the tables of a domain. */
export function createDbDelete(entityTypes: readonly EntityType[]): DomainTool {
  const parameters = z.strictObject({
    table: z.string(),
    refs: z.array(z.string()),
    where: z.array(PlainConditionSchema),
    all: z.boolean().nullable(),
  });
  return defineTool({
    name: "db_delete",
    description: "Delete rows: by refs, by where (as in db_read), or all of them.",
    parameters,
    effect: "write",
    selectTable: ({ table }) => table,
    run: async (args, context) => {
      const entityType = findEntityType(entityTypes, args.table);
      assertOneWay(args);
      const targets =
        args.refs.length === 0
          ? await findTargets(entityType, args.where, context)
          : resolveRows(context.refs, args.refs, entityType);
      const ids = targets.map((target) => target.id);
      const rows = await fetchRows(context.tx, entityType, { ids, detail: "full" });
      const gone = targets
        .filter((target) => !rows.some((row) => row.id === target.id))
        .map(({ ref, label }) => rowFailure(label, { ref, reason: renderSentence("rowGone") }));
      const outcome = await deleteAll(entityType, rows, context);
      const named = outcome.failures.map(({ row, reason }) => {
        const ref = targets.find((target) => target.id === row.id)?.ref ?? null;
        return rowFailure(entityType.label(row.values) || entityType.words.one, { ref, reason });
      });
      return toolOutcome({ writes: outcome.writes, failures: [...gone, ...named] });
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
  if (ways.length !== 1) {
    throw new ToolInputError(
      `Cannot delete: ${ways.length > 1 ? "more than one way" : "nothing"} is named; give refs, or where, or all: true`,
    );
  }
}

interface Target {
  readonly id: string;
  readonly ref: string | null;
  readonly label: string;
}

const FoundId = z.object({ id: z.string() });

async function findTargets(
  entityType: EntityType,
  where: readonly RowCondition[],
  context: ToolContext,
): Promise<Target[]> {
  const { bind, values } = createBinder();
  const filter = filterSql(entityType, { where, anyOf: [] }, { bind, refs: context.refs });
  const found = await context.tx.query(
    `select t.id::text as id from ${identifier(entityType.table)} t
      where ${filter} order by ${orderSql(entityType, null)}`,
    values,
  );
  return found.rows.map((row) => {
    const { id } = FoundId.parse(row);
    const ref = context.refs.held(entityType.type, id)?.ref ?? null;
    return { id, ref, label: entityType.words.one };
  });
}

interface Deletion {
  readonly writes: ToolWrite[];
  readonly failures: { readonly row: EntityRow; readonly reason: string }[];
}

/** All at once; only when a row is refused, one by one, so that the others still go. */
async function deleteAll(
  entityType: EntityType,
  rows: readonly EntityRow[],
  { tx }: ToolContext,
): Promise<Deletion> {
  const written = (row: EntityRow): ToolWrite => ({
    action: "deleted",
    type: entityType.type,
    row,
    draft: null,
  });
  const together = await deleteRows(tx, entityType, rows);
  if (together) return { writes: rows.map(written), failures: [] };
  const outcome: Deletion = { writes: [], failures: [] };
  for (const row of rows) {
    const result = await writeRow(tx, entityType, () => deleteRow(tx, entityType, row));
    if (result.kind === "written") outcome.writes.push(written(row));
    else outcome.failures.push({ row, reason: result.reason });
  }
  return outcome;
}
