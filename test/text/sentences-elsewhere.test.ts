import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";
import { expect, test } from "vitest";

// Every sentence that code says to a person stands in a table: here the syntax of the files is read.

const ROOT = join(import.meta.dirname, "../..");

test("files that word replies hold no sentence of their own", () => {
  const found = globSync(REPLY_SOURCES, { cwd: ROOT }).flatMap((path) =>
    listTexts(readSyntax(path))
      .filter(hasThreeWords)
      .map((text) => `${path}: ${text}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(FOR_MODELS_AND_SUMMARIES);
});

test("functions that return a DirectReply hold no words", () => {
  const functions = globSync(["nodes/**/*.ts"], { cwd: ROOT }).flatMap((path) =>
    findAll(readSyntax(path), returnsDirectReply).map((node) => ({ path, node })),
  );
  expect(functions.length).toBeGreaterThan(3);
  const words = functions.flatMap(({ path, node }) =>
    listTexts(node)
      .filter((text) => !IDENTIFIER.test(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(words).toEqual([]);
});

test.each([
  ["a literal", 'return { body: "Nothing left.", pending: null };'],
  ["a template", "return { body: `${n} left`, pending: null };"],
  ["a constant", 'const text = "All is done"; return { body: text, pending: null };'],
])("a DirectReply with words in %s is found", (_, body) => {
  const program = parseProgram(
    `async function f(n: number): Promise<DirectReply | null> { ${body} }`,
  );
  const texts = findAll(program, returnsDirectReply).flatMap(listTexts);
  expect(texts.every((text) => IDENTIFIER.test(text))).toBe(false);
});

/** The files whose texts reach the person. */
const REPLY_SOURCES = [
  "nodes/reply.ts",
  "nodes/reply/*.ts",
  "nodes/steps/{breaches,call-result,end-step,fold-calls,open-rows,outside-call,plan-progress,unconfirmed-call,undo-call}.ts",
  "nodes/budget/thread-budget.ts",
  "nodes/concierge/{read-plan-request,speak-as-concierge}.ts",
  "nodes/{act,choose-route,explorer,report-undone-curation,starter}.ts",
  "output-filter/meta-response.ts",
  "registry/{receipts,render-outcome,view-outside-changes}.ts",
  "domain/table-tools/failures.ts",
  "domain/{word-changes,word-values,name-rows}.ts",
  "driver/{message-turn,replay-turn,turn-errors}.ts",
  "summaries/{affected-steps,journey-title,word-journeys}.ts",
  "meals/format-quick.ts",
  "meals/checks/check*.ts",
  "meals/shopping/build-shopping-list.ts",
];

/** Other texts in these files: they go back to a model or into the log, or are compared. */
const FOR_MODELS_AND_SUMMARIES = [
  "domain/table-tools/failures.ts: create the row",
  "domain/table-tools/failures.ts: update or delete on",
  "meals/checks/checks.ts: food of meals",
  "meals/checks/checks.ts: food of recipes",
  "meals/checks/checks.ts: food to buy",
  "meals/checks/checks.ts: planned meals of members",
  "meals/shopping/build-shopping-list.ts: dishes to cook",
  "meals/shopping/build-shopping-list.ts: first planned day, YYYY-MM-DD",
  "meals/shopping/build-shopping-list.ts: last planned day",
  "meals/shopping/build-shopping-list.ts: null: the recipe's own",
  "meals/shopping/build-shopping-list.ts: ref of type recipe",
  "nodes/choose-route.ts: Store the confirmed changes",
  "nodes/choose-route.ts: The person has confirmed these changes.",
  "nodes/concierge/read-plan-request.ts: typed by the user",
  "nodes/concierge/speak-as-concierge.ts: the person would see nothing: write the answer before the block",
  "nodes/reply.ts: Answer the message",
  "nodes/reply/rows-to-show.ts: {} was left out: {}",
  'nodes/steps/breaches.ts: The database refused a row of "{}": {}',
  "nodes/steps/breaches.ts: a trigger or a policy has left it out",
  "nodes/steps/end-step.ts: The drafts break what was asked: {}",
  'nodes/steps/outside-call.ts: Cannot call "{}" in a {} step: only write steps change something',
  'nodes/steps/unconfirmed-call.ts: The tool "{}" asks again after a "yes", since it writes other values each time; write volatile: true at those that the clock or chance computes: {}',
];

/** One lower-case word, as a kind or an id of a sentence is; or no letter at all. */
const IDENTIFIER = /^(?:[a-z][A-Za-z_-]*|\P{L}*)$/u;

function hasThreeWords(text: string): boolean {
  return /[\p{L}’']+ [\p{L}’']+ [\p{L}’']+/u.test(text);
}

interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

function readSyntax(path: string): SyntaxNode {
  return parseProgram(readFileSync(join(ROOT, path), "utf8"));
}

function parseProgram(source: string): SyntaxNode {
  const program: unknown = parseAst(source, { lang: "ts" });
  if (!isSyntaxNode(program)) throw new TypeError("Cannot read the syntax of a file");
  return program;
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}

function listChildren(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isSyntaxNode);
}

function findAll(node: SyntaxNode, isWanted: (node: SyntaxNode) => boolean): readonly SyntaxNode[] {
  const within = listChildren(node).flatMap((child) => findAll(child, isWanted));
  return isWanted(node) ? [node, ...within] : within;
}

function returnsDirectReply({ type, returnType }: SyntaxNode): boolean {
  if (!type.includes("Function") || !isSyntaxNode(returnType)) return false;
  return findAll(returnType, isDirectReply).length > 0;
}

function isDirectReply({ type, name }: SyntaxNode): boolean {
  return type === "Identifier" && name === "DirectReply";
}

/** The texts in a piece of syntax, but for those of imports, types, errors, notices, descriptions and word lists. */
function listTexts(node: SyntaxNode): readonly string[] {
  if (isSilent(node)) return [];
  const { type, value } = node;
  if (type === "Literal" && typeof value === "string") return [value];
  const parts = listChildren(node).flatMap(listTexts);
  return type === "TemplateLiteral" ? [readTemplate(node), ...parts] : parts;
}

function readTemplate({ quasis }: SyntaxNode): string {
  if (!Array.isArray(quasis)) return "";
  return quasis
    .map((quasi: { readonly value: { readonly cooked: string } }) => quasi.value.cooked)
    .join("{}");
}

/** Syntax whose texts no person reads in a reply. */
function isSilent(node: SyntaxNode): boolean {
  const { type, properties } = node;
  if (type === "ImportDeclaration" || type === "ThrowStatement") return true;
  // A cast is syntax of a type and holds its value.
  if (type.startsWith("TS") && !("expression" in node)) return true;
  if (type === "Property" && readName(node["key"]) === "description") return true;
  if (type === "VariableDeclarator" && readName(node["id"]) === "ENGLISH") return true;
  return (
    Array.isArray(properties) &&
    properties.some((each: SyntaxNode) => readName(each["key"]) === "code")
  );
}

function readName(node: unknown): unknown {
  return isSyntaxNode(node) ? node["name"] : undefined;
}
