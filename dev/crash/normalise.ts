import type { Json, JsonObject } from "../../state/json.ts";
import type { Outcome } from "./read-outcome.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*$/u;

/**
 * Keys whose values differ between equal conversations: clocks, ids of rows, numbers of effects and
 * transactions, and tokens that an endpoint's cache would have saved, which a process cannot know
 * after its start.
 */
const IGNORED = new Set([
  "created_at",
  "updated_at",
  "finished_at",
  "seq",
  "effect_id",
  "effect",
  "effectId",
  "ms",
  "cached",
  "journalSeen",
]);
const CLOCKS = new Set(["deadlineAt", "deadline_at"]);

/**
 * Gives equal conversations equal outcomes: a row's id becomes its table and its number in the
 * order of making, wherever it stands; any other id and every time of day lose their value.
 */
export function normalise({ tables, state }: Outcome): Outcome {
  const names = new Map<string, string>();
  for (const [table, rows] of Object.entries(tables)) {
    if (!Array.isArray(rows)) continue;
    for (const [index, row] of rows.entries()) {
      const id = isObject(row) ? row["id"] : null;
      if (typeof id === "string") names.set(id, `${table} #${index + 1}`);
    }
  }
  const named = Object.entries(tables).map(([table, rows]) => [table, evenOut(rows, names)]);
  return { tables: Object.fromEntries(named), state: evenOut(state, names) };
}

function evenOut(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") {
    return TIME.test(value) ? "a time" : value.replace(UUID, (id) => names.get(id) ?? "an id");
  }
  if (Array.isArray(value)) return value.map((item) => evenOut(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !IGNORED.has(key))
      .map(([key, item]) => [key, CLOCKS.has(key) ? "a time" : evenOut(item, names)]),
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds the first difference of two values, as `path: one, not the other`; null where they are equal. */
export function findDifference(found: Json, expected: Json, path = ""): string | null {
  if (Array.isArray(found) && Array.isArray(expected)) {
    const length = Math.max(found.length, expected.length);
    return findFirstDifference(
      Array.from({ length }, (_, index) => [`${index}`, found[index], expected[index]]),
      path,
    );
  }
  if (isObject(found) && isObject(expected)) {
    const keys = [...new Set([...Object.keys(found), ...Object.keys(expected)])].toSorted();
    return findFirstDifference(
      keys.map((key) => [key, found[key], expected[key]]),
      path,
    );
  }
  if (found === expected) return null;
  return `${path}: ${shown(found)}, not ${shown(expected)}`;
}

function findFirstDifference(
  parts: readonly (readonly [string, Json | undefined, Json | undefined])[],
  path: string,
): string | null {
  for (const [key, found, expected] of parts) {
    const at = path === "" ? key : `${path}.${key}`;
    if (found === undefined || expected === undefined) {
      if (found === expected) continue;
      return found === undefined
        ? `${at}: missing, not ${shown(expected ?? null)}`
        : `${at}: ${shown(found)}, not missing`;
    }
    const difference = findDifference(found, expected, at);
    if (difference !== null) return difference;
  }
  return null;
}

function shown(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}
