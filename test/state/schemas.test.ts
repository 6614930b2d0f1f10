import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { renderLimitsPage, renderSchemas } from "../../schemas/generate.ts";

const FOLDER = `${import.meta.dirname}/../../schemas`;

test("the generated JSON Schemas are up to date (npm run schemas makes them anew)", async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".json"));
  const stored = await Promise.all(
    names.map(async (name) => [name, await readFile(`${FOLDER}/${name}`, "utf8")] as const),
  );

  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(renderSchemas()));
});

test("the page of limits is up to date (npm run schemas makes it anew)", async () => {
  expect(await readFile(`${FOLDER}/../docs/limits.md`, "utf8")).toBe(renderLimitsPage());
});
