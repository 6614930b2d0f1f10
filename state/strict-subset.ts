import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** The size limits of a schema, as OpenAI documents them for strict structured output. */
export const STRICT_LIMITS = {
  /** Properties of all objects together. */
  properties: 5_000,
  /** Objects and arrays inside each other, the root included. */
  levels: 10,
  /** Values of all enums together. */
  enumValues: 1_000,
  /** From this many string values on, an enum's characters are limited too. */
  longEnumValues: 250,
  /** Characters of one long enum's values together. */
  longEnumCharacters: 15_000,
  /** Characters of all property names, definition names, enum and const values together. */
  characters: 120_000,
} as const;

const STRING_FORMATS = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

const ANNOTATIONS = ["title", "description"] as const;
const NUMBER_KEYWORDS = [
  "enum",
  "const",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
] as const;
const TYPE_KEYWORDS = new Map<string, readonly string[]>([
  ["string", ["enum", "const", "pattern", "format"]],
  ["number", NUMBER_KEYWORDS],
  ["integer", NUMBER_KEYWORDS],
  ["boolean", ["enum", "const"]],
  ["null", ["enum", "const"]],
  ["array", ["items", "minItems", "maxItems"]],
  ["object", ["properties", "required", "additionalProperties"]],
]);

const ADVICE = new Map<string, string>([
  ["oneOf", "use one flat object with null for what does not apply, or anyOf"],
  ["allOf", "write the object out"],
  ["propertyNames", "use a list of { key, value } objects instead of a record"],
  ["patternProperties", "use a list of { key, value } objects instead of a record"],
  ["prefixItems", "use an object instead of a tuple"],
  ["default", "make the key required and nullable, and fill the default in after parsing"],
  ["minLength", "check lengths after parsing"],
  ["maxLength", "check lengths after parsing"],
]);

interface Tally {
  readonly problems: string[];
  readonly definitions: ReadonlySet<string>;
  properties: number;
  enumValues: number;
  characters: number;
}

interface Place {
  readonly path: string;
  readonly level: number;
}

/**
 * Says where a JSON Schema leaves the subset that OpenAI accepts with `strict: true`.
 *
 * One sentence a problem, each beginning with the place in the schema; empty when the schema is
 * fine. Where the documentation leaves room, the narrower reading holds: arrays count as levels,
 * `$ref` stands alone, objects in one `anyOf` differ in their first key or in its constant.
 */
export function strictSchemaProblems(schema: JsonObject): string[] {
  const definitions = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  const tally: Tally = {
    problems: [],
    definitions: new Set(Object.keys(definitions)),
    properties: 0,
    enumValues: 0,
    characters: 0,
  };
  if (schema["type"] !== "object") {
    tally.problems.push('(root): must be of type "object", and not an anyOf');
  }
  const { $schema: _schema, $defs: _definitions, ...root } = schema;
  checkSchema(root, { path: "", level: 1 }, tally);
  for (const [name, definition] of Object.entries(definitions)) {
    tally.characters += name.length;
    checkSchema(definition, { path: `$defs.${name}`, level: 1 }, tally);
  }
  return [...tally.problems, ...totalProblems(tally)];
}

function totalProblems(tally: Tally): string[] {
  const totals = [
    { what: "properties", found: tally.properties, limit: STRICT_LIMITS.properties },
    { what: "enum values", found: tally.enumValues, limit: STRICT_LIMITS.enumValues },
    {
      what: "characters of names and values",
      found: tally.characters,
      limit: STRICT_LIMITS.characters,
    },
  ];
  return totals
    .filter((total) => total.found > total.limit)
    .map((total) => `(root): ${total.found} ${total.what}, at most ${total.limit} are allowed`);
}

function checkSchema(schema: Json | undefined, place: Place, tally: Tally): void {
  const at = place.path === "" ? "(root)" : place.path;
  if (!isJsonObject(schema)) {
    tally.problems.push(`${at}: must be a schema object`);
    return;
  }
  if ("$ref" in schema) {
    checkReference(schema, at, tally);
    return;
  }
  if ("anyOf" in schema) {
    checkKeywords(schema, { at, allowed: [...ANNOTATIONS, "anyOf"] }, tally);
    checkUnion(schema["anyOf"], place, tally);
    return;
  }
  const types = listTypes(schema["type"]);
  if (types.length === 0) {
    tally.problems.push(`${at}: must have a "type" (or an "anyOf" or a "$ref")`);
  }
  for (const type of types.filter((type) => !TYPE_KEYWORDS.has(type))) {
    tally.problems.push(`${at}: type "${type}" does not exist`);
  }
  const allowed = types.flatMap((type) => TYPE_KEYWORDS.get(type) ?? []);
  checkKeywords(schema, { at, allowed: [...ANNOTATIONS, "type", ...allowed] }, tally);
  checkText(schema, at, tally);
  checkValues(schema, at, tally);
  if (types.includes("object") || types.includes("array")) checkLevel(place, at, tally);
  if (types.includes("object")) checkObject(schema, place, tally);
  if (types.includes("array")) {
    checkSchema(
      schema["items"],
      { path: join(place.path, "items"), level: place.level + 1 },
      tally,
    );
  }
}

interface KeywordRule {
  readonly at: string;
  readonly allowed: readonly string[];
}

