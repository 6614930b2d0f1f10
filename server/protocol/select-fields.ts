import type { Json } from "../../state/json.ts";

/**
 * Returns the fields of an answer that a client selected; all of them if it selected none.
 * `values.messages` selects one of the values. Unknown fields are left out.
 */
export function selectFields<T extends object>(
  answer: T,
  select: readonly string[] | null | undefined,
): Partial<T> {
  if (select === null || select === undefined || select.length === 0) return answer;
  const parts = select.flatMap((path): [string, unknown][] => {
    const [field = "", key, ...rest] = path.split(".");
    if (rest.length > 0 || !Object.hasOwn(answer, field)) return [];
    const value: unknown = Reflect.get(answer, field);
    return [[field, key === undefined ? value : pick(value, key)]];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(merged(parts)) as Partial<T>;
}

function pick(value: unknown, key: string): { readonly [key: string]: Json } {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return {};
  return { [key]: Reflect.get(value, key) };
}

/** Merges several selected parts of one field. */
function merged(parts: readonly [string, unknown][]): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [field, value] of parts) {
    const known = fields.get(field);
    const isJoined = isRecord(known) && isRecord(value);
    fields.set(field, isJoined ? { ...known, ...value } : value);
  }
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
