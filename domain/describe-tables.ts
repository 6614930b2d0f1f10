import { nearest } from "../text/nearest.ts";
import { identifier, literal, printIdentifier, printTable } from "./table-tools/sql.ts";
import {
  findCatalogueTable,
  qualifyName,
  type Catalogue,
  type CatalogueColumn,
  type CatalogueTable,
} from "./verify/catalogue.ts";
import { findKeyKind, findKind } from "./verify/column-kinds.ts";
import { listAllowedValues } from "./verify/listed-values.ts";

/** The schema of the program's own tables, which names may leave out. */
const OWN_SCHEMA = "concierge";
/** Columns of the program, which no model needs. */
const PROGRAM_COLUMNS: ReadonlySet<string> = new Set(["user_id", "row_version", "updated_at"]);
/** Words of the names of columns that hold a secret, in English and German: single ones, and two in a row. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd passphrase passcode kennwort pwd secret geheimnis credential token apikey
  salt otp totp mfa pin ssn iban cvv cvc creditcard kreditkarte`.split(/\s+/),
);
const SECRET_PAIRS: ReadonlySet<string> = new Set([
  "api key",
  "private key",
  "access key",
  "encryption key",
  "credit card",
  "card number",
  "security code",
  "social security",
  "bank account",
]);
/** Columns of a read at summary detail. */
const SUMMARY = 4;
/** Most columns of the facts, by which questions and receipts tell new rows apart, and kinds of short values. */
const FACTS = 3;
const SHORT = new Set(["text", "integer", "number", "date", "choice"]);

/** A table on its way to an entity type. */
interface Draft {
  readonly table: CatalogueTable;
  readonly type: string;
  /** The name in the description: of the table, or of the view that gives it a key. */
  readonly name: string;
  readonly key: { readonly column: string; readonly kind: string };
  /** Set where no column is a key by itself: the SQL of the view's key. */
  readonly viewKey: string | null;
  readonly isShared: boolean;
}

/**
 * Describes tables and views as entity types that may only be read: TypeScript, with the migration
 * that protects or shares the tables as a comment at its end. Pure.
 *
 * @throws RangeError for a name that the database does not have, for a table whose rows no key tells apart,
 *   and for one whose `user_id` is no text: its rows belong to persons, and would be shown to everybody.
 */
export function describeTables(catalogue: Catalogue, names: readonly string[]): string {
  const tables = [...new Set(names.map((name) => findTable(catalogue, name)))];
  const drafts = tables.map((table) => draftType(table, tables));
  const constants = drafts.map(({ type }) => type.toUpperCase());
  return `import type { EntityType } from "concierge-graph/domain";

${drafts.map((draft) => renderType(draft, drafts)).join("\n\n")}

export const ENTITY_TYPES: readonly EntityType[] = [${constants.join(", ")}];

/* migrations/0001_existing_tables.sql

${renderMigration(drafts)}
*/
`;
}

function findTable(catalogue: Catalogue, name: string): CatalogueTable {
  const table = findCatalogueTable(catalogue, name);
  if (table?.columns.length === 0) throw new RangeError(`Cannot describe "${name}": no columns`);
  if (table === undefined) {
    const near = nearest(
      qualifyName(catalogue, name),
      catalogue.names.map((one) => qualifyName(catalogue, one)),
    );
    const advice =
      near === null ? 'write it with its schema, as in "shop.orders"' : `did you mean "${near}"?`;
    throw new RangeError(
      `Cannot describe "${name}": there is no table or view of that name; ${advice}`,
    );
  }
  return table;
}

function draftType(table: CatalogueTable, tables: readonly CatalogueTable[]): Draft {
  const own = table.schema === OWN_SCHEMA ? table.name : `${table.schema}.${table.name}`;
  const owner = table.columns.find(({ name }) => name === "user_id");
  if (owner && owner.type !== "text") {
    throw new RangeError(
      `Cannot describe "${own}": its column "user_id" has the type ${owner.type}, and only a text gives each row to its person; ${adviseOwner(table, own)}`,
    );
  }
  const isUnique = tables.filter((one) => wordType(one.name) === wordType(table.name)).length === 1;
  const base = {
    table,
    type: wordType(isUnique ? table.name : `${table.schema}_${table.name}`),
    isShared: owner === undefined,
  };
  const key = table.columns.find((column) => isKey(table, column));
  const kind = key && findKeyKind(key);
  if (key && kind) return { ...base, name: own, key: { column: key.name, kind }, viewKey: null };
  const column = table.columns.some((one) => one.name === "id") ? "row_key" : "id";
  if (table.primaryKey.length === 0) {
    throw new RangeError(
      `Cannot describe "${table.name}": it has no key that tells its rows apart; ${table.kind === "table" ? `write "alter table ${printTable(own)} add row_id uuid primary key default gen_random_uuid()"` : "give the view a key column, as text"}`,
    );
  }
  return {
    ...base,
    name: `${table.schema}_${table.name}`,
    key: { column, kind: "text" },
    viewKey: `jsonb_build_array(${table.primaryKey.map(identifier).join(", ")})::text as ${column}`,
  };
}

