import { literal, printIdentifier, printTable } from "../table-tools/sql.ts";
import { joinName, type CataloguePolicy, type CatalogueTable } from "./catalogue.ts";

/** Policies that `concierge_own_rows` replaces. */
const REPLACED: ReadonlySet<string> = new Set([
  "concierge_everybody_reads",
  "concierge_admin_writes",
]);

const SETTING = String.raw`current_setting\('concierge\.user_id'::text(?:, true)?\)`;
const CALL = String.raw`(?:concierge\.)?concierge_user\(\)`;
const USER = String.raw`(?:${CALL}|\( SELECT ${CALL} AS concierge_user\)|${SETTING}|NULLIF\(${SETTING}, ''::text\))`;
const CAST = "::(?:text|character varying|uuid|integer|bigint)";
const OWNER = String.raw`(?:user_id|\(user_id\)${CAST})`;
const OWN = String.raw`\((?:${OWNER} = (?:${USER}|\(${USER}\)${CAST})|${USER} = ${OWNER})\)`;
/** A condition that holds for a person's own rows alone, as PostgreSQL prints it: every `and` and `or` has brackets of its own. */
const OWN_ROWS = new RegExp(String.raw`^(?:${OWN}|\(${OWN} AND .*|.* AND ${OWN}\))$`, "us");
const NAMES_USER = new RegExp(USER, "us");

/** Returns true where the rows of a table or view belong to persons. */
export function hasOwner({ columns }: CatalogueTable): boolean {
  return columns.some(({ name }) => name === "user_id");
}

/** Finds why the rows of a table or view would not be given to persons: a clause, with what to write. */
export function explainOwner(table: CatalogueTable): readonly string[] {
  const owner = table.columns.find(({ name }) => name === "user_id");
  if (owner === undefined || owner.type === "text") return [];
  return [
    `its column "user_id" has the type ${owner.type}, and only a text gives each row to its person; ${adviseOwner(table)}`,
  ];
}

/** A type is not changed beneath a foreign key or a view: then a view casts it. */
function adviseOwner(table: CatalogueTable): string {
  const cast = 'a view with "user_id::text as user_id" (docs/own-domain.md, "Existing tables")';
  return table.kind === "table"
    ? `write "alter table ${printTable(joinName(table))} alter column user_id type text using user_id::text", or, where a foreign key or a view needs the type, describe ${cast}`
    : `describe ${cast}`;
}

/** Lists the permissive policies by which the program would see or change rows of other persons than the one it works for. */
export function listOpenPolicies({
  policies,
}: Pick<CatalogueTable, "policies">): readonly CataloguePolicy[] {
  return policies.filter(
    ({ conditions }) =>
      conditions.length === 0 || !conditions.every((condition) => OWN_ROWS.test(condition)),
  );
}

/** The sentence about an open policy. */
export function describeOpenPolicy({ name, conditions }: CataloguePolicy, table: string): string {
  return `policy "${name}" of table "${table}" shows or takes rows of others: ${conditions.join(", ")}`;
}

/** The clause that says how an open policy shows the program no rows, and others what it did. */
export function adviseOpenPolicy({ name }: CataloguePolicy, table: CatalogueTable): string {
  const printed = printTable(joinName(table));
  if (REPLACED.has(name)) return `select concierge_own_rows(${literal(printed)})`;
  const policy = `policy ${printIdentifier(name)} on ${printed}`;
  return table.logins.length === 0
    ? `drop ${policy}`
    : `let it hold for other logins alone: alter ${policy} to ${table.logins.join(", ")}`;
}

/** Returns true where a policy lets the program read. */
export function hasReadingPolicy(table: CatalogueTable): boolean {
  return listReadingPolicies(table).length > 0;
}

function listReadingPolicies({ policies }: CatalogueTable): CataloguePolicy[] {
  return policies.filter(({ isForProgram, command }) => isForProgram && "*r".includes(command));
}

/** Lists the policies that show the program rows of other persons, by `user_id` or by whatever column policies compare with the person. */
export function listOpenReading(table: CatalogueTable): readonly CataloguePolicy[] {
  const policies = listReadingPolicies(table);
  return hasOwner(table)
    ? listOpenPolicies({ policies })
    : policies.filter(({ conditions }) => !conditions.some((one) => NAMES_USER.test(one)));
}

/** Returns true where the program reads rows of one person alone. */
export function readsOwnRows(table: CatalogueTable): boolean {
  return table.rowSecurity && listOpenReading(table).length === 0;
}

/** The table as `concierge_own_rows` leaves it, its open policies apart. */
export function withOwnRows(table: CatalogueTable): CatalogueTable {
  const policies = table.policies.filter(({ name }) => !REPLACED.has(name));
  return { ...table, rowSecurity: true, policies };
}
