import type { Domain } from "../state/domain.ts";
import { listInlineLists } from "../state/entity.ts";
import type { Queryable } from "../state/store.ts";
import { assertNoProblems } from "./domain-error.ts";
import { readCatalogue } from "./verify/catalogue.ts";
import { checkGrants } from "./verify/check-grants.ts";
import { checkCascades } from "./verify/check-cascades.ts";
import { checkTable, checkTableNames } from "./verify/check-table.ts";

/**
 * Compares a domain's description with the database: tables, columns, keys, indexes, triggers,
 * policies and grants. One query, on a connection that works as the program does (`database.pool`), after the
 * migrations.
 *
 * @throws DomainError with every difference, and what to write.
 *
 * @example
 * await verifyDomain(mealsDomain, database.pool); // undefined
 */
export async function verifyDomain(domain: Domain, db: Queryable): Promise<void> {
  const { name, entityTypes } = domain;
  if (entityTypes.length === 0) return;
  const lists = entityTypes.flatMap(listInlineLists);
  const tables = [...entityTypes, ...lists].map(({ table }) => table);
  const catalogue = await readCatalogue(db, tables);
  // A name that stands for nothing comes first, and what follows from it is left out.
  const unknown = entityTypes.flatMap((type) => checkTableNames(type, catalogue));
  assertNoProblems(
    name,
    [
      ...unknown,
      ...entityTypes.flatMap((type) => checkTable(type, domain, catalogue)),
      ...(unknown.length > 0
        ? []
        : entityTypes.flatMap((type) => checkCascades(type, domain, catalogue))),
      ...checkGrants(domain, catalogue),
    ],
    adviseMigration(domain),
  );
}

/** The place of the SQL in what problems say to write: a file that has run is neither run again nor edited. */
function adviseMigration({ migrations }: Domain): string {
  return `SQL of this belongs in a new file in "${migrations}", with the next number: one that has run stays as it is`;
}
