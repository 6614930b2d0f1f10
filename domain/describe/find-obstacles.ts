import { printIdentifier, printTable } from "../table-tools/sql.ts";
import { joinName, listBeneath, type Catalogue, type CatalogueTable } from "../verify/catalogue.ts";
import { checkTableGrants, PROGRAM } from "../verify/check-grants.ts";
import { checkPlace } from "../verify/check-place.ts";
import { checkView } from "../verify/check-view.ts";
import {
  adviseOpenPolicy,
  describeOpenPolicy,
  explainOwner,
  hasOwner,
  hasReadingPolicy,
  listOpenPolicies,
  readsOwnRows,
  withOwnRows,
} from "../verify/own-rows.ts";
import { findColumnKey } from "./draft.ts";

/** Finds why a start would refuse a table even after the migration: clauses that say what to write first. Pure. */
export function findObstacles(table: CatalogueTable, catalogue: Catalogue): readonly string[] {
  const misplaced = table.kind === "table" ? checkPlace(table, joinName(table)) : [];
  if (misplaced.length > 0) return misplaced.map(startClause);
  return [
    ...explainOwner(table),
    ...checkKey(table),
    ...(table.kind === "table" ? checkPolicies(table) : checkReading(table, catalogue)),
    ...checkGrants(table),
  ];
}

/** A start plans the rights of the program itself anew, and leaves those of others as they are. */
function checkGrants(table: CatalogueTable): readonly string[] {
  const grants = table.grants.filter(({ to }) => to !== PROGRAM);
  return checkTableGrants({ ...table, grants }, { name: joinName(table), needed: new Set() }).map(
    (problem) => `${startClause(problem)}, once the logins that need them have them by themselves`,
  );
}

function startClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function checkKey(table: CatalogueTable): readonly string[] {
  if (findColumnKey(table) !== null || table.primaryKey.length > 0) return [];
  return [`it has no key that tells its rows apart; ${adviseKey(table)}`];
}

/** A key of a partitioned table has the columns by which it is partitioned, and no expression. */
function adviseKey(table: CatalogueTable): string {
  const { kind, partitionKey } = table;
  if (kind !== "table") return "give the view a key column, as text";
  if (partitionKey.includes(null)) return "describe a view with a key column, as text";
  const names = ["row_id", ...partitionKey.map((name) => printIdentifier(name ?? ""))];
  const start = `alter table ${printTable(joinName(table))} add row_id uuid`;
  return partitionKey.length === 0
    ? `write "${start} primary key default gen_random_uuid()"`
    : `write "${start} default gen_random_uuid(), add primary key (${names.join(", ")})"`;
}

function checkPolicies(table: CatalogueTable): readonly string[] {
  if (!hasOwner(table)) return [];
  return listOpenPolicies(withOwnRows(table)).map(
    (policy) =>
      `${describeOpenPolicy(policy, joinName(table))}; ${adviseOpenPolicy(policy, table)}`,
  );
}

function checkReading(view: CatalogueTable, catalogue: Catalogue): readonly string[] {
  const isShared = !hasOwner(view);
  const beneath = listBeneath(catalogue, view);
  const isPersonal = beneath.some(
    (table) => hasOwner(table) || (hasReadingPolicy(table) && readsOwnRows(table)),
  );
  if (view.kind === "view" && !isShared && !isPersonal) {
    return [
      'no table that it reads has a column "user_id", by which row-level security could give each person their rows; add one to the table that knows the person, as in "user_id text generated always as (customer) stored"',
    ];
  }
  // What the migration mends is no obstacle.
  const tables = catalogue.tables.map((table) => ({
    ...withOwnRows(table),
    readable: true,
    securityInvoker: true,
  }));
  const type = { type: "row", ownership: isShared ? "shared" : "subject" } as const;
  const name = joinName(view);
  return checkView(
    { ...view, securityInvoker: true },
    { name, type },
    { ...catalogue, tables },
  ).map(startClause);
}
