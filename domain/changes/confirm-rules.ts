import type { Change } from "../../state/change.ts";
import type { DomainTool } from "../../state/domain.ts";
import type { ConfirmRule, EntityType } from "../../state/entity.ts";

/** The rules of a type that says nothing: many rows at once, and deletions that nobody named. */
const DEFAULT_RULES: Readonly<Record<Change["action"], ConfirmRule>> = {
  create: { above: 50, unnamed: false },
  update: { above: 20, unnamed: false },
  delete: { above: 3, unnamed: true },
};

export interface ConfirmOptions {
  readonly tool: Pick<DomainTool, "name" | "confirm">;
  readonly entityTypes: readonly EntityType[];
  /** Returns the changes whose rows the person has named. */
  readonly selectNamed: (changes: readonly Change[]) => readonly Change[];
}

/**
 * Finds the rules by which a person is asked before the changes are kept; empty where none applies.
 * Rows that follow from others are listed to the person and do not count. Pure.
 */
export function findConfirmRules(
  changes: readonly Change[],
  { tool, entityTypes, selectNamed }: ConfirmOptions,
): readonly string[] {
  const asked = changes.filter(({ cause }) => cause !== "follows");
  if (asked.length === 0 || tool.confirm === "never") return [];
  if (tool.confirm === "always") return [`${tool.name}: always`];
  const kinds = Map.groupBy(asked, ({ type, action }) => `${action} ${type}`);
  const named = new Set(selectNamed(changes));
  return [...kinds].flatMap(([kind, own]) => listReasons(kind, own, { tool, entityTypes, named }));
}

interface ReasonOptions extends Pick<ConfirmOptions, "tool" | "entityTypes"> {
  readonly named: ReadonlySet<Change>;
}

function listReasons(
  kind: string,
  own: readonly Change[],
  { tool, entityTypes, named }: ReasonOptions,
): readonly string[] {
  const [first] = own;
  if (first === undefined) return [];
  const type = entityTypes.find((candidate) => candidate.type === first.type);
  const rule = tool.confirm ?? type?.confirm?.[first.action] ?? DEFAULT_RULES[first.action];
  if (rule === "never") return [];
  if (rule === "always") return [`${kind}: always`];
  const reasons: string[] = [];
  if (own.length > rule.above) reasons.push(`${kind}: more than ${rule.above}`);
  if (rule.unnamed && own.some((change) => !named.has(change))) reasons.push(`${kind}: not named`);
  return reasons;
}
