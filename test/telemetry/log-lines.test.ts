import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
/** Folders of the code that servers and workers run. */
const SOURCES = ["app/open-*.ts", "cli/serve/*.ts", "{server,worker,storage}/**/*.ts"];

/** A call of the log with a line of its own, up to what is put into it. */
const LINES = /\b(?:log|logger)\??\.(?:warn|error|info)\([^"'`;]*?["`](?<line>[^"`$]+)/gu;

test("docs/operating.md has every line that a server or worker logs", async () => {
  const page = await readFile(new URL("docs/operating.md", ROOT), "utf8");
  const documented = page.match(/^\| `[^|]+ \|/gmu)?.join("\n") ?? "";

  const files = globSync(SOURCES, { cwd: ROOT });
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, ROOT), "utf8")));
  const lines = texts.flatMap((text) =>
    [...text.matchAll(LINES)].map(({ groups }) => groups?.["line"] ?? ""),
  );

  // Else the pattern has lost them.
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter((line) => !documented.includes(line.trim().replace(/:$/u, "")))).toEqual([]);
});
