import type { Domain, DomainTool } from "../state/domain.ts";
import type { EntityType } from "../state/entity.ts";
import { createTableTools } from "./table-tools.ts";
import { toolSchema } from "./tool-schema.ts";
import { assertNoProblems } from "./domain-error.ts";
import { checkEntityType } from "./verify/check-entity-type.ts";
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

/**
 * Checks a domain's description against itself and returns it.
 *
 * @throws DomainError with every problem: names that stand for nothing, names given twice, tools that
 * no model could call, rights that cannot be used.
 *
 * @example
 * defineDomain(mealsDomain).name; // "meals"
 */
export function defineDomain(description: Domain): Domain {
  const { name, entityTypes } = description;
  assertNoProblems(name, [
    ...checkTypeNames(entityTypes),
    ...entityTypes.flatMap((type) => checkEntityType(type, entityTypes)),
    ...checkSubdomains(description),
    ...checkTools(description),
    ...description.checks.flatMap((check) => checkLinks(check, entityTypes)),
  ]);
  return description;
}

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
    ...findRepeated(entityTypes.map(({ table }) => table)).map(
      (table) => `Two types are of the table "${table}"; describe it once`,
    ),
  ];
}

function checkSubdomains({ subdomains, entityTypes }: Domain): readonly string[] {
  const tables = entityTypes.map(({ table }) => table);
  const covered = new Set(subdomains.flatMap((subdomain) => subdomain.tables));
  return [
    ...findRepeated(subdomains.map(({ name }) => name)).map(
      (name) => `Two subdomains are called "${name}"; rename one of them`,
    ),
    ...subdomains.flatMap(({ name, tables: about }) =>
      about
        .filter((table) => !tables.includes(table))
        .map(
          (table) =>
            `Subdomain "${name}" is about "${table}"; ${adviseName({ name: table, known: tables, what: "the tables" })}`,
        ),
    ),
    ...entityTypes
      .filter(({ table }) => !covered.has(table))
      .map(
        ({ type, table }) =>
          `Type "${type}" is in no subdomain; add its table "${table}" to the tables of one`,
      ),
  ];
}

function checkTools({ tools, entityTypes }: Domain): readonly string[] {
  const generated = createTableTools(entityTypes).map(({ name }) => name);
  const taken = new Set([...generated, ...CORE_TOOLS]);
  return [
    ...findRepeated(tools.map(({ name }) => name)).map(
      (name) => `Two tools are called "${name}"; rename one of them`,
    ),
    ...tools
      .filter(({ name }) => taken.has(name))
      .map(({ name }) => `Tool "${name}" has the name of a built-in tool; rename it`),
    ...tools.flatMap((tool) => [...checkSchema(tool), ...checkWrites(tool, entityTypes)]),
  ];
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
