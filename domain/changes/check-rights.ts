import type { Change } from "../../state/change.ts";
import type { DomainTool } from "../../state/domain.ts";
import { hasRight, type EntityType } from "../../state/entity.ts";

interface RightsOptions {
  readonly tool: Pick<DomainTool, "name" | "writes">;
  readonly entityTypes: readonly EntityType[];
  /** True for a tool that the program makes: it may do what the types allow, and nothing else. */
  readonly isGenerated: boolean;
}

/** Finds the changes that the tool may not make, as sentences. What follows from another change is not the tool's. Pure. */
export function findForbidden(
  changes: readonly Change[],
  { tool, entityTypes, isGenerated }: RightsOptions,
): readonly string[] {
  const forbidden = changes.filter(({ type, action, cause }) => {
    if (cause === "follows") return false;
    const entityType = entityTypes.find((candidate) => candidate.type === type);
    if (isGenerated) return entityType === undefined || !hasRight(entityType, action);
    return tool.writes?.includes(type) !== true;
  });
  return [
    ...new Set(forbidden.map(({ type, action }) => `"${tool.name}" may not ${action} a ${type}`)),
  ];
}
