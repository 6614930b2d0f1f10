import { hasRight, type EntityType, type Right } from "../state/entity.ts";
import { rememberFor } from "../state/remember.ts";
import { createCreateTool } from "./table-tools/create-tool.ts";
import { createDeleteTool } from "./table-tools/delete-tool.ts";
import { createReadTool } from "./table-tools/read-tool.ts";
import type { TableTool } from "./table-tools/table-tool.ts";
import { createUpdateTool } from "./table-tools/update-tool.ts";

/**
 * Makes a tool that reads, one that creates and one that changes rows for each entity type that has
 * the right, and one that deletes rows of all types that may be deleted.
 *
 * Contract: models name rows by refs only; every ref is resolved before a statement is built, every
 * value is a parameter, and every name in a statement comes from the entity types. Each row is
 * written in a savepoint of its own and reported by itself. Whose rows they are is for row-level
 * security to say. The same types have the same tools: the first parse of each tool's arguments
 * compiles their schema.
 */
export const createTableTools: (entityTypes: readonly EntityType[]) => readonly TableTool[] =
  rememberFor(makeTools);

function makeTools(entityTypes: readonly EntityType[]): readonly TableTool[] {
  const listTypes = (right: Right) => entityTypes.filter((type) => hasRight(type, right));
  const [first, ...others] = listTypes("delete");
  return [
    ...listTypes("read").map(createReadTool),
    ...listTypes("create").map(createCreateTool),
    ...listTypes("update").map(createUpdateTool),
    ...(first === undefined ? [] : [createDeleteTool([first, ...others])]),
  ];
}
