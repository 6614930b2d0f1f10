import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The part of the project's language that a rule can hold.

const ROOT = join(import.meta.dirname, "..");

interface Source {
  readonly file: string;
  readonly text: string;
}

const all: readonly Source[] = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
const isTest = ({ file }: Source): boolean => file.startsWith("test/");
const program = all.filter((source) => !isTest(source));
const tests = all.filter(isTest);

/** Returns every match of a pattern, as `file: match`. */
function findAll(pattern: RegExp, sources = all): readonly string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, match = ""]) => `${file}: ${match}`),
  );
}

test("functions are named by a verb and its object, never by an …Of", () => {
  expect(findAll(/\bfunction (\w+Of)\b/gu)).toEqual([]);
  expect(findAll(/\bconst (\w+Of) = (?:async )?\(/gu)).toEqual([]);
});

test("doc comments say what the caller gets, and open with no question word", () => {
  expect(findAll(/\/\*\*\s*\*?\s*((?:What|Whether|Who|Whose|How|Where)\b[^\n]*)/gu)).toEqual([]);
});

test("titles of tests name a symbol or a subject, and open with no question word", () => {
  const title =
    /\b(?:test|describe)(?:\.\w+)*\(\s*["`]((?:what|whether|who|whose|how|where)\b[^"`]*)/giu;
  expect(findAll(title, tests)).toEqual([]);
});

const INLINE_TYPES = 50;

test("object types of parameters have a name, but for a few", () => {
  const inline = findAll(
    /\n(?:export )?(?:async )?function (\w+)(?:<[^>]*>)?\([^()]*\{\s*readonly [\s\S]{0,400}?\)\s*[:{]/gu,
    program,
  );
  expect(inline.slice(INLINE_TYPES)).toEqual([]);
});

const TALK = new Set(["bell", "bells", "heard", "retell", "retold", "said", "tell", "told"]);

test("data flow is emitted, sent, received or replayed, not told or heard", () => {
  const declared = findAll(
    /\b(?:function|const|let|readonly|type|interface|class) ([A-Za-z]\w*)\b/gu,
  );
  const talking = declared.filter((found) => {
    const name = found.split(": ").at(-1) ?? "";
    return name.split(/(?=[A-Z])|_/u).some((word) => TALK.has(word.toLowerCase()));
  });
  expect(talking).toEqual([]);
});

test("an exported name has one meaning", () => {
  const declared = findAll(
    /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gmu,
    program,
  ).map((found) => found.split(": ") as [string, string]);
  const files = Map.groupBy(declared, ([, name]) => name);
  const shared = [...files]
    .map(([name, places]) => [name, new Set(places.map(([file]) => file))] as const)
    .filter(([, places]) => places.size > 1);
  expect(shared).toEqual([]);
});
