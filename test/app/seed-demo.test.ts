import { testEffect } from "../support/effect.ts";
import { expect, test } from "vitest";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import { seedDemo } from "../../app/seed-demo.ts";
import { mealsDomain } from "../../meals/index.ts";
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
