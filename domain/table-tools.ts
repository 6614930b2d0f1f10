import type { EntityType } from "../state/entity.ts";
import type { DomainTool } from "../state/domain.ts";
import { createDbCreate } from "./table-tools/db-create.ts";
import { createDbDelete } from "./table-tools/db-delete.ts";
import { createDbRead } from "./table-tools/db-read.ts";
import { createDbUpdate } from "./table-tools/db-update.ts";

/**
 * Makes `db_read`, `db_create`, `db_update` and `db_delete` out of a domain's entity types.
 *
 * Contract: models name rows by refs only; every ref is resolved before a statement is built, every
 * value is a parameter, and every name in a statement comes from the entity types. Each row is
 * written in a savepoint of its own and reported by itself. Whose rows they are is for row-level
 * security to say.
 */
export function createTableTools(entityTypes: readonly EntityType[]): readonly DomainTool[] {
  return [
    createDbRead(entityTypes),
    createDbCreate(entityTypes),
    createDbUpdate(entityTypes),
    createDbDelete(entityTypes),
  ];
}
