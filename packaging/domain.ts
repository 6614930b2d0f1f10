/**
 * The parts of a domain: entity types, tools, checks, migrations and demo data. `defineDomain` checks
 * a description against itself, `verifyDomain` against the database; `defineTool` types a tool's
 * arguments; `createMealsDomain` makes the reference domain, planning meals.
 */

export type {
  Breach,
  Change,
  ChangeOrigin,
  Check,
  CheckContext,
  Verdict,
} from "../state/change.ts";
export type {
  CreateOptions,
  DemoData,
  Domain,
  DomainTool,
  Example,
  ExampleCall,
  Profile,
  QuickResult,
  RowTarget,
  Subdomain,
  ToolContext,
  ToolReads,
  UndoHandler,
  UndoneEffect,
  UndoRule,
} from "../state/domain.ts";
export { domainFolder, type DomainFolder, type TableNeeds } from "../domain/list-grants.ts";
export { defineDomain } from "../domain/define-domain.ts";
export { DomainError } from "../domain/domain-error.ts";
export { verifyDomain } from "../domain/verify-domain.ts";
export { defineTool, type ToolDefinition } from "../domain/define-tool.ts";
export { createMealsDomain, mealsDomain } from "../meals/index.ts";
export type { Constraint } from "../state/constraint.ts";
export type {
  Column,
  ColumnKind,
  ConfirmRule,
  Detail,
  EntityList,
  EntityRow,
  EntityType,
  InlineList,
  Key,
  Right,
  Words,
} from "../state/entity.ts";
export type { SimulatedWords } from "../state/simulated-words.ts";
export type { Filter, RowCondition } from "../state/filter.ts";
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
