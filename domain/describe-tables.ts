import { draftTypes } from "./describe/draft.ts";
import { findObstacles } from "./describe/find-obstacles.ts";
import { nameTypes } from "./describe/name-types.ts";
import { renderMigration } from "./describe/render-migration.ts";
import { renderType } from "./describe/render-type.ts";
import {
  findCatalogueTable,
  joinName,
  type Catalogue,
  type CatalogueTable,
} from "./verify/catalogue.ts";
import { findNearTable } from "./verify/check-table.ts";

/**
 * Describes tables and views as entity types that may only be read: TypeScript, with the migration
 * that protects or shares the tables as a comment at its end. Pure.
 *
 * @throws RangeError for a name that the database does not have, and for tables that a start would refuse
 *   also after the migration: each with what to write first.
 */
export function describeTables(catalogue: Catalogue, names: readonly string[]): string {
  const tables = [...new Set(names.map((name) => findTable(catalogue, name)))];
  const obstacles = tables.flatMap((table) =>
    findObstacles(table, catalogue).map(
      (obstacle) => `Cannot describe "${joinName(table)}": ${obstacle}`,
    ),
  );
  if (obstacles.length > 0) throw new RangeError(obstacles.join("\n"));
  const drafts = draftTypes(nameTypes(tables), catalogue);
  const constants = drafts.map(({ nouns: { type } }) => type.toUpperCase());
  return `import type { EntityType } from "concierge-graph/domain";

${drafts.map((draft) => renderType(draft, drafts)).join("\n\n")}

export const ENTITY_TYPES: readonly EntityType[] = [${constants.join(", ")}];

/* migrations/0001_existing_tables.sql

${renderMigration(drafts, catalogue)}
*/
`;
}

function findTable(catalogue: Catalogue, name: string): CatalogueTable {
  const table = findCatalogueTable(catalogue, name);
  if (table?.columns.length === 0) throw new RangeError(`Cannot describe "${name}": no columns`);
  if (table === undefined) {
    const near = findNearTable(name, catalogue);
    const advice =
      near === null ? 'write it with its schema, as in "shop.orders"' : `did you mean "${near}"?`;
    throw new RangeError(
      `Cannot describe "${name}": there is no table or view of that name; ${advice}`,
    );
  }
  return table;
}
