import type { EntityType } from "../../state/entity.ts";
import { literal, printTable } from "../table-tools/sql.ts";
import { joinName, listBeneath, type Catalogue, type CatalogueTable } from "./catalogue.ts";
import { describeTable } from "./check-columns.ts";
import {
  adviseOpenPolicy,
  describeOpenPolicy,
  hasOwner,
  listOpenReading,
  readsOwnRows,
} from "./own-rows.ts";
import { startSentence } from "./sentences.ts";

/** A view, as a description names it. */
export interface DescribedView {
  readonly name: string;
  readonly type: Pick<EntityType, "type" | "ownership">;
}

/** Finds by which tables and views beneath it a view would show rows of others, or none. Pure. */
export function checkView(
  view: CatalogueTable,
  { name, type }: DescribedView,
  catalogue: Catalogue,
): readonly string[] {
  const place = startSentence(describeTable(view, name));
  const isShared = type.ownership === "shared";
  const shared = `write ownership: "shared" at type "${type.type}"`;
  switch (view.kind) {
    case "foreign table":
      return [`${place} cannot be described itself; describe a view on it with security_invoker`];
    case "materialized view":
      return isShared
        ? []
        : [
            `${place} shows everybody the same rows; ${hasOwner(view) ? "describe a view with security_invoker on the tables that it reads" : shared}`,
          ];
    default:
  }
  const beneath = listBeneath(catalogue, view);
  const problems = [
    ...(view.securityInvoker
      ? []
      : [
          `${place} reads with its owner's rights, past row-level security; ${adviseInvoker(name)}`,
        ]),
    ...beneath.flatMap((base) => checkRead(place, base)),
  ];
  if (isShared) return problems;
  if (!beneath.some((base) => hasOwner(base) || readsOwnRows(base))) {
    return [
      ...problems,
      `${place} shows everybody every row: no table that it reads has a column "user_id", or a policy for the rows of each person; add the column and select concierge_own_rows of the table${hasOwner(view) ? "" : `, or ${shared}`}`,
    ];
  }
  return [...problems, ...beneath.flatMap((base) => checkRows(place, base))];
}

function adviseInvoker(name: string): string {
  return `alter view ${printTable(name)} set (security_invoker = true)`;
}

/** The program has to reach a table beneath with its own rights at each step: those of an owner show all rows. */
function checkRead(place: string, base: CatalogueTable): readonly string[] {
  const name = joinName(base);
  return [
    ...(base.readable
      ? []
      : [
          `${place} reads "${name}", which the program may not read; grant usage on its schema and grant select on ${printTable(name)} to concierge_app`,
        ]),
    ...(base.kind !== "view" || base.securityInvoker
      ? []
      : [
          `${place} reads the view "${name}", which reads with its owner's rights, past row-level security; ${adviseInvoker(name)}`,
        ]),
  ];
}

/** Finds why everybody would see all rows of a table beneath a view of persons' rows. */
function checkRows(place: string, base: CatalogueTable): readonly string[] {
  const name = joinName(base);
  const start = `${place} shows everybody every row of ${describeTable(base, name)}`;
  const call = (rows: string): string =>
    `select concierge_${rows}_rows(${literal(printTable(name))})`;
  // A described table is checked by itself.
  if (base.kind === "view" || !base.isBeneath) return [];
  if (base.kind !== "table") {
    return [`${start}, which can have no row-level security; leave it out of the view`];
  }
  if (!base.rowSecurity) {
    return [
      `${start}, which has no row-level security; ${call(hasOwner(base) ? "own" : "share")}${hasOwner(base) ? "" : ` if they belong to nobody, or add a column "user_id" and ${call("own")}`}`,
    ];
  }
  if (!hasOwner(base)) return [];
  return listOpenReading(base).map(
    (policy) =>
      `${place} shows rows of others, since ${describeOpenPolicy(policy, name)}; ${adviseOpenPolicy(policy, base)}`,
  );
}
