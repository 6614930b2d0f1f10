import type { Domain } from "../state/domain.ts";
import { listInlineLists } from "../state/entity.ts";
import type { Queryable } from "../state/store.ts";
import { assertNoProblems } from "./domain-error.ts";
import { readCatalogue } from "./verify/catalogue.ts";
import { checkGrants } from "./verify/check-grants.ts";
import { checkTable } from "./verify/check-table.ts";

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
  assertNoProblems(name, [
    ...entityTypes.flatMap((type) => checkTable(type, domain, catalogue)),
    ...checkGrants(domain, catalogue),
  ]);
}
