import type { Domain } from "../state/domain.ts";
import {
  hasRight,
  listInlineLists,
  listSettableLists,
  type EntityType,
  type InlineList,
  type Right,
} from "../state/entity.ts";

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
    const isWritten = written.has(type.type);
    const own = isWritten ? ALL : listRights(type);
    // Lists are replaced as a whole with their parent.
    const lists = listInlineLists(type).map((list) => ({
      table: list.table,
      rights: isWritten || isListWritten(type, list) ? ALL : [],
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

/** Returns true where generic tools may set a list of the type. */
export function isListWritten(type: EntityType, list: InlineList): boolean {
  const rights = ["create", "update"] as const;
  return rights.some(
    (right) => hasRight(type, right) && listSettableLists(type, right).includes(list),
  );
}

function listRights(type: EntityType): TableNeeds["rights"] {
  const rights = ["create", "update", "delete"] as const;
  return rights.filter((right) => hasRight(type, right)).map((right) => STATEMENTS[right]);
}