function checkKeywords(schema: JsonObject, rule: KeywordRule, tally: Tally): void {
  for (const keyword of Object.keys(schema)) {
    if (rule.allowed.includes(keyword)) continue;
    const advice = ADVICE.get(keyword);
    const hint = advice === undefined ? "" : `; ${advice}`;
    tally.problems.push(`${rule.at}: "${keyword}" is not permitted here${hint}`);
  }
}

function checkReference(schema: JsonObject, at: string, tally: Tally): void {
  const reference = schema["$ref"];
  const name =
    typeof reference === "string" && reference.startsWith("#/$defs/") ? reference.slice(8) : null;
  if (reference !== "#" && (name === null || !tally.definitions.has(name))) {
    tally.problems.push(`${at}: "$ref" must be "#" or name a definition in the root's "$defs"`);
  }
  if (Object.keys(schema).length > 1) {
    tally.problems.push(`${at}: "$ref" must stand alone`);
  }
}

function checkUnion(branches: Json | undefined, place: Place, tally: Tally): void {
  const at = join(place.path, "anyOf");
  if (!Array.isArray(branches) || branches.length === 0) {
    tally.problems.push(`${at}: must be a list of schemas`);
    return;
  }
  for (const [index, branch] of branches.entries()) {
    checkSchema(branch, { path: `${at}.${index}`, level: place.level }, tally);
  }
  const firstKeys = branches.map(readFirstKey).filter((key) => key !== null);
  if (new Set(firstKeys).size < firstKeys.length) {
    tally.problems.push(
      `${at}: objects must not share their first key; begin each with a constant of its own`,
    );
  }
}

/** Returns the first key of an object branch with its constant, if any, which distinguishes the branches. */
function readFirstKey(branch: Json): string | null {
  if (!isJsonObject(branch) || !isJsonObject(branch["properties"])) return null;
  const [first] = Object.entries(branch["properties"]);
  if (first === undefined) return null;
  const [key, value] = first;
  if (!isJsonObject(value)) return key;
  return JSON.stringify([key, value["const"] ?? value["enum"] ?? null]);
}

function checkObject(schema: JsonObject, place: Place, tally: Tally): void {
  const at = place.path === "" ? "(root)" : place.path;
  if (schema["additionalProperties"] !== false) {
    tally.problems.push(`${at}: "additionalProperties" must be false; records are not possible`);
  }
  const properties = schema["properties"];
  if (!isJsonObject(properties)) {
    tally.problems.push(`${at}: an object must list its "properties"`);
    return;
  }
  const keys = Object.keys(properties);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = keys.filter((key) => !required.includes(key));
  if (missing.length > 0) {
    const names = missing.map((key) => `"${key}"`).join(", ");
    tally.problems.push(`${at}: ${names} must be required; make it nullable instead of optional`);
  }
  const unknown = required.filter((key) => typeof key !== "string" || !keys.includes(key));
  if (unknown.length > 0) {
    tally.problems.push(`${at}: "required" names keys that are no properties`);
  }
  tally.properties += keys.length;
  for (const key of keys) {
    tally.characters += key.length;
    const path = join(place.path, `properties.${key}`);
    checkSchema(properties[key], { path, level: place.level + 1 }, tally);
  }
}

function checkLevel(place: Place, at: string, tally: Tally): void {
  if (place.level !== STRICT_LIMITS.levels + 1) return;
  tally.problems.push(`${at}: more than ${STRICT_LIMITS.levels} levels of nesting`);
}

function checkText(schema: JsonObject, at: string, tally: Tally): void {
  const { format, pattern } = schema;
  if (format !== undefined && !isKnownFormat(format)) {
    tally.problems.push(`${at}: format ${JSON.stringify(format)} is not supported`);
  }
  if (pattern !== undefined && !isPlainPattern(pattern)) {
    tally.problems.push(`${at}: "pattern" must not look around or refer back`);
  }
}

function checkValues(schema: JsonObject, at: string, tally: Tally): void {
  if ("const" in schema) tally.characters += measureLength(schema["const"] ?? null);
  if (!("enum" in schema)) return;
  const values = schema["enum"];
  if (!Array.isArray(values) || values.length === 0) {
    tally.problems.push(`${at}: "enum" must list at least one value`);
    return;
  }
  const characters = values.reduce((sum: number, value: Json) => sum + measureLength(value), 0);
  tally.enumValues += values.length;
  tally.characters += characters;
  if (
    values.length > STRICT_LIMITS.longEnumValues &&
    characters > STRICT_LIMITS.longEnumCharacters
  ) {
    tally.problems.push(
      `${at}: ${characters} characters in an enum of ${values.length} values, at most ${STRICT_LIMITS.longEnumCharacters} are allowed`,
    );
  }
}

function listTypes(type: Json | undefined): readonly string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((item) => typeof item === "string") : [];
}

/** Returns true when the subset supports a string format. */
export function isKnownFormat(format: Json | undefined): boolean {
  return typeof format === "string" && STRING_FORMATS.has(format);
}

/** Returns true when a pattern uses neither lookaround nor back-references. */
export function isPlainPattern(pattern: Json | undefined): boolean {
  return typeof pattern === "string" && !/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern);
}

function measureLength(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function join(path: string, part: string): string {
  return path === "" ? part : `${path}.${part}`;
}
