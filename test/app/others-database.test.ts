import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { databaseUrl, runSql } from "../support/database-url.ts";
import { runCli } from "../support/run-cli.ts";

const server = inject("databaseServer");
const name = `concierge_others_${randomBytes(6).toString("hex")}`;
await runSql(server.url, `create database ${name} encoding 'UTF8' template template0`);
afterAll(() => runSql(server.url, `drop database ${name} with (force)`));
const url = databaseUrl(server.url, name);

async function hasTable(table: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ found: boolean }>(
      "select to_regclass('concierge.' || $1) is not null as found",
      [table],
    );
    return found.rows[0]?.found;
  } finally {
    await client.end();
  }
}

test(
  "keys and user-data make no kitchen in the database of a program with another domain",
  { timeout: 60_000 },
  async () => {
    const env = { DATABASE_URL: url };

    const made = await runCli({ command: "keys", args: ["create", "--user", "ann"], env });
    const erased = await runCli({ command: "user-data", args: ["erase", "--user", "ann"], env });

    expect([made.exitCode, erased.exitCode]).toEqual([0, 0]);
    expect([await hasTable("api_keys"), await hasTable("recipes")]).toEqual([true, false]);
  },
);
