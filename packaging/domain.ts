/**
 * The parts of a domain: entity types, tools, checks, migrations and demo data. `defineTool` types a
 * tool's arguments; `createMealsDomain` makes the reference domain, planning meals.
 */

export type {
  Breach,
  CheckedContent,
  CheckFacts,
  DemoData,
  Domain,
  DomainChecks,
  DomainTool,
  Profile,
  QuickResult,
  Subdomain,
  ToolContext,
} from "../state/domain.ts";
export { defineTool, toolOutcome, type ToolDefinition } from "../domain/define-tool.ts";
export { createMealsDomain, mealsDomain } from "../meals/index.ts";
export type { Constraint } from "../state/constraint.ts";
export type {
  ChildTable,
  Column,
  ColumnKind,
  Detail,
  EntityRow,
  EntityType,
} from "../state/entity.ts";
export type { Json, JsonObject } from "../state/json.ts";
export type { Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
export type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
export {
  ToolInputError,
  UnknownRefError,
  type RefBook,
  type ToolFailure,
  type ToolOutcome,
  type ToolRead,
  type ToolWrite,
} from "../state/tool.ts";
