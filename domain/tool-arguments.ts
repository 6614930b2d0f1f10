import { z } from "zod";
import { JsonSchema } from "../state/json.ts";
import { MisfitError, type Misfit } from "../state/tool.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

/**
 * Parses what a model sent as a tool's arguments.
 *
 * Keys that are missing where null or an empty list is allowed count as that, and so does null for
 * a list; unknown keys are refused.
 *
 * @throws MisfitError that names each wrong argument and says what is right.
 */
export function readArguments<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  tool: string,
): z.output<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const filled = schema.safeParse(fillMissing(schema, raw, parsed.error.issues));
  if (filled.success) return filled.data;
  const reasons = filled.error.issues.slice(0, 5).map((issue) => explainIssue(issue, raw));
  const misfits = listMisfits(filled.error.issues, raw);
  throw new MisfitError(`Cannot call tool "${tool}": ${reasons.join("; ")}`, misfits);
}

/** Lists the values that a schema has refused, each by the innermost name of its place. */
export function listMisfits(issues: readonly Issue[], raw: unknown): readonly Misfit[] {
  return issues.flatMap(({ path, code }) => {
    const column = path.findLast((key) => typeof key === "string");
    if (column === undefined || code === "unrecognized_keys") return [];
    return [{ column, value: JsonSchema.safeParse(valueAt(raw, path)).data ?? null }];
  });
}

/** Models leave out what is null, and write null for an empty list: no mistakes worth a second call. */
function fillMissing(schema: z.ZodType, raw: unknown, issues: readonly Issue[]): unknown {
  const filled = structuredClone(raw);
  const missing = issues.map((issue) => issue.path).filter((path) => isAbsent(raw, path));
  for (const path of missing) setAt(filled, path, null);
  const refused = schema.safeParse(filled).error?.issues ?? [];
  for (const path of missing) {
    const still = refused.find((issue) => samePath(issue.path, path));
    if (still === undefined) continue;
    if ("expected" in still && still.expected === "array") setAt(filled, path, []);
    else restoreAt(filled, path, raw);
  }
  return filled;
}

function isAbsent(root: unknown, path: Path): boolean {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined || !isPlainObject(parent)) return false;
  return !Object.hasOwn(parent, key) || parent[key] === null;
}

function setAt(root: unknown, path: Path, value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key !== undefined && isPlainObject(parent)) parent[key] = value;
}

function restoreAt(root: unknown, path: Path, raw: unknown): void {
  const [parent, before] = [root, raw].map((tree) => valueAt(tree, path.slice(0, -1)));
  const key = path.at(-1);
  if (key === undefined || !isPlainObject(parent) || !isPlainObject(before)) return;
  if (!Object.hasOwn(before, key)) delete parent[key];
}

function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

function explainIssue(issue: Issue, raw: unknown): string {
  const path = issue.path.map(String).join(".") || "the argument object";
  const found = describeFound(valueAt(raw, issue.path));
  switch (issue.code) {
    case "unrecognized_keys":
      return `${path} has the unknown key ${issue.keys.map((key) => `"${key}"`).join(", ")}; leave it out`;
    case "invalid_value":
      return `${path} is ${found}; give one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return `${path} is ${found}; give ${unionWords(issue.errors)}`;
    case "invalid_type":
      return `${path} is ${found}; give ${withArticle(issue.expected)}${isLongNumber(valueAt(raw, issue.path)) ? " of at most 15 digits" : ""}`;
    default:
      return `${path} is ${found}; ${issue.message}`;
  }
}

/** A number that JavaScript cannot hold comes as a text. */
function isLongNumber(value: unknown): boolean {
  return typeof value === "string" && /^-?\d[\d.]{15,}$/.test(value);
}

function unionWords(errors: readonly (readonly Issue[])[]): string {
  const expected = errors.flat().flatMap((issue) => ("expected" in issue ? [issue.expected] : []));
  return [...new Set(expected)].map(withArticle).join(" or ");
}

function withArticle(expected: string): string {
  if (expected === "null") return "null";
  if (expected === "array") return "a list";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function describeFound(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (isPlainObject(value)) return "an object";
  const text = hideDatabaseIds(JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return typeof key === "number" ? value[key] : undefined;
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

function isPlainObject(value: unknown): value is Container {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
