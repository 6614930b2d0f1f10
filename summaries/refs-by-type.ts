import type { EntityType } from "../state/entity.ts";
import { parseRef, refPrefix } from "../registry/refs.ts";

/** Refs of one entity type, in order. */
export interface TypedRefs {
  readonly type: EntityType;
  readonly refs: readonly string[];
}

/** The refs by entity type, types in order of appearance; refs of no known type are left out. */
export function refsByType(refs: readonly string[], types: readonly EntityType[]): TypedRefs[] {
  const groups = Map.groupBy(refs, (ref) => findRefType(ref, types));
  return [...groups].flatMap(([type, group]) => (type === null ? [] : [{ type, refs: group }]));
}

/** The entity type of a ref, by its prefix; null where no type has it. */
export function findRefType(ref: string, types: readonly EntityType[]): EntityType | null {
  const prefix = parseRef(ref)?.prefix;
  return (
    types.find((type) => [false, true].some((draft) => refPrefix(type, { draft }) === prefix)) ??
    null
  );
}
