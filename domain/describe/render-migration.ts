import { literal, printIdentifier, printTable } from "../table-tools/sql.ts";
import { joinName, listBeneath, type Catalogue, type CatalogueTable } from "../verify/catalogue.ts";
import { hasOwner, hasReadingPolicy, readsOwnRows } from "../verify/own-rows.ts";
import type { Draft } from "./draft.ts";

/** Renders the migration that protects or shares the tables of drafts, and those that views read, as they are now. */
export function renderMigration(drafts: readonly Draft[], catalogue: Catalogue): string {
  const note = `-- To be run by the owner of the tables. Row-level security then holds for every login but
-- superusers. The policies "concierge_others" let the owners, and those who have rights on a table, go
-- on as before. A login without one sees no rows, without an error.`;
  const statements = drafts.flatMap((draft) => renderStatements(draft, catalogue));
  // Several views may read one table.
  return [note, ...new Set(statements)].join("\n");
}

function renderStatements(draft: Draft, catalogue: Catalogue): readonly string[] {
  const { table, name, key, viewKey, isShared } = draft;
  const own = printTable(joinName(table));
  if (table.kind === "view") return renderView(draft, catalogue);
  if (table.kind !== "table") return [];
  if (viewKey !== null) {
    return [
      ...renderReading([table], draft, catalogue),
      `create view ${printTable(name)} with (security_invoker = true) as select ${viewKey}, * from ${own};`,
    ];
  }
  const isRecorded = table.triggers.some(
    (trigger) => trigger.function === "concierge_journal_row" && trigger.argument === key.column,
  );
  if (isRecorded && isProtected(table)) return [];
  const argument = key.column === "id" ? "" : `, ${literal(key.column)}`;
  return [
    ...letOthers(table),
    `select concierge_${isShared ? "share" : "protect"}(${literal(own)}${argument});`,
  ];
}

function renderView(draft: Draft, catalogue: Catalogue): readonly string[] {
  const beneath = listBeneath(catalogue, draft.table);
  const views = [draft.table, ...beneath].filter(
    ({ kind, securityInvoker }) => kind === "view" && !securityInvoker,
  );
  return [
    ...views
      .filter(({ logins }) => logins.length > 0)
      .map((view) => adviseReaders(view, listBeneath(catalogue, view))),
    ...views.map(
      (view) => `alter view ${printTable(joinName(view))} set (security_invoker = true);`,
    ),
    // Described tables are protected by themselves.
    ...renderReading(
      beneath.filter(({ isBeneath }) => isBeneath),
      draft,
      catalogue,
    ),
  ];
}

/** The rights to read what a view reads, and the policies by which it shows each person their rows. */
function renderReading(
  tables: readonly CatalogueTable[],
  { isShared }: Draft,
  { schema }: Catalogue,
): readonly string[] {
  const open = tables.filter(
    (table) => table.kind === "table" && (table.rowSecurity || !isShared) && !isProtected(table),
  );
  const foreign = tables.filter((table) => table.schema !== schema);
  const schemas = new Set(foreign.map((table) => printIdentifier(table.schema)));
  return [
    ...open.flatMap(secureRows),
    ...[...schemas].map(
      (name) => `grant usage on schema ${name} to concierge_app, concierge_admin;`,
    ),
    ...foreign.map(
      (table) =>
        `grant select on ${printTable(joinName(table))} to concierge_app, concierge_admin;`,
    ),
  ];
}

function secureRows(table: CatalogueTable): readonly string[] {
  const name = literal(printTable(joinName(table)));
  return [
    ...letOthers(table),
    `select concierge_${hasOwner(table) ? "own" : "share"}_rows(${name});`,
  ];
}

/** Returns true where the program reads a table through policies, and of persons' rows no others. */
function isProtected(table: CatalogueTable): boolean {
  const isOwn = !hasOwner(table) || readsOwnRows(table);
  return table.rowSecurity && hasReadingPolicy(table) && isOwn;
}

/** A policy for those from which row-level security would take rows. */
function letOthers(table: CatalogueTable): readonly string[] {
  const { rowSecurity, forced, owner, logins } = table;
  const others = rowSecurity ? logins.filter((login) => login === owner) : logins;
  return forced || others.length === 0
    ? []
    : [
        `create policy concierge_others on ${printTable(joinName(table))} to ${others.join(", ")} using (true) with check (true);`,
      ];
}

/** A view that reads with its reader's rights: whether its logins may see its tables whole is for the owner to say. */
function adviseReaders(view: CatalogueTable, beneath: readonly CatalogueTable[]): string {
  const who = view.logins.join(", ");
  const policy = printIdentifier(`concierge_${view.name}_readers`);
  return [
    `-- These logins then need "select" on the tables that ${printTable(joinName(view))} reads, and a policy on them: ${who}`,
    ...beneath.flatMap((base) => {
      const name = printTable(joinName(base));
      return [
        `--   grant select on ${name} to ${who};`,
        ...(base.kind === "table"
          ? [`--   create policy ${policy} on ${name} for select to ${who} using (true);`]
          : []),
      ];
    }),
  ].join("\n");
}
