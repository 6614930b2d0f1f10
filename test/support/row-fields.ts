import type { Json } from "../../state/json.ts";

/** The fields of a row as tools take them, by name. */
export function rowFields(values: {
  readonly [name: string]: Json;
}): { name: string; value: Json }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
