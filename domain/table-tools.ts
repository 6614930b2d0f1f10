import type { EntityType } from "../state/entity.ts";
import type { DomainTool } from "../state/domain.ts";
import { createDbCreate } from "./table-tools/db-create.ts";
import { createDbDelete } from "./table-tools/db-delete.ts";
import { createDbRead } from "./table-tools/db-read.ts";
import { createDbUpdate } from "./table-tools/db-update.ts";

/**
 * Makes `db_read`, and `db_create`, `db_update` and `db_delete` for the entity types that have the
 * right; a tool for which no type has it is not made.
 *
 * Contract: models name rows by refs only; every ref is resolved before a statement is built, every
 * value is a parameter, and every name in a statement comes from the entity types. Each row is
 * written in a savepoint of its own and reported by itself. Whose rows they are is for row-level
 * security to say.
 */
export function createTableTools(entityTypes: readonly EntityType[]): readonly DomainTool[] {
  const writers = [createDbCreate, createDbUpdate, createDbDelete].map((create) =>
    create(entityTypes),
  );
  return [createDbRead(entityTypes), ...writers.filter(({ writes = [] }) => writes.length > 0)];
}