/** A type is not changed beneath a foreign key or a view: then a view casts it. */
function adviseOwner({ kind }: CatalogueTable, own: string): string {
  const cast = 'a view with "user_id::text as user_id" (docs/own-domain.md, "Existing tables")';
  return kind === "table"
    ? `write "alter table ${printTable(own)} alter column user_id type text using user_id::text", or, where a foreign key or a view needs the type, describe ${cast}`
    : `describe ${cast}`;
}

/** A view's columns have no constraints: its key is "id", or its first column. */
function isKey(
  { kind, columns, primaryKey, unique }: CatalogueTable,
  column: CatalogueColumn,
): boolean {
  if (findKeyKind(column) === null) return false;
  if (kind !== "table") return column.name === "id" || columns.every(({ name }) => name !== "id");
  if (primaryKey.length === 1) return column.name === primaryKey[0];
  return column.required && unique.includes(column.name);
}

function wordType(name: string): string {
  const word = name.toLowerCase().replace(/[^a-z]+/g, "_");
  return singular(word.replace(/^_+|_+$/g, ""));
}

/** Words whose singular is their plural. */
const INVARIABLE = /(series|species|news)$/;

function singular(word: string): string {
  if (INVARIABLE.test(word) || /[isu]s$/.test(word)) return word;
  if (word.endsWith("ies")) return word.replace(/ies$/, "y");
  if (/(ss|x|ch|sh|[^ao]us)es$/.test(word)) return word.replace(/es$/, "");
  return word.replace(/s$/, "");
}

function plural(word: string): string {
  if (INVARIABLE.test(word) || singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, "ies");
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function renderType(draft: Draft, drafts: readonly Draft[]): string {
  const { table, type, name, key, isShared } = draft;
  const columns = table.columns.flatMap((column) => renderColumn(column, draft, drafts));
  const shown = columns.flatMap((column) => (column.kind === null ? [] : [column]));
  const first = shown.filter(({ kind }) => kind !== "json").slice(0, SUMMARY);
  const label =
    shown.find(({ kind, line }) => kind === "text" && !line.includes("references")) ?? shown[0];
  // A list reads the summary, and names its rows by their labels.
  const summary =
    label === undefined || first.includes(label) ? first : [label, ...first].slice(0, SUMMARY);
  const facts = shown
    .filter((column) => column !== label && column.name !== key.column)
    .filter(({ kind, line }) => SHORT.has(kind ?? "") && !line.includes("references"))
    .slice(0, FACTS)
    .map((column) => `"${column.name}"`)
    .join(", ");
  const order = shown.some((column) => column.name === "created_at") ? "created_at" : key.column;
  // Columns of these names may be the table's own: only the trigger says that they are the program's.
  const counts =
    table.triggers.some((trigger) => trigger.function === "concierge_touch_row") &&
    draft.viewKey === null;
  return [
    `export const ${type.toUpperCase()}: EntityType = {`,
    `  type: "${type}",`,
    `  table: "${name}",`,
    `  words: { one: "${type.replaceAll("_", " ")}", many: "${plural(table.name.replaceAll("_", " "))}" },`,
    ...(isShared
      ? [
          "  // Everybody sees every row; rows of persons need a column user_id.",
          '  ownership: "shared",',
        ]
      : []),
    ...(key.column === "id" && key.kind === "uuid"
      ? []
      : [`  key: { column: "${key.column}", kind: "${key.kind}" },`]),
    ...(counts ? [] : ['  version: "content",']),
    "  columns: [",
    ...columns.map(({ line }) => `    ${line}`),
    "  ],",
    `  summary: [${summary.map((column) => `"${column.name}"`).join(", ")}],`,
    `  orderBy: ["${order}"],`,
    `  label: (values) => String(values["${label?.name ?? key.column}"] ?? "${type}"),`,
    ...(facts === ""
      ? []
      : [`  facts: (values) => [${facts}].flatMap((name) => values[name] ?? []).join(", "),`]),
    "};",
  ].join("\n");
}

/** A line of the description; the kind is null for a comment in place of a column. */
interface ColumnLine {
  readonly name: string;
  readonly kind: string | null;
  readonly line: string;
}

function renderColumn(
  column: CatalogueColumn,
  draft: Draft,
  drafts: readonly Draft[],
): ColumnLine[] {
  const { name } = column;
  const isId = name === draft.key.column && draft.key.kind === "uuid";
  if (isId || PROGRAM_COLUMNS.has(name)) return [];
  const target = findTarget(column, draft, drafts);
  const values = listAllowedValues(column, draft.table);
  const kind =
    values.length > 0 ? "choice" : (findKind(column) ?? (target === null ? null : "text"));
  if (kind === null) {
    return [leaveOut(name, `has the type ${column.type}: cast it in a view to show it`)];
  }
  if (isSecret(name)) {
    return [leaveOut(name, "looks like a secret: describe it if models and people may read it")];
  }
  const isRequired = column.required && draft.viewKey === null;
  const parts = [
    `name: "${name}"`,
    `kind: "${kind}"`,
    ...(isRequired ? ["nullable: false"] : []),
    ...(isRequired && column.filled ? ["hasDefault: true"] : []),
    ...(values.length > 0
      ? [`values: [${values.map((value) => JSON.stringify(value)).join(", ")}]`]
      : []),
    ...(target === null ? [] : [`references: "${target}"`]),
  ];
  return [{ name, kind, line: `{ ${parts.join(", ")} },` }];
}

function leaveOut(name: string, reason: string): ColumnLine {
  return { name, kind: null, line: `// "${name}" ${reason}.` };
}

/** Compares whole words of a name: "pin" is one, "shopping" has none. */
function isSecret(name: string): boolean {
  const words = name
    .replace(/(?<=[a-z])(?=[A-Z])/gu, "_")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => word.replace(/s$/u, ""));
  return (
    words.some((word) => SECRET_WORDS.has(word)) ||
    words.some((word, index) => SECRET_PAIRS.has(`${word} ${words[index + 1] ?? ""}`)) ||
    words.indexOf("hash") > 0
  );
}

