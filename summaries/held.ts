import type { EntityType } from "../state/entity.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import { isInPlay } from "../registry/entries.ts";
import { describeRefs } from "../registry/refs.ts";
import { countInWords, typeNamed } from "../registry/types.ts";

/**
 * Describes the rows that are held and need not be read again, by kind: "9 recipes (recipe_1 through
 * recipe_9), 59 inventory items (inv_1 through inv_59)"; empty where nothing is.
 */
export function describeHeld(registry: Registry, types: readonly EntityType[]): string {
  const held = registry.entries.filter((entry) => isInPlay(entry) && entry.row !== null);
  const byType = Map.groupBy(held, (entry: RegistryEntry) => entry.type);
  return [...byType]
    .map(([name, entries]) => {
      const refs = describeRefs(entries.map((entry) => entry.ref));
      return `${countInWords(typeNamed(types, name), entries.length)} (${refs})`;
    })
    .join(", ");
}
