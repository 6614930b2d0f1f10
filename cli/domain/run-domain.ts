import { Client } from "pg";
import { loadConfig } from "../../app/config.ts";
import { printIgnored } from "../../app/print-ignored.ts";
import { UsageError } from "../../app/usage-error.ts";
import { describeTables } from "../../domain/describe-tables.ts";
import { readCatalogue } from "../../domain/verify/catalogue.ts";
import { asDatabaseError } from "../../storage/postgres/database-error.ts";

/**
 * Prints entity types for tables and returns the exit code. Migrates nothing: the database may not
 * be the program's yet.
 *
 * @throws UsageError without a database or a table; Error in a sentence for one that is not there.
 */
export async function runDomain(tables: readonly string[]): Promise<number> {
  const config = loadConfig("domain");
  printIgnored(config);
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    throw new UsageError(
      "Cannot describe tables without a database: set DATABASE_URL to the one that has them",
    );
  }
  if (tables.length === 0) {
    throw new UsageError("Cannot describe nothing: name tables, as in shop.orders shop.items");
  }
  const client = new Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  try {
    await client.connect();
    process.stdout.write(describeTables(await readCatalogue(client, tables), tables));
    return 0;
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
