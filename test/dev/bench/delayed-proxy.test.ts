import { Client } from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";

const database = await testDatabase();

test("a proxy that delays passes on everything, in its order", async () => {
  const proxy = await openDatabaseProxy(database.url, { delayMs: 2 });
  const client = new Client({ connectionString: proxy.url });
  await client.connect();
  // Long enough to come in many pieces.
  for (const size of [1, 20_000, 200_000]) {
    const text = Array.from({ length: size }, (_, at) => at).join(" ");
    const { rows } = await client.query<{ text: string }>("select $1::text as text", [text]);
    expect(rows).toEqual([{ text }]);
  }
  await client.end();
  await proxy.close();
});
