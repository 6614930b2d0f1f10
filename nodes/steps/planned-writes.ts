import { foldText } from "../../text/fold-words.ts";
import type { Change } from "../../state/change.ts";
import { isSettable, rowKey, type EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { describeChangeable, listChangeableTypes, type Domain } from "../../state/domain.ts";
import type { PlannedWrite, PlanStep } from "../../state/plan.ts";

/**
 * Returns true where a plan lists a change: its action and type, and its row where the plan names
 * rows. A plan that names none means rows that the step finds. Pure.
 */
export function isPlanned(change: Change, writes: readonly PlannedWrite[]): boolean {
  return writes.some(
    (write) =>
      isSameKind(change, write) &&
      (change.action === "create" || write.refs.length === 0 || includesRow(write, change)),
  );
}

interface AgreedWrites {
  readonly writes: readonly PlannedWrite[];
  /** The drafts that new rows save, by `rowKey`. */
  readonly drafts: ReadonlyMap<string, string>;
  /** The drafts that the person has seen. */
  readonly seen: ReadonlySet<string>;
  /** The words of the step, as the proposal showed them. */
  readonly description: string;
  /** The columns that the call gives values for; null where it does not say. */
  readonly given: ReadonlySet<string> | null;
  readonly entityTypes: readonly EntityType[];
}

/**
 * Returns the changes that a "yes" to a proposal without calls covers: rows are deleted that it listed,
 * or that the words of a step without listed rows name; drafts that the person has seen are saved; and
 * new rows and changes of such rows whose every value stood in the words of their step. Of every other
 * change it listed action and type, and no value. Pure.
 */
export function selectAgreed(
  changes: readonly Change[],
  { writes, drafts, seen, description, given, entityTypes }: AgreedWrites,
): readonly Change[] {
  const words = { text: description, folded: foldText(description) };
  return changes.filter((change) => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    return writes.some((write) => {
      if (!isSameKind(change, write) || type === undefined) return false;
      const isListed =
        includesRow(write, change) ||
        (write.refs.length === 0 && isNamedAlone(change, changes, words));
      switch (change.action) {
        case "create": {
          const draft = drafts.get(rowKey(change.type, change.id));
          return draft === undefined
            ? showsValues(change, type, { words, given })
            : seen.has(draft);
        }
        case "update":
          return isListed && showsValues(change, type, { words, given });
        case "delete":
          return isListed;
      }
      return change.action satisfies never;
    });
  });
}

/** Returns true where words hold the label of a changed row, and of no other that is changed. */
function isNamedAlone(
  { type, label }: Change,
  changes: readonly Change[],
  words: StepWords,
): boolean {
  const folded = foldText(label);
  const alike = changes.filter((other) => other.type === type && foldText(other.label) === folded);
  return folded.length >= LEAST_LABEL && words.folded.includes(folded) && alike.length === 1;
}

/** Shortest label that counts as named by standing in a text. */
const LEAST_LABEL = 3;

/** The words of a step, as they stand and folded. */
interface StepWords {
  readonly text: string;
  readonly folded: string;
}

interface ShownValues {
  readonly words: StepWords;
  readonly given: AgreedWrites["given"];
}

/** Returns true where words hold every value that a change gives a row, and it takes none away from one. */
function showsValues(
  { action, changed, before, after }: Change,
  type: EntityType,
  { words, given: named }: ShownValues,
): boolean {
  const isNew = action === "create";
  const given = changed.flatMap((name) => {
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
    const column = type.columns.find((candidate) => candidate.name === name);
    // What the database gives a new row is no choice of a model's.
    const isFilled = named !== null && !named.has(name);
    const isLeft =
      isNew && (isEmpty(is) || column === undefined || !isSettable(column, "create") || isFilled);
    return isLeft && !isFilledList(is) ? [] : [{ column, was, is }];
  });
  return given.every(({ column, was, is }) => {
    if (column === undefined || column.references !== undefined || isEmpty(is)) return false;
    if (!Array.isArray(is)) return holdsValue(words, is);
    const old = Array.isArray(was) ? was : [];
    const added = is.filter((item) => !old.includes(item));
    const isKept = old.every((item) => is.includes(item));
    return isKept && added.every((item) => holdsValue(words, item));
  });
}

/** A value without letters and digits, such as an emoji, stands as it is. */
function holdsValue({ text, folded }: StepWords, value: Json): boolean {
  if (!isText(value)) return false;
  const words = foldText(String(value));
  return words.trim() === "" ? text.includes(String(value)) : folded.includes(words);
}

function isEmpty(value: Json): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function isFilledList(value: Json): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isText(value: Json): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function isSameKind(change: Change, { action, type }: PlannedWrite): boolean {
  return change.action === action && change.type === type;
}

function includesRow({ refs }: PlannedWrite, { ref }: Change): boolean {
  return ref !== null && refs.includes(ref);
}

type DomainParts = Pick<Domain, "entityTypes" | "subdomains" | "tools">;

/** Returns the problems of what a step says it writes, as sentences that go back to the model. Pure. */
export function checkWrites(
  { stepType, subdomain, description, writes }: PlanStep,
  domain: DomainParts,
): string[] {
  const part = domain.subdomains.find(({ name }) => name === subdomain);
  if (stepType !== "write" || part === undefined) return [];
  const changeable = listChangeableTypes(part, domain);
  const isOutside = domain.tools.some(
    (tool) => tool.effect === "call" && tool.subdomain === subdomain,
  );
  if (writes.length === 0 && !isOutside) {
    return [`write step "${description}" lists no writes; list every change that it makes`];
  }
  return writes
    .filter(
      ({ action, type }) =>
        !changeable.some(
          (each) => each.type === type && (each.isToolWritten || each.actions.includes(action)),
        ),
    )
    .map(({ action, type }) => {
      const can = changeable.map(describeChangeable).join("; ");
      return `step "${description}" cannot ${action} "${type}"; ${subdomain} can change: ${can || "nothing"}`;
    });
}
