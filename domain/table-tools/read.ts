import { z } from "zod";
import { listEntityLists, type Detail, type EntityType } from "../../state/entity.ts";
import { CallRefusedError, type RefBook, type ToolRead } from "../../state/tool.ts";
import type { ToolContext } from "../../state/domain.ts";
import { renderSentence } from "../../text/sentences.ts";
import { fetchRows, idSql, versionSql } from "./rows.ts";
import { createBinder, tableName, type Bind } from "./sql.ts";

/** Which rows a read is about. The SQL parts stand on the table alias `t` and bind their own values. */
export interface EntityQuery {
  readonly where: (bind: Bind) => string;
  readonly orderBy: (bind: Bind) => string;
  readonly limit: number;
  readonly detail: "summary" | "full";
}

const Found = z.object({
  id: z.string().nullable(),
  row_version: z.number().int(),
  total: z.number().int(),
});
type Found = z.infer<typeof Found> & { readonly id: string };

/**
 * Reads rows, or finds that they are all held already.
 *
 * Contract: the filter always runs. The read is suppressed only when it finds at least one row and
 * every row it finds is held at the needed detail and the same version; never where a list of
 * entities may have changed beside the row.
 */
export async function readEntities(
  entityType: EntityType,
  query: EntityQuery,
  context: Pick<ToolContext, "tx" | "refs">,
): Promise<ToolRead> {
  const { bind, values } = createBinder();
  const where = query.where(bind);
  const orderBy = query.orderBy(bind);
  const limit = bind(query.limit, "integer");
  const result = await context.tx.query(
    `select ${idSql(entityType)} as id, ${versionSql(entityType)} as row_version, (count(*) over ())::int as total
       from ${tableName(entityType.table)} t
      where ${where}
      order by ${orderBy}
      limit ${limit}`,
    values,
  );
  const found = result.rows.map((row) => assertKey(Found.parse(row), entityType));
  const base = { type: entityType.type, detail: query.detail, total: found[0]?.total ?? 0 };
  const isVersioned = listEntityLists(entityType).length === 0;
  if (
    isVersioned &&
    found.length > 0 &&
    found.every((row) => isHeld(context.refs, { ...base, row }))
  ) {
    return { ...base, ids: found.map((row) => row.id), rows: [], suppressed: true };
  }
  const rows = await fetchRows(context.tx, entityType, {
    ids: found.map((row) => row.id),
    detail: query.detail,
  });
  const ids = rows.map((row) => row.id);
  if (new Set(ids).size < ids.length) throw refuseKeys(entityType);
  return { ...base, ids, rows, suppressed: false };
}

/** The key of a view's row, which nothing in the database holds to be there, or to be unique. */
function assertKey({ id, ...row }: z.infer<typeof Found>, entityType: EntityType): Found {
  if (id === null) throw refuseKeys(entityType);
  return { ...row, id };
}

function refuseKeys({ words }: EntityType): CallRefusedError {
  return new CallRefusedError(renderSentence("keysUnfit", { rows: words.many }));
}

const RANK = { none: 0, summary: 1, full: 2 } as const satisfies Record<Detail, number>;

interface NeededRow {
  type: string;
  detail: Detail;
  row: Found;
}

function isHeld(refs: RefBook, needed: NeededRow): boolean {
  const held = refs.held(needed.type, needed.row.id);
  if (held === null || held.rowVersion !== needed.row.row_version) return false;
  return RANK[held.detail] >= RANK[needed.detail];
}
