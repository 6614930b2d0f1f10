import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { createBenchServer } from "../../../dev/bench/server.ts";

const { url } = inject("databaseServer");

async function query(address: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function isThere(address: string): Promise<boolean> {
  const name = new URL(address).pathname.slice(1);
  const rows = await query(url, `select from pg_database where datname = '${name}'`);
  return rows.length === 1;
}

test("createBenchServer() opens migrated databases of its own, and leaves none behind", async () => {
  const server = createBenchServer(url);
  expect(server.version()).toBeNull();
  const [first, second] = await Promise.all([server.openDatabase(), server.openDatabase()]);
  expect(server.version()).toMatch(/^\d+/);
  expect(first.url).not.toBe(second.url);
  expect(await query(first.url, "select count(*)::int as n from concierge.recipes")).toEqual([
    { n: 0 },
  ]);

  await first.close();
  expect([await isThere(first.url), await isThere(second.url)]).toEqual([false, true]);
  await server.close();
  expect(await isThere(second.url)).toBe(false);
});

test("createBenchServer() that was asked for nothing has nothing to close", async () => {
  await expect(createBenchServer(null).close()).resolves.toBeUndefined();
});
