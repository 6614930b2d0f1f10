import { domainFolder } from "../../domain/list-grants.ts";
import { mealsDomain } from "../../meals/index.ts";
import { Client } from "pg";
import type { EmbeddedConnection } from "../../storage/embedded/embedded.ts";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

/** An embedded server's address as a URL, for `DATABASE_URL`. */
export function embeddedUrl({ host, port, user, database }: EmbeddedConnection): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Returns the migrations of the domains that the program ships. */
export function projectMigrations(): readonly MigrationFolder[] {
  return [domainFolder(mealsDomain)];
}

/** Runs one statement on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
