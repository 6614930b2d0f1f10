import type { Check } from "../../state/change.ts";
import type { Domain, Subdomain, UndoRule } from "../../state/domain.ts";
import {
  findKey,
  listEntityLists,
  listInlineLists,
  type Column,
  type ConfirmRule,
  type EntityType,
  type Right,
} from "../../state/entity.ts";
import { StepTypeSchema } from "../../state/plan.ts";
import { adviseName, quoteNames } from "./sentences.ts";

const RIGHTS: readonly Right[] = ["read", "create", "update", "delete"];
const ACTIONS: readonly Right[] = ["create", "update", "delete"];
const OWNERSHIP = ["subject", "shared"];
const VERSIONS = ["row_version", "content"];
const KEY_KINDS = ["uuid", "text", "integer"];
const SETTERS = ["never", "create", "always"];
const COLUMN_KINDS: Readonly<Record<Column["kind"], true>> = {
  text: true,
  integer: true,
  number: true,
  boolean: true,
  date: true,
  timestamp: true,
  choice: true,
  tags: true,
  json: true,
};

/**
 * Finds values that the contract does not know. No compiler finds them in plain JavaScript or in what
 * is read from a file, and a rule that nobody knows is a rule that nobody keeps. Pure.
 */
export function checkValues({
  entityTypes,
  tools,
  checks,
  subdomains,
  examples = {},
}: Domain): readonly string[] {
  return [
    ...checkKnown("examples", Object.keys(examples), ["understand", "think", "act", "reply"]),
    ...entityTypes.flatMap(checkTypeValues),
    ...tools.flatMap(({ name, effect, steps = [], confirm, undo }) => [
      ...checkKnown(`Tool "${name}": effect`, [effect], ["read", "write", "call"]),
      ...checkKnown(`Tool "${name}": steps`, steps, StepTypeSchema.options),
      ...checkConfirm(`Tool "${name}": confirm`, confirm),
      ...checkUndo(`Tool "${name}": undo`, undo),
    ]),
    ...checks.flatMap(checkSubjects),
    ...subdomains.flatMap(checkGuidance),
  ];
}

function checkTypeValues(type: EntityType): readonly string[] {
  const place = `Type "${type.type}"`;
  const { rights = [], ownership = "subject", version = "row_version", confirm = {} } = type;
  const columns = [...type.columns, ...listInlineLists(type).flatMap((list) => list.columns)];
  return [
    ...checkKnown(`${place}: rights`, rights, RIGHTS),
    ...checkKnown(`${place}: ownership`, [ownership], OWNERSHIP),
    ...checkKnown(`${place}: version`, [version], VERSIONS),
    ...checkKnown(`${place}: the kind of the key`, [findKey(type).kind], KEY_KINDS),
    ...columns.flatMap(({ name, kind }) =>
      checkKnown(`${place}: the kind of column "${name}"`, [kind], Object.keys(COLUMN_KINDS)),
    ),
    ...columns.flatMap(({ name, set = "never" }) =>
      checkKnown(`${place}: the set of column "${name}"`, [set], SETTERS),
    ),
    ...listEntityLists(type)
      .filter(({ shown = 0 }) => !Number.isInteger(shown) || shown < 0)
      .map(
        ({ name, shown }) =>
          `${place}, list "${name}": shown is ${shown}; write a whole number, 0 or more`,
      ),
    ...checkKnown(`${place}: confirm`, Object.keys(confirm), ACTIONS),
    ...Object.entries(confirm).flatMap(([action, rule]) =>
      checkConfirm(`${place}: confirm.${action}`, rule),
    ),
  ];
}

/** A check of no type, or of no action, would let every change pass. */
function checkSubjects({ name, types, actions }: Check): readonly string[] {
  const place = `Check "${name}"`;
  return [
    ...(types.length === 0 ? [`${place} looks at no type; name one in types`] : []),
    ...(actions.length === 0
      ? [`${place} looks at no action; write ${quoteNames(ACTIONS)} in actions, or some of them`]
      : []),
    ...checkKnown(`${place}: actions`, actions, ACTIONS),
  ];
}

function checkGuidance({ name, guidance = {} }: Subdomain): readonly string[] {
  return checkKnown(`Subdomain "${name}": guidance`, Object.keys(guidance), StepTypeSchema.options);
}

function checkKnown(
  place: string,
  given: readonly string[],
  known: readonly string[],
): readonly string[] {
  return given
    .filter((value) => !known.includes(value))
    .map((name) => `${place} has "${name}"; ${adviseName({ name, known, what: "the values" })}`);
}

function checkConfirm(place: string, rule: ConfirmRule | undefined): readonly string[] {
  if (rule === undefined || rule === "never" || rule === "always") return [];
  const isLimit = typeof rule === "object" && rule.above >= 0 && typeof rule.unnamed === "boolean";
  if (isLimit) return [];
  return [
    `${place} is ${JSON.stringify(rule)}; write "never", "always", or { above: 3, unnamed: true } with a number of 0 or more`,
  ];
}

function checkUndo(place: string, rule: UndoRule | undefined): readonly string[] {
  if (rule === undefined || typeof rule === "function") return [];
  if (typeof rule.never === "string" && rule.never.trim() !== "") return [];
  return [
    `${place} is ${JSON.stringify(rule)}; write { never: "the refund has been made" } with the reason, or a function`,
  ];
}
