import { NAMED_ROWS, type Change, type NameableRow } from "../../state/change.ts";
import type { DomainTool } from "../../state/domain.ts";
import {
  listEntityLists,
  listInlineLists,
  type Column,
  type ConfirmRule,
  type EntityType,
} from "../../state/entity.ts";
import { listRemovedItems } from "./list-items.ts";

/** The rules of a type that says nothing: many rows at once, and deletions that nobody named. */
const DEFAULT_RULES: Readonly<Record<Change["action"], ConfirmRule>> = {
  create: { above: NAMED_ROWS, unnamed: false },
  update: { above: 20, unnamed: false },
  delete: { above: 3, unnamed: true },
};

type SelectChanges = (changes: readonly Change[]) => readonly Change[];
/** The drafts that new rows save, by `rowKey`, are known. */
type SelectWithDrafts = (
  changes: readonly Change[],
  drafts: ReadonlyMap<string, string>,
) => readonly Change[];

/** Consent that changes have before anybody is asked about them. */
export interface PlanConsent {
  /** Returns, of all rows that a call changes, or of all items that it takes out, those that the person has named. */
  readonly selectNamed: <T extends NameableRow>(rows: readonly T[]) => readonly T[];
  /** Returns those that the plan lists. */
  readonly selectPlanned: SelectChanges;
  /**
   * Returns those that the person has seen and agreed to with a proposal that listed no calls: deleted
   * rows by name, and new ones as drafts; null where the plan was not proposed.
   */
  readonly selectAgreed: SelectWithDrafts | null;
  /** True where the person has asked for no change: each is a question first. */
  readonly isUnasked: boolean;
  /** True where what the person has ordered is no deletion. */
  readonly ordersNoDeletion: boolean;
  /** Returns the updates and new rows that have nothing to do with what the person has said, as far as code can tell. */
  readonly selectUnrelated: SelectWithDrafts;
  /** Counts the changes of that kind that the turn has made already: a limit holds for all its calls together. */
  readonly countEarlier: (change: Pick<Change, "action" | "type">) => number;
}

export interface ConfirmOptions {
  readonly tool: Pick<DomainTool, "name" | "confirm">;
  readonly entityTypes: readonly EntityType[];
  readonly consent: PlanConsent;
  /** The drafts that new rows save, by `rowKey`. */
  readonly drafts: ReadonlyMap<string, string>;
  /** False where rows that no entity type describes go along. Default: true. */
  readonly isAlone?: boolean;
}

/**
 * Finds the rules by which a person is asked before the changes are kept; empty where none applies.
 * Rows that follow from others are listed to the person and do not count. A deletion that the plan
 * does not list was never disclosed, and neither was any change beside an accepted proposal, or any
 * at all where none was asked for: they are asked about, whatever their number and rule. So is a
 * deletion of rows that no ref names where rows of other types go with them: nobody has named those;
 * and an update of a row that what was asked for has nothing to do with. Items that an update takes
 * out of a row's list are deleted, too. Pure.
 */
export function findConfirmRules(
  changes: readonly Change[],
  { tool, entityTypes, consent, drafts, isAlone = true }: ConfirmOptions,
): readonly string[] {
  const asked = changes.filter(({ cause }) => cause !== "follows");
  if (asked.length === 0) return [];
  const kinds = Map.groupBy(asked, ({ type, action }) => `${action} ${type}`);
  const unasked = consent.isUnasked
    ? [...kinds.keys()].map((kind) => `${kind}: not asked for`)
    : [];
  if (tool.confirm === "never") return unasked;
  if (tool.confirm === "always") return [`${tool.name}: always`];
  const named = new Set(consent.selectNamed(asked));
  const planned = new Set(consent.selectPlanned(changes));
  const agreed = new Set(consent.selectAgreed?.(changes, drafts));
  const unrelated = new Set(consent.selectUnrelated(asked, drafts));
  const isProposed = consent.selectAgreed !== null;
  const reasons = [...kinds].flatMap(([kind, own]) =>
    listReasons(kind, own, {
      tool,
      entityTypes,
      named,
      planned,
      agreed,
      unrelated,
      isProposed,
      ordersNoDeletion: consent.ordersNoDeletion,
      isAlone,
      followers: changes.filter(({ cause }) => cause === "follows"),
      countEarlier: consent.countEarlier,
    }).concat(listItemReasons(kind, own, { tool, entityTypes, consent })),
  );
  return [...unasked, ...reasons];
}

