import type { Domain } from "../../state/domain.ts";
import { listInlineLists } from "../../state/entity.ts";
import { listGrants } from "../list-grants.ts";
import { printTable } from "../table-tools/sql.ts";
import {
  findCatalogueTable,
  type Catalogue,
  type CatalogueGrant,
  type CatalogueTable,
} from "./catalogue.ts";
import { describeTable } from "./check-columns.ts";
import { quoteNames, startSentence } from "./sentences.ts";

/** The role that the program works as. */
export const PROGRAM = "concierge_app";

/** Finds the rights of the program's login to change rows that no type and no tool needs: what the connection cannot do, no model can. Pure. */
export function checkGrants(domain: Domain, catalogue: Catalogue): readonly string[] {
  const { entityTypes } = domain;
  const names = new Set(
    [...entityTypes, ...entityTypes.flatMap(listInlineLists)].map(({ table }) => table),
  );
  const needs = listGrants(domain);
  return [...names].flatMap((name) => {
    const table = findCatalogueTable(catalogue, name);
    if (table === undefined) return [];
    const needed: ReadonlySet<string> = new Set(
      needs.filter((one) => one.table === name).flatMap(({ rights }) => rights),
    );
    return checkTableGrants(table, { name, needed });
  });
}

/** The rights of the program on a table that something needs. */
export interface NeededRights {
  /** The table's name in the description. */
  readonly name: string;
  readonly needed: ReadonlySet<string>;
}

/** Finds the rights of the program's login to change the rows of a table that nothing needs. Pure. */
export function checkTableGrants(
  table: CatalogueTable,
  { name, needed }: NeededRights,
): readonly string[] {
  const extra = table.grants.filter(({ right }) => !needed.has(right));
  return [...Map.groupBy(extra, ({ to }) => to)].map(([role, grants]) =>
    describeExtra(startSentence(describeTable(table, name)), printTable(name), { role, grants }),
  );
}

interface ExtraGrants {
  readonly role: string;
  readonly grants: readonly CatalogueGrant[];
}

function describeExtra(place: string, printed: string, { role, grants }: ExtraGrants): string {
  const rights = grants.map(({ right }) => right);
  const through = role === PROGRAM ? "" : ` through "${role}"`;
  const remedy =
    role === PROGRAM || role === "public"
      ? `revoke ${rights.join(", ")} on ${printed} from ${role}`
      : `revoke ${role} from ${PROGRAM}`;
  return `${place} gives the program the rights ${quoteNames(rights)}${through}, which no type's "rights" and no tool's "writes" need; ${remedy}`;
}