/** The described type that a column points at by a foreign key; null where there is none. */
function findTarget(
  column: CatalogueColumn,
  { table }: Draft,
  drafts: readonly Draft[],
): string | null {
  const reference = table.references.find(({ columns }) => {
    const own = columns.filter((name) => name !== "user_id");
    return own.length === 1 && own[0] === column.name;
  });
  const target = drafts.find(
    (one) =>
      one.table.schema === reference?.schema &&
      one.table.name === reference.table &&
      one.viewKey === null,
  );
  return target?.type ?? null;
}

function renderMigration(drafts: readonly Draft[]): string {
  const note = `-- To be run by the owner of the tables. Row-level security then holds for every login but
-- superusers. The policies "concierge_others" let the owners, and those who have rights on a table, go
-- on as before. A login without one sees no rows, without an error.`;
  return [note, ...drafts.flatMap(renderStatements)].join("\n");
}

/** A view that reads with its reader's rights: whether its logins may see its tables whole is for the owner to say. */
function adviseReaders({ schema, name, reads, logins }: CatalogueTable): string {
  const who = logins.join(", ");
  const policy = printIdentifier(`concierge_${name}_readers`);
  return [
    `-- These logins then need "select" on the tables that ${printTable(`${schema}.${name}`)} reads, and a policy on them: ${who}`,
    ...reads
      .map(printTable)
      .flatMap((base) => [
        `--   grant select on ${base} to ${who};`,
        `--   create policy ${policy} on ${base} for select to ${who} using (true);`,
      ]),
  ].join("\n");
}

/** The logins from which row-level security, or a view's reading with their rights, would take rows. */
function listOthers({ rowSecurity, forced, owner, logins }: CatalogueTable): readonly string[] {
  if (forced) return [];
  return rowSecurity ? logins.filter((login) => login === owner) : logins;
}

function renderStatements({ table, name, key, viewKey, isShared }: Draft): string[] {
  const own = printTable(`${table.schema}.${table.name}`);
  const logins = listOthers(table).join(", ");
  if (table.kind !== "table") {
    if (table.kind !== "view" || table.securityInvoker) return [];
    return [
      ...(logins === "" ? [] : [adviseReaders(table)]),
      `alter view ${own} set (security_invoker = true);`,
    ];
  }
  const others =
    logins === ""
      ? []
      : [`create policy concierge_others on ${own} to ${logins} using (true) with check (true);`];
  if (viewKey !== null) {
    return [
      ...(isShared || table.rowSecurity
        ? []
        : [...others, `select concierge_own_rows(${literal(own)});`]),
      `grant usage on schema ${printIdentifier(table.schema)} to concierge_app, concierge_admin;`,
      `grant select on ${own} to concierge_app, concierge_admin;`,
      `create view ${printTable(name)} with (security_invoker = true) as select ${viewKey}, * from ${own};`,
    ];
  }
  if (table.triggers.some((trigger) => trigger.function === "concierge_journal_row")) return [];
  const argument = key.column === "id" ? "" : `, ${literal(key.column)}`;
  return [
    ...others,
    `select concierge_${isShared ? "share" : "protect"}(${literal(own)}${argument});`,
  ];
}
