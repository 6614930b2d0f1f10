import type { EntityType, Right } from "../../state/entity.ts";

/** The tool that deletes rows of every type. */
export const DELETE_TOOL = "delete_rows";

/** Longest name that every endpoint takes. */
const LONGEST = 64;

/**
 * Names the generated tool of a type: the action and the type's noun in the plural, in snake case
 * ("update_shopping_list_lines"). Letters outside a to z lose their accents; where none are left,
 * the type itself is named.
 */
export function nameTableTool(
  action: Exclude<Right, "delete">,
  { type, words }: Pick<EntityType, "type" | "words">,
): string {
  return `${action}_${toSnakeCase(words.many) || toSnakeCase(type)}`.slice(0, LONGEST);
}

function toSnakeCase(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[a-z0-9]+/g)?.join("_") ?? "";
}
