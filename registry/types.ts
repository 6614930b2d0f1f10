import type { EntityType } from "../state/entity.ts";

/**
 * The entity type of that name.
 *
 * @throws RangeError where the domain has none of that name.
 */
export function typeNamed(types: readonly EntityType[], name: string): EntityType {
  const found = types.find((type) => type.type === name);
  if (found !== undefined) return found;
  const known = types.map((type) => type.type).join(", ");
  throw new RangeError(
    `Cannot find entity type "${name}": the domain has ${known || "none"}; use one of these`,
  );
}

/** Returns a count with its noun: `1 recipe`, `9 recipes`. */
export function countInWords(type: EntityType, count: number): string {
  return `${count} ${count === 1 ? type.words.one : type.words.many}`;
}
