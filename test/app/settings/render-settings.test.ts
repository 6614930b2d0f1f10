import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { renderEnvExample, renderSettingsPage } from "../../../app/settings/render-settings.ts";
import { readSettings } from "../../../app/settings/read-settings.ts";
import { COMMAND_NAMES } from "../../../app/settings/setting.ts";
import { listSettings, SETTINGS } from "../../../app/settings/settings.ts";
import { renderSettingsHelp } from "../../../cli/settings-help.ts";

function readRootFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

const listed = SETTINGS.map(({ name }) => name);

test("renderEnvExample() renders .env.example (npm run schemas writes it)", () => {
  expect(readRootFile(".env.example")).toBe(renderEnvExample());
});

test("renderEnvExample() names every setting that has an effect, and sets none", () => {
  const values = parseEnv(renderEnvExample());

  expect(Object.keys(values).toSorted()).toEqual(listed.toSorted());
  expect(readSettings("library", [{ kind: "environment", values }])).toEqual(
    readSettings("library", []),
  );
});

test("renderEnvExample() shows values that can be used", () => {
  const examples = SETTINGS.filter(({ example }) => example !== null);

  expect(
    examples.filter(({ schema, example }) => !schema.safeParse(example ?? undefined).success),
  ).toEqual([]);
});

test("renderSettingsPage() renders docs/settings.md (npm run schemas writes it)", () => {
  expect(readRootFile("docs/settings.md")).toBe(renderSettingsPage());
});

test("renderSettingsPage() has a row for every setting that has an effect", () => {
  const rows = renderSettingsPage().matchAll(/^\| `([A-Z_0-9]+)` \| .+ \| .+ \|$/gm);

  expect([...rows].map(([, name]) => name)).toEqual(listed);
});

test.each(COMMAND_NAMES)("renderSettingsHelp() lists the settings of %s", (command) => {
  const help = renderSettingsHelp(command);

  const named = [...help.matchAll(/^ {2}([A-Z][A-Z_0-9]+) {2}/gm)].map(([, name]) => name);
  expect(named).toEqual(listSettings(command).map(({ name }) => name));
  expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("renderSettingsHelp() names what a command uses, with its default", () => {
  expect(renderSettingsHelp("domain"))
    .toBe(`Settings, from the environment, else from the file .env (docs/settings.md has more about them):

  DATABASE_URL  An outside PostgreSQL, 15 or newer. Default: the program runs an embedded one
`);
});
