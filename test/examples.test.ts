import { glob, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import * as library from "../index.ts";
import * as concierge from "../packaging/concierge.ts";
import * as domain from "../packaging/domain.ts";
import { testDatabase } from "./support/database.ts";
import { politeModels } from "./support/test-thread.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = "{*,!(node_modules|dist|test|dev)/**/*}.ts";

/** Names that examples may use beside those of the library and of their own file. */
const database = await testDatabase();
const fixtures = {
  database,
  models: politeModels(),
  url: database.url,
  dataDir: "",
  z,
};

interface Example {
  readonly file: string;
  readonly name: string;
  readonly code: string;
}

async function findExamples(): Promise<readonly Example[]> {
  const found: Example[] = [];
  for await (const file of glob(SOURCES, { cwd: ROOT })) {
    const source = await readFile(join(ROOT, file), "utf8");
    const docs = source.matchAll(
      / \* @example\n((?: \*.*\n)+?) \*\/\nexport (?:async )?(?:function|const) (\w+)/gu,
    );
    for (const [, block = "", name = ""] of docs) {
      found.push({ file, name, code: block.replace(/^ \* ?/gmu, "") });
    }
  }
  return found.toSorted((one, other) => one.file.localeCompare(other.file));
}

const examples = await findExamples();

test("the names that are used most have examples", () => {
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["createConciergeGraph", "createTurnDriver", "openDatabase"]),
  );
});

test.each(examples)("the example of $name says what happens", async ({ file, code }) => {
  const own: Readonly<Record<string, unknown>> = await import(join(ROOT, file));
  const names = { ...library, ...domain, ...concierge, ...own, ...fixtures };

  const pairs = await run(stripTypeScriptTypes(expectationsIn(code)), names);

  expect(pairs.length).toBeGreaterThan(0);
  for (const [actual, expected] of pairs) expect(actual).toEqual(expected);
});

/** Each line `expression; // value` becomes a pair of what is and what should be. */
function expectationsIn(code: string): string {
  return code.replace(/^(.+); \/\/ (.+)$/gmu, "pairs.push([$1, ($2)]);");
}

type Pair = readonly [actual: unknown, expected: unknown];

async function run(code: string, names: Readonly<Record<string, unknown>>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const body = `return (async () => { ${code} })();`;
  // eslint-disable-next-line typescript/no-implied-eval -- the examples are the project's own.
  await new Function("pairs", ...Object.keys(names), body)(pairs, ...Object.values(names));
  return pairs;
}
