import { z } from "zod";
import {
  listEntityLists,
  type EntityList,
  type EntityRow,
  type EntityType,
} from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import type { ToolRead } from "../../state/tool.ts";
import { orderSql } from "./order.ts";
import { fetchRows, idSql, keyType } from "./rows.ts";
import { identifier, tableName } from "./sql.ts";

/** Rows of one type that lists of the rows read show. */
export interface ListedRows {
  readonly type: string;
  readonly rows: EntityRow[];
  /** True where they are shown with their values, false where only their labels are. */
  readonly isWhole: boolean;
}

/** Rows read, with what their lists of entities hold. */
export interface ReadWithLists {
  readonly rows: EntityRow[];
  readonly listed: readonly ListedRows[];
}

/** Rows of a list that are shown where it does not say how many. */
const SHOWN = 12;
/** Most rows of one list that come with one read, however many parents it has. */
const MOST_LISTED = 100;

const FoundList = z.object({
  id: z.string(),
  total: z.number().int(),
  ids: z.array(z.string()),
});

/**
 * Adds to each row what its lists of entities hold, as `{ total, ids }`: all that there are, and the
 * first ones where the read is whole or its summary names the list.
 */
export async function fetchLists(
  tx: Queryable,
  entityTypes: readonly EntityType[],
  read: ToolRead,
): Promise<ReadWithLists> {
  const parent = entityTypes.find(({ type }) => type === read.type);
  let { rows } = read;
  const listed: ListedRows[] = [];
  if (parent === undefined || rows.length === 0) return { rows, listed };
  for (const list of listEntityLists(parent)) {
    const child = entityTypes.find(({ type }) => type === list.type);
    if (child === undefined) continue;
    const isWhole = read.detail === "full";
    const isShown = isWhole || parent.summary.includes(list.name);
    const found = await findChildren(tx, { parent, list, child }, rows, isShown);
    rows = rows.map((row) => ({
      ...row,
      values: { ...row.values, [list.name]: found.get(row.id) ?? { total: 0, ids: [] } },
    }));
    const ids = [...found.values()].flatMap((each) => each.ids);
    const children = await fetchRows(tx, child, { ids, detail: "summary" });
    if (children.length > 0) listed.push({ type: child.type, rows: children, isWhole });
  }
  return { rows, listed };
}

/** A list of entities, with the types at its two ends. */
interface ListEnds {
  readonly parent: EntityType;
  readonly list: EntityList;
  readonly child: EntityType;
}

type Children = Pick<z.output<typeof FoundList>, "total" | "ids">;

/** Finds the children of each row, by the row's id. */
async function findChildren(
  tx: Queryable,
  { parent, list, child }: ListEnds,
  rows: readonly EntityRow[],
  isShown: boolean,
): Promise<Map<string, Children>> {
  const share = Math.max(1, Math.floor(MOST_LISTED / rows.length));
  const owned = `from ${tableName(child.table)} t where t.${identifier(list.foreignKey)} = p.id::${keyType(parent)}`;
  const result = await tx.query(
    `select p.id, (select count(*)::int ${owned}) as total,
            array_to_json(array(select ${idSql(child)} ${owned} order by ${orderSql(child, null)} limit $2)) as ids
       from unnest($1::text[]) as p (id)`,
    [rows.map(({ id }) => id), isShown ? Math.min(list.shown ?? SHOWN, share) : 0],
  );
  return new Map(
    result.rows.map((row) => {
      const { id, total, ids } = FoundList.parse(row);
      return [id, { total, ids }];
    }),
  );
}
