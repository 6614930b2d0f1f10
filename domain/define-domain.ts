import { isAbsolute } from "node:path";
import type { Domain } from "../state/domain.ts";
import { listInlineLists, type EntityType } from "../state/entity.ts";
import { rememberFor } from "../state/remember.ts";
import { createTableTools } from "./table-tools.ts";
import { isTableName } from "./table-tools/sql.ts";
import { nameTableTool } from "./table-tools/tool-names.ts";
import { assertNoProblems } from "./domain-error.ts";
import { checkEntityType } from "./verify/check-entity-type.ts";
import { checkExamples } from "./verify/check-examples.ts";
import { checkLinks } from "./verify/check-links.ts";
import { checkShape } from "./verify/check-shape.ts";
import { checkTools } from "./verify/check-tools.ts";
import { checkValues } from "./verify/check-values.ts";
import { checkWords } from "./verify/check-words.ts";
import { adviseName, findRepeated, quoteNames } from "./verify/sentences.ts";

/** Tools that every domain's steps have besides its own. */
export const CORE_TOOLS: readonly string[] = [
  "recall",
  "complete_step",
  "ask_user",
  "block_step",
  "fail_step",
];

/** The tool of a call that takes effects back: code makes it, never a model. */
export const UNDO_TOOL = "undo";

/**
 * Checks a domain's description against itself and returns it.
 *
 * @throws DomainError with every problem: names that stand for nothing, names given twice, tools that
 * no model could call, rights that cannot be used, examples that are no answers.
 *
 * @example
 * defineDomain(mealsDomain).name; // "meals"
 */
export function defineDomain(description: Domain): Domain {
  assertNoProblems(description.name, listProblems(description));
  return description;
}

const listProblems = rememberFor((description: Domain): readonly string[] => {
  const { entityTypes } = description;
  const misshapen = checkShape(description);
  if (misshapen.length > 0) return misshapen;
  const unknown = checkValues(description);
  if (unknown.length > 0) return unknown;
  return [
    ...checkTypeNames(entityTypes),
    ...entityTypes.flatMap((type) => checkEntityType(type, entityTypes)),
    ...checkSubdomains(description),
    ...checkTools(description, [...CORE_TOOLS, UNDO_TOOL]),
    ...checkWords(description),
    ...checkChecks(description),
    ...checkMigrations(description),
    ...checkExamples({ domain: description, tools: listOffered(description) }),
  ];
});

function checkTypeNames(entityTypes: readonly EntityType[]): readonly string[] {
  const prefixes = entityTypes.map(({ type, refPrefix = type }) => refPrefix);
  const sharing = (prefix: string): readonly string[] =>
    entityTypes.filter((_, index) => prefixes[index] === prefix).map(({ type }) => type);
  const names = findRepeated(entityTypes.map(({ type }) => type));
  return [
    ...names.map((type) => `Two types are called "${type}"; rename one of them`),
    ...entityTypes
      .filter(({ type }) => !LOWERCASE_WORD.test(type))
      .map(
        ({ type }) =>
          `Type "${type}" has a name that is no lowercase word; write letters, digits and underscores, such as "payment_method"`,
      ),
    ...findRepeated(prefixes)
      .filter((prefix) => new Set(sharing(prefix)).size > 1)
      .map(
        (prefix) =>
          `Types ${quoteNames(sharing(prefix))} share the ref prefix "${prefix}"; give one of them another in refPrefix`,
      ),
    ...[...Map.groupBy(entityTypes, (type) => nameTableTool("read", type))]
      .filter(([, making]) => making.length > 1)
      .map(
        ([tool, making]) =>
          `Types ${quoteNames(making.map(({ type }) => type))} make the tool "${tool}"; give one of them another noun in words.many`,
      ),
    ...findRepeated(entityTypes.map(({ table }) => table)).map(
      (table) => `Two types are of the table "${table}"; describe it once`,
    ),
    ...entityTypes.flatMap((type) =>
      listInlineLists(type).flatMap(({ name, table }) =>
        entityTypes
          .filter((one) => one.table === table)
          .map(
            (one) =>
              `List "${name}" of type "${type.type}" is of the table "${table}", which type "${one.type}" describes; describe it once: as a list of the kind "entities", or without that type`,
          ),
      ),
    ),
    ...entityTypes
      .flatMap((type) => [type.table, ...listInlineLists(type).map(({ table }) => table)])
      .filter((table) => !isTableName(table))
      .map(
        (table) =>
          `Table "${table}" is no name; write "table" or "schema.table" as the database has them, without quotes, and rename a table whose name has a dot or a quote in it`,
      ),
  ];
}

/** Models name types and subdomains, and code reads them out of sentences. */
const LOWERCASE_WORD = /^[a-z][a-z0-9_]*$/u;

function checkSubdomains({ subdomains, entityTypes }: Domain): readonly string[] {
  const known = entityTypes.map(({ type }) => type);
  const covered = new Set(subdomains.flatMap(({ type, reads = [] }) => [type, ...reads]));
  const listUnknown = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !known.includes(name));
  const advise = (name: string): string => adviseName({ name, known, what: "the types" });
  return [
    ...findRepeated(subdomains.map(({ name }) => name)).map(
      (name) => `Two subdomains are called "${name}"; rename one of them`,
    ),
    ...subdomains
      .filter(({ name }) => !LOWERCASE_WORD.test(name))
      .map(
        ({ name }) =>
          `Subdomain "${name}" has a name that is no lowercase word; write letters, digits and underscores, such as "payment_methods"`,
      ),
    ...subdomains.flatMap(({ name, type, reads = [] }) => [
      ...listUnknown([type]).map(
        (wrong) => `Subdomain "${name}" is about "${wrong}"; ${advise(wrong)}`,
      ),
      ...listUnknown(reads).map(
        (wrong) => `Subdomain "${name}" reads "${wrong}"; ${advise(wrong)}`,
      ),
    ]),
    ...known
      .filter((type) => !covered.has(type))
      .map(
        (type) =>
          `Type "${type}" is in no subdomain; add a subdomain of that type, or name it in the reads of one`,
      ),
  ];
}

function checkChecks({ checks, entityTypes }: Domain): readonly string[] {
  return [
    ...findRepeated(checks.map(({ name }) => name)).map(
      (name) => `Two checks are called "${name}"; rename one of them`,
    ),
    ...checks.flatMap((check) => checkLinks(check, entityTypes)),
  ];
}

/** A relative path would be another folder for each program that is started elsewhere; an empty one says that there is nothing to migrate. */
function checkMigrations({ migrations }: Domain): readonly string[] {
  if (migrations === "" || isAbsolute(migrations)) return [];
  if (migrations.startsWith("file:")) {
    return [
      `The path of the migrations is "${migrations}", which is a URL; write fileURLToPath("${migrations}")`,
    ];
  }
  return [
    `The path of the migrations is "${migrations}"; write an absolute one: join(import.meta.dirname, "${migrations}")`,
  ];
}

/** Lists the names of all tools that steps are offered: generated, of the domain, and of every domain. */
function listOffered({ tools, entityTypes }: Domain): readonly string[] {
  const generated = createTableTools(entityTypes).map(({ name }) => name);
  return [...generated, ...tools.map(({ name }) => name), ...CORE_TOOLS];
}
