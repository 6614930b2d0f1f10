/** Adds a parameter and returns its placeholder (`$1`), typed where a type is given. */
export type Bind = (value: unknown, type?: string) => string;

/** Collects the parameters of one statement while its text is built. */
export function createBinder(): { readonly bind: Bind; readonly values: unknown[] } {
  const values: unknown[] = [];
  return {
    values,
    bind: (value, type) => {
      values.push(value);
      return type === undefined ? `$${values.length}` : `$${values.length}::${type}`;
    },
  };
}

/** A table from an entity type, with its schema where it names one, quoted for SQL. */
export function tableName(table: string): string {
  return table.split(".").map(identifier).join(".");
}

/** Returns true for the name of a table as entity types write it, with or without its schema. */
export function isTableName(text: string): boolean {
  return /^[^."]+(\.[^."]+)?$/u.test(text);
}

/** A column name from an entity type, quoted for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table from an entity type as a person writes it in SQL: quoted only where it has to be. */
export function printTable(table: string): string {
  return table.split(".").map(printIdentifier).join(".");
}

/** A name as a person writes it in SQL. */
export function printIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : identifier(name);
}

/** The words of SQL that are no names of tables and columns without quotes. */
const RESERVED: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
  collation column concurrently constraint create cross current_catalog current_date current_role
  current_schema current_time current_timestamp current_user default deferrable desc distinct do else end
  except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into
  is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on
  only or order outer overlaps placing primary references returning right select session_user similar some
  symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when
  where window with`.split(/\s+/),
);

/** A name from an entity type as a text literal in SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A pattern for `ilike` that finds the text as it stands. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
