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

/** A column name from an entity type, quoted for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name from an entity type as a text literal in SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A pattern for `ilike` that finds the text as it stands. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
