import { testEffect } from "../support/effect.ts";
import { expect, test } from "vitest";
import { DomainError } from "../../domain/domain-error.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import { seedDemo } from "../../app/seed-demo.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Queryable } from "../../state/store.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { userData, owner } = database;

function seed(reset: boolean): Promise<void> {
  return seedDemo(userData, { domain: mealsDomain, today: "2026-01-12", reset });
}

async function recipes(userId: string): Promise<number> {
  const { rowCount } = await owner.query("select from recipes where user_id = $1", [userId]);
  return rowCount ?? 0;
}

test("demo users get their data once, whoever comes first; a reset makes it anew", async () => {
  await Promise.all([seed(false), seed(false), seed(true)]);
  const kitchens = [await recipes("demo"), await recipes("neighbour")];
  expect(kitchens.every((count) => count > 0)).toBe(true);

  await userData.write("demo", testEffect("eat"), async (tx) => {
    await tx.query("delete from recipes");
    return null;
  });
  await seed(false);
  expect([await recipes("demo"), await recipes("neighbour")]).toEqual([0, kitchens[1]]);

  await seed(true);
  await seed(true);
  expect([await recipes("demo"), await recipes("neighbour")]).toEqual(kitchens);
});

test("seedDemo() does nothing for a domain without demo data", async () => {
  const demo = { domain: NO_DOMAIN, today: "2026-01-12", reset: true };
  await expect(seedDemo(userData, demo)).resolves.toBeUndefined();
});

test.each([
  [
    "ann",
    "insert into recipes (nam) values ('Soup')",
    'column "nam" of relation "recipes" does not exist',
  ],
  [
    "ann",
    "insert into recipes (user_id, name) values ('bob', 'Soup')",
    'new row violates row-level security policy for table "recipes"',
  ],
  ["", "select 1", 'Cannot act for the user "": name one'],
])("seedDemo() says for the user %j whose seed is wrong: %s", async (userId, sql, message) => {
  const seed = async (tx: Queryable) => void (await tx.query(sql));
  const demo = {
    domain: { ...NO_DOMAIN, demo: [{ userId, seed }] },
    today: "2026-01-12",
    reset: true,
  };
  await expect(seedDemo(userData, demo)).rejects.toThrow(
    new DomainError(NO_DOMAIN.name, [
      `The demo data of user "${userId}" failed: ${message}; correct its seed, which need not set user_id`,
    ]),
  );
});

test("seedDemo() leaves a database that is gone as it is", async () => {
  const gone = new DatabaseUnavailableError("Cannot reach it");
  const seed = async () => Promise.reject(gone);
  const demo = {
    domain: { ...NO_DOMAIN, demo: [{ userId: "ann", seed }] },
    today: "",
    reset: true,
  };
  await expect(seedDemo(userData, demo)).rejects.toBe(gone);
});
