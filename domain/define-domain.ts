import type { Domain, DomainTool } from "../state/domain.ts";
import { listInlineLists, type EntityType } from "../state/entity.ts";
import { rememberFor } from "../state/remember.ts";
import { createTableTools } from "./table-tools.ts";
import { nameTableTool } from "./table-tools/tool-names.ts";
import { toolSchema } from "./tool-schema.ts";
import { assertNoProblems } from "./domain-error.ts";
import { checkEntityType } from "./verify/check-entity-type.ts";
import { checkExamples } from "./verify/check-examples.ts";
import { checkLinks } from "./verify/check-links.ts";
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
  return [
    ...checkTypeNames(entityTypes),
    ...entityTypes.flatMap((type) => checkEntityType(type, entityTypes)),
    ...checkSubdomains(description),
    ...checkTools(description),
    ...description.checks.flatMap((check) => checkLinks(check, entityTypes)),
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
    ...findRepeated(prefixes)
      .filter((prefix) => new Set(sharing(prefix)).size > 1)
      .map(
        (prefix) =>
          `Types ${quoteNames(sharing(prefix))} share the ref prefix "${prefix}"; give one of them another in refPrefix`,
      ),
    ...findRepeated(entityTypes.map((type) => nameTableTool("read", type))).map(
      (tool) => `Two types make the tool "${tool}"; give one of them another noun in words.many`,
    ),
    ...findRepeated(entityTypes.map(({ table }) => table)).map(
      (table) => `Two types are of the table "${table}"; describe it once`,
    ),
    ...entityTypes
      .flatMap((type) => [type.table, ...listInlineLists(type).map(({ table }) => table)])
      .filter((table) => !/^[^."]+(\.[^."]+)?$/u.test(table))
      .map(
        (table) =>
          `Table "${table}" is no name; write "table" or "schema.table" as the database has them, without quotes, and rename a table whose name has a dot or a quote in it`,
      ),
  ];
}

/** Models name subdomains, and code reads them out of sentences. */
const SUBDOMAIN_NAME = /^[a-z][a-z0-9_]*$/u;

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
      .filter(({ name }) => !SUBDOMAIN_NAME.test(name))
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

function checkTools({ tools, entityTypes, subdomains }: Domain): readonly string[] {
  const parts = subdomains.map(({ name }) => name);
  const generated = createTableTools(entityTypes).map(({ name }) => name);
  const taken = new Set([...generated, ...CORE_TOOLS, UNDO_TOOL]);
  return [
    ...findRepeated(tools.map(({ name }) => name)).map(
      (name) => `Two tools are called "${name}"; rename one of them`,
    ),
    ...tools
      .filter(({ name }) => taken.has(name))
      .map(({ name }) => `Tool "${name}" has the name of a built-in tool; rename it`),
    ...tools
      .filter(({ subdomain }) => !parts.includes(subdomain))
      .map(
        ({ name, subdomain }) =>
          `Tool "${name}" is for "${subdomain}"; ${adviseName({ name: subdomain, known: parts, what: "the subdomains" })}`,
      ),
    ...tools.flatMap((tool) => [...checkSchema(tool), ...checkWrites(tool, entityTypes)]),
  ];
}

/** Lists the names of all tools that steps are offered: generated, of the domain, and of every domain. */
function listOffered({ tools, entityTypes }: Domain): readonly string[] {
  const generated = createTableTools(entityTypes).map(({ name }) => name);
  return [...generated, ...tools.map(({ name }) => name), ...CORE_TOOLS];
}

function checkSchema(tool: DomainTool): readonly string[] {
  try {
    toolSchema(tool);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [`Tool "${tool.name}": ${error.message}`];
  }
}

function checkWrites(
  { name, writes = [] }: DomainTool,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const known = entityTypes.map(({ type }) => type);
  return writes.flatMap((type) => {
    const found = entityTypes.find((one) => one.type === type);
    if (found === undefined) {
      return [
        `Tool "${name}" writes "${type}"; ${adviseName({ name: type, known, what: "the types" })}`,
      ];
    }
    if (found.ownership !== "shared") return [];
    return [
      `Tool "${name}" writes "${type}", which is shared and can only be read; leave it out of writes`,
    ];
  });
}
