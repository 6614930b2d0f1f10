import { createTableTools } from "../table-tools.ts";
import { toolSchema } from "../tool-schema.ts";
import type { Domain, DomainTool } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { isJsonObject, type JsonObject } from "../../state/json.ts";
import { adviseName, findRepeated, quoteNames } from "./sentences.ts";

/** Finds what no model could call, and what contradicts itself, in the tools of a domain; `reserved` are names of others that every domain has. Pure. */
export function checkTools(
  { tools, entityTypes, subdomains }: Domain,
  reserved: readonly string[],
): readonly string[] {
  const parts = subdomains.map(({ name }) => name);
  const generated = createTableTools(entityTypes).map(({ name }) => name);
  const taken = new Set([...generated, ...reserved]);
  return [
    ...findRepeated(tools.map(({ name }) => name)).map(
      (name) => `Two tools are called "${name}"; rename one of them`,
    ),
    ...tools.filter(({ name }) => taken.has(name)).map(({ name }) => describeTaken(name)),
    ...tools
      .filter(({ subdomain }) => !parts.includes(subdomain))
      .map(
        ({ name, subdomain }) =>
          `Tool "${name}" is for "${subdomain}"; ${adviseName({ name: subdomain, known: parts, what: "the subdomains" })}`,
      ),
    ...tools.flatMap((tool) => [
      ...checkSchema(tool),
      ...checkWrites(tool, entityTypes),
      ...checkEffect(tool),
    ]),
  ];
}

function describeTaken(name: string): string {
  return `Tool "${name}" has the name of a built-in tool; rename it`;
}

/** Names that the APIs of models take. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/u;

function checkSchema(tool: DomainTool): readonly string[] {
  const { name, description } = tool;
  if (!NAME.test(name)) {
    return [
      `Tool "${name}" has a name that models cannot call; write 1 to 64 letters (a to z), digits and underscores, such as "cancel_order"`,
    ];
  }
  try {
    const { schema } = toolSchema(tool);
    return [
      ...(description.trim() === ""
        ? [`Tool "${name}" has no description; say what it does, and for which wish`]
        : []),
      ...listUndescribed(schema).map(
        (path) =>
          `Tool "${name}": parameter "${path}" has no description; say what a model gives there: .describe("…")`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Zod renders what JSON cannot hold as anything at all.
    const remedy = error.message.includes('must have a "type"')
      ? "; JSON has no such value: take a date as z.iso.date(), a large number as a text"
      : "";
    return [`Tool "${name}": ${error.message}${remedy}`];
  }
}

/** Lists the properties that say nothing of themselves: models know parameters by their descriptions. */
function listUndescribed(schema: JsonObject, path: readonly string[] = []): readonly string[] {
  const { properties, items, anyOf } = schema;
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : [])].filter(isJsonObject);
  const found = inner.flatMap((one: JsonObject) => listUndescribed(one, path));
  for (const [key, value] of isJsonObject(properties) ? Object.entries(properties) : []) {
    if (!isJsonObject(value)) continue;
    const place = [...path, key];
    if (!isDescribed(value)) found.push(place.join("."));
    found.push(...listUndescribed(value, place));
  }
  return found;
}

/** Items, or a value beside null, may speak for the property. */
function isDescribed({ description, items, anyOf, $ref }: JsonObject): boolean {
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : [])].filter(isJsonObject);
  const isText = typeof description === "string" && description.trim() !== "";
  return isText || $ref !== undefined || inner.some(isDescribed);
}

function checkWrites(
  { name, effect, writes = [] }: DomainTool,
  entityTypes: readonly EntityType[],
): readonly string[] {
  if (effect !== "write" && writes.length > 0) {
    return [
      `Tool "${name}" has the effect "${effect}" and writes ${quoteNames(writes)}; write effect: "write", or leave writes out`,
    ];
  }
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

function checkEffect({
  name,
  effect,
  takesKey = false,
  confirm,
  steps,
}: DomainTool): readonly string[] {
  const isChange = effect === "write" || (effect === "call" && confirm === "always");
  const reading = (steps ?? []).filter((step) => isChange && step !== "write");
  return [
    ...(takesKey && effect !== "call"
      ? [
          `Tool "${name}" has takesKey, which is for services outside the database; leave it out, or write effect: "call"`,
        ]
      : []),
    ...(steps?.length === 0
      ? [`Tool "${name}" is for no step; leave steps out, or name those that may call it`]
      : []),
    ...(reading.length > 0
      ? [
          `Tool "${name}" changes something and is for steps of the type ${quoteNames(reading)}, in which nothing may be changed; leave steps out`,
        ]
      : []),
  ];
}
