import type { Domain } from "../state/domain.ts";
import { hasRight, listInlineLists, type EntityType, type Right } from "../state/entity.ts";

/** Statements that the program needs in one table of a domain. */
export interface TableNeeds {
  readonly table: string;
  readonly rights: readonly ("insert" | "update" | "delete")[];
}

/** The folder of a domain's migrations, with what its description needs in the database. */
export interface DomainFolder {
  readonly name: string;
  readonly path: string;
  readonly grants: readonly TableNeeds[];
}

/** Describes a domain's tables for `openDatabase`: its migrations, and what the program may write in them. */
export function domainFolder(domain: Domain): DomainFolder {
  return { name: domain.name, path: domain.migrations, grants: listGrants(domain) };
}

/** Lists what generic tools and the domain's own need to write. Reading is granted on every table. Pure. */
export function listGrants(domain: Pick<Domain, "entityTypes" | "tools">): readonly TableNeeds[] {
  const written = new Set(domain.tools.flatMap(({ writes = [] }) => writes));
  return domain.entityTypes.flatMap((type) => {
    const own = written.has(type.type) ? ALL : listRights(type);
    // Lists are replaced as a whole with their parent.
    const lists = listInlineLists(type).map(({ table }) => ({
      table,
      rights: own.length === 0 ? [] : ALL,
    }));
    return [{ table: type.table, rights: own }, ...lists];
  });
}

const ALL: TableNeeds["rights"] = ["insert", "update", "delete"];

const STATEMENTS = {
  create: "insert",
  update: "update",
  delete: "delete",
} as const satisfies Record<Exclude<Right, "read">, TableNeeds["rights"][number]>;

function listRights(type: EntityType): TableNeeds["rights"] {
  const rights = ["create", "update", "delete"] as const;
  return rights.filter((right) => hasRight(type, right)).map((right) => STATEMENTS[right]);
}
