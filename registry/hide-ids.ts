import { findKey, listVisibleColumns, type EntityType } from "../state/entity.ts";
import type { Registry } from "../state/registry.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Shorter ids cannot be told from ordinary words and numbers in a text; they are kept out by their columns. */
const SHORTEST_RECOGNISABLE = 12;

/** Stands for an id without a ref, or of rows of several types. */
const BLOT = "[id]";

/** Turns a text into one without database ids. */
export type HideIds = (text: string) => string;

/**
 * Makes the function that puts refs in place of the ids that the registry knows, anywhere in a text.
 *
 * Contract: no known id of twelve or more characters is left, whatever its case, but those that people
 * know: keys of types that describe their column.
 */
export function createIdHider(
  registry: Pick<Registry, "entries">,
  types: readonly EntityType[],
): HideIds {
  const known = new Set(types.filter(showsKey).map(({ type }) => type));
  const refs = new Map<string, string>();
  for (const { id, ref, type } of registry.entries) {
    if (id === null || id.length < SHORTEST_RECOGNISABLE || known.has(type)) continue;
    const key = id.toLowerCase();
    refs.set(key, refs.has(key) ? BLOT : ref);
  }
  const others = [...refs.keys()].filter((id) => !isUuid(id));
  const pattern =
    others.length === 0 ? null : new RegExp(others.map(escapePattern).join("|"), "gi");
  const toRef = (id: string): string => refs.get(id.toLowerCase()) ?? id;
  return (text) => {
    const hidden = text.replace(UUID, toRef);
    return pattern === null ? hidden : hidden.replace(pattern, toRef);
  };
}

/** Returns true where people know the rows of a type by their keys: invoice INV-2026-00017. */
function showsKey(type: EntityType): boolean {
  const { column, kind } = findKey(type);
  return kind !== "uuid" && listVisibleColumns(type).some(({ name }) => name === column);
}

/** Returns true when the text is a UUID and nothing else. */
export function isUuid(text: string): boolean {
  return text.replace(UUID, "") === "" && text.length === 36;
}

/** The text with whatever still looks like an id blotted out: for texts that code wrote. */
export function blotIds(text: string): string {
  return text.replace(UUID, BLOT);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
