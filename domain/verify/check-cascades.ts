import type { Domain } from "../../state/domain.ts";
import { hasRight, listInlineLists, type EntityType } from "../../state/entity.ts";
import { isListWritten } from "../list-grants.ts";
import { literal, printTable } from "../table-tools/sql.ts";
import { findCatalogueTable, type Catalogue, type FollowingTable } from "./catalogue.ts";

/**
 * Finds the tables whose rows would change with deleted rows of a type unrecorded: an undo would
 * bring back the rows, and not what went with them. Described tables are checked by themselves. Pure.
 */
export function checkCascades(
  type: EntityType,
  domain: Pick<Domain, "tools">,
  catalogue: Catalogue,
): readonly string[] {
  const problems = listDeletions(type, domain).flatMap(({ table, what }) =>
    (findCatalogueTable(catalogue, table)?.following ?? []).flatMap((following) => {
      const { name } = following;
      const isDescribed = findCatalogueTable(catalogue, name) !== undefined;
      const remedy = adviseRecord(following);
      if (isDescribed || remedy === null) return [];
      const rows = `rows of table "${name}" go with it, or lose what they point at`;
      return [
        [name, `${what}, and ${rows}; an undo could not bring that back: ${remedy}`] as const,
      ];
    }),
  );
  // A table that is reached in several ways is named once.
  return [...new Map(problems.toReversed()).values()].toReversed();
}

interface Deletion {
  readonly table: string;
  /** Beginning of the sentence. */
  readonly what: string;
}

/** The tables of a type from which tools may delete rows, and be undone. */
function listDeletions(type: EntityType, { tools }: Pick<Domain, "tools">): readonly Deletion[] {
  const { table } = type;
  const place = `Type "${type.type}"`;
  const tool = tools.find(
    ({ writes = [], undo }) => writes.includes(type.type) && undo === undefined,
  );
  const isDeletable = hasRight(type, "delete");
  return [
    ...(isDeletable ? [{ table, what: `${place} may be deleted` }] : []),
    ...(tool && !isDeletable
      ? [{ table, what: `Tool "${tool.name}" may delete a row of "${type.type}"` }]
      : []),
    ...listInlineLists(type)
      .filter((list) => isListWritten(type, list))
      .map((list) => ({
        table: list.table,
        what: `${place} may be changed with its list "${list.name}"`,
      })),
  ];
}

function adviseRecord({ name, key, recorded, restorable }: FollowingTable): string | null {
  const column = key ?? "row_id";
  const table = printTable(name);
  const statements = [
    ...(key === null && !recorded
      ? [
          `alter table ${table} add ${column} uuid not null default gen_random_uuid()`,
          `create index on ${table} (${column})`,
        ]
      : []),
    ...(recorded ? [] : [`select concierge_watch_rows(${literal(table)}, ${literal(column)})`]),
    ...(restorable ? [] : [`grant select, insert, update, delete on ${table} to concierge_admin`]),
  ];
  if (statements.length === 0) return null;
  return `${statements.join("; ")}; or make its foreign key "on delete restrict"`;
}
