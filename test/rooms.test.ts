import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const ROOT = new URL("..", import.meta.url);
const PURE = [
  "state",
  "text",
  "registry",
  "claim-analysis",
  "control-blocks",
  "output-filter",
  "summaries",
  "prompts",
];

const LintSchema = z.object({
  overrides: z.array(
    z.object({ files: z.array(z.string()), rules: z.record(z.string(), z.unknown()) }),
  ),
});
const RestrictionSchema = z.tuple([
  z.literal("error"),
  z.object({ patterns: z.array(z.object({ regex: z.string() })) }),
]);

const page = readFileSync(new URL("CONTRIBUTING.md", ROOT), "utf8");

/** Reads the table of folders in CONTRIBUTING.md: a folder → what its third column allows. */
function readContributingTable(): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `([a-z-]+)\/` \| .* \| ([^|]+) \|$/gmu);
  return new Map([...rows].map(([, folder = "", allowed = ""]) => [folder, allowed]));
}

/** Lists the folders that the linter forbids to a folder; null where it has no rule for it. */
function readForbiddenFolders(folder: string): readonly string[] | null {
  const config: unknown = JSON.parse(readFileSync(new URL(".oxlintrc.json", ROOT), "utf8"));
  const rules = LintSchema.parse(config).overrides.find(({ files }) =>
    files.includes(`${folder}/**`),
  )?.rules["no-restricted-imports"];
  if (rules === undefined) return null;
  const [, { patterns }] = RestrictionSchema.parse(rules);
  const list = patterns
    .map(({ regex }) => /^\^\(\\\.\\\.\/\)\+\((.+)\)\/$/u.exec(regex)?.[1])
    .find((names) => names !== undefined);
  return list?.split("|") ?? [];
}

/** Spells out the third column: names in backticks, "the pure folders", "everything above but …". */
function listAllowedFolders(allowed: string, above: readonly string[]): readonly string[] {
  const named = [...allowed.matchAll(/`([a-z-]+)`/gu)].map(([, name = ""]) => name);
  if (allowed.startsWith("everything above")) return above.filter((name) => !named.includes(name));
  if (allowed.startsWith("the pure folders")) return [...PURE, ...named];
  return named;
}

const table = readContributingTable();
const folders = [...table.keys()];
const governed = folders.filter((folder) => !["dev", "examples", "test"].includes(folder));

test.each(governed)("the linter allows %s/ what CONTRIBUTING.md allows it", (folder) => {
  const above = folders.slice(0, folders.indexOf(folder));
  const allowed = listAllowedFolders(table.get(folder) ?? "", above);

  const forbidden = readForbiddenFolders(folder);

  const expected = folders.filter((name) => name !== folder && !allowed.includes(name));
  expect(forbidden?.toSorted()).toEqual(expected.toSorted());
});

/** Lists the paths in backticks that a line names and that are not there. A short path may continue another one of its line. */
function listMissingPaths(line: string): readonly string[] {
  const paths = [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w.-]+\.(?:ts|yaml|json))`/gu)].map(
    ([, path = ""]) => path,
  );
  const folders = ["", ...paths.map((path) => (path.endsWith("/") ? path : posix.dirname(path)))];
  return paths.filter(
    (path) => !folders.some((folder) => existsSync(new URL(posix.join(folder, path), ROOT))),
  );
}

test("CONTRIBUTING.md names files and folders that exist", () => {
  expect(page.split("\n").flatMap(listMissingPaths)).toEqual([]);
});
