import { escapeIdentifier } from "pg";
import { z } from "zod";

const text = z.string().optional().catch(undefined);
const ErrorSchema = z.object({
  message: z.string(),
  code: text,
  position: text,
  internalPosition: text,
  internalQuery: text,
  detail: text,
  hint: text,
  schema: text,
  table: text,
  column: text,
});

/**
 * Describes why a file failed: the message with its line, what the server adds, and the remedy where
 * it is known.
 *
 * @param sql the statements that failed.
 */
export function describeMigrationError(error: unknown, sql: string): string {
  const known = ErrorSchema.safeParse(error).data;
  if (known === undefined) return String(error);
  const { message, code = "", detail, hint, column } = known;
  // The position in a function's own statement is none in the file.
  const isOwn = known.internalQuery?.startsWith(sql) === true;
  const position = isOwn ? known.internalPosition : known.position;
  const earlier = /^Not run migration (\S+) is preceding already run migration (\S+)/u.exec(
    message,
  );
  if (earlier !== null) {
    return `${earlier[1]}.sql is new and its name comes before that of ${earlier[2]}.sql, which has run; give it a later one`;
  }
  const notes = [
    // The detail of a broken constraint has the values of its row.
    ...(code.startsWith("23") ? [] : [detail]),
    hint,
    code === "25001" ? "All files run in one transaction: write what can run in one" : undefined,
    code === "42601" && /^\s*\\/mu.test(sql)
      ? "Write SQL alone, without the commands of psql"
      : undefined,
    code === "23502" && column === "user_id" ? adviseUser(known) : undefined,
  ].flatMap((note) => note?.replace(/\.$/u, "") ?? []);
  return [`${message}${findLine(sql, position)}`, ...notes].join(". ");
}

/** The remedy for rows of nobody: only a new one comes with its values. */
function adviseUser({ detail, schema, table }: z.infer<typeof ErrorSchema>): string {
  if (detail !== undefined) {
    return "A file has no person: name user_id, or give a person rows in the domain's demo";
  }
  const name = `${escapeIdentifier(schema ?? "")}.${escapeIdentifier(table ?? "")}`;
  return `Rows that are there already need a person first: update ${name} set user_id = … where user_id is null`;
}

/** The line of a position among statements; empty where they are a part of their file. */
function findLine(sql: string, position: string | undefined): string {
  if (position === undefined || /^\s*--[\s-]*up\s+migration/imu.test(sql)) return "";
  return ` (line ${sql.slice(0, Number(position)).split("\n").length})`;
}
