import type { Json, JsonObject } from "../../packaging/domain.ts";
import type { BenchmarkData } from "./stored-data.ts";
import { toCents } from "./tools.ts";

/** Lists the values that differ, each with its place; amounts are compared in cents. */
export function compareRows(expected: BenchmarkData, found: BenchmarkData): readonly string[] {
  return compareValues(toJson(expected), toJson(found), []);
}

function toJson({ users, orders, products }: BenchmarkData): JsonObject {
  return { users, orders, products };
}

function compareValues(wanted: Json, found: Json, place: readonly string[]): readonly string[] {
  if (isNested(wanted) && isNested(found)) {
    const [a, b] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))];
    const keys = [...new Set([...a.keys(), ...b.keys()])];
    return keys.flatMap((key) =>
      compareValues(a.get(key) ?? null, b.get(key) ?? null, [...place, key]),
    );
  }
  const isSame =
    typeof wanted === "number" && typeof found === "number"
      ? toCents(wanted) === toCents(found)
      : wanted === found;
  if (isSame) return [];
  return [`${place.join(" ")}: ${JSON.stringify(wanted)}, but: ${JSON.stringify(found)}`];
}

function isNested(value: Json): value is JsonObject | readonly Json[] {
  return value !== null && typeof value === "object";
}