/** The reasons to ask before items are taken out of the lists of rows. */
function listItemReasons(
  kind: string,
  own: readonly Change[],
  { tool, entityTypes, consent }: Omit<ConfirmOptions, "drafts" | "isAlone">,
): readonly string[] {
  const type = entityTypes.find((candidate) => candidate.type === own[0]?.type);
  const rule = tool.confirm ?? DEFAULT_RULES.delete;
  if (type === undefined || typeof rule === "string" || type.confirm?.update === "never") return [];
  const items = own.flatMap((change) => listRemovedItems(change, type));
  const isUnnamed = rule.unnamed && consent.selectNamed(items).length < items.length;
  return [
    ...(items.length > rule.above ? [`${kind}: more than ${rule.above} items taken out`] : []),
    ...(isUnnamed ? [`${kind}: items taken out that were not named`] : []),
  ];
}

interface ReasonOptions extends Pick<ConfirmOptions, "tool" | "entityTypes"> {
  readonly named: ReadonlySet<Change>;
  readonly planned: ReadonlySet<Change>;
  readonly agreed: ReadonlySet<Change>;
  readonly unrelated: ReadonlySet<Change>;
  readonly countEarlier: PlanConsent["countEarlier"];
  /** True where the person has agreed to the plan. */
  readonly isProposed: boolean;
  readonly ordersNoDeletion: boolean;
  readonly isAlone: boolean;
  /** The changes that follow from others. */
  readonly followers: readonly Change[];
}

function listReasons(
  kind: string,
  own: readonly Change[],
  options: ReasonOptions,
): readonly string[] {
  const { tool, entityTypes, named, planned, agreed, unrelated, isProposed, followers } = options;
  const [first] = own;
  if (first === undefined) return [];
  const type = entityTypes.find((candidate) => candidate.type === first.type);
  const rule = tool.confirm ?? type?.confirm?.[first.action] ?? DEFAULT_RULES[first.action];
  if (rule === "never") return [];
  if (rule === "always") return [`${kind}: always`];
  const isDeletion = first.action === "delete";
  const isListed = own.every((change) => planned.has(change));
  const isAgreed = own.every((change) => agreed.has(change));
  if (isDeletion && isAgreed) return [];
  const reasons: string[] = [];
  if (own.length + options.countEarlier(first) > rule.above)
    reasons.push(`${kind}: more than ${rule.above}`);
  if (rule.unnamed && own.some((change) => !named.has(change))) reasons.push(`${kind}: not named`);
  const takesAlong =
    !options.isAlone || followers.some((change) => isTakenAlong(change, own, entityTypes));
  if (isDeletion && takesAlong) {
    reasons.push(`${kind}: other rows go with it`);
  }
  if (isDeletion && !isListed) reasons.push(`${kind}: not in the plan`);
  if (isProposed && !isAgreed) reasons.push(`${kind}: not in the proposal`);
  const isUnasked = isDeletion && options.ordersNoDeletion;
  if (isUnasked || own.some((change) => unrelated.has(change)))
    reasons.push(`${kind}: not asked for`);
  return reasons;
}

/**
 * Returns true where a row of another type goes with deleted ones, or loses what it points at. The rows
 * of a list that a named row has are its parts.
 */
function isTakenAlong(
  { type: name, action, changed }: Change,
  deleted: readonly Change[],
  entityTypes: readonly EntityType[],
): boolean {
  const [deletedType, type] = [deleted[0]?.type, name].map((each) =>
    entityTypes.find((candidate) => candidate.type === each),
  );
  if (deletedType === undefined || type === undefined || type === deletedType) return false;
  if (action === "delete") {
    const isPart = listEntityLists(deletedType).some((list) => list.type === name);
    return !isPart || deleted.some(({ cause }) => cause === "found");
  }
  const pointsThere = ({ references }: Column): boolean => references === deletedType.type;
  const pointers = [
    ...type.columns.filter(pointsThere),
    ...listInlineLists(type).filter(({ columns }) => columns.some(pointsThere)),
  ];
  return action === "update" && pointers.some((pointer) => changed.includes(pointer.name));
}
