import type {
  JourneyPlan,
  JourneyStep,
  PlanChange,
  PlanDecision,
} from "../../state/journey-plan.ts";
import { nameDecision } from "../../summaries/affected-steps.ts";
import { shortenToWidth } from "../../view/words.ts";
import { hangRows, wrapRows } from "../wrap.ts";

const TITLE = 80;
const REASON = 120;

/**
 * Renders the versions of a plan, the newest last: what each changed, and who wanted it in which words.
 *
 * @param changes all that are kept, oldest first.
 */
export function renderPlanLog({ plan, changes }: PlanHistory, columns: number): string {
  return [
    ...wrapRows(`The versions of the plan: ${plan.goal}`, columns),
    ...hangRows("as it was made", { prefix: numberVersion(1), columns }),
    ...changes.flatMap((change) =>
      hangRows(`${describeVersion(change, { plan, changes })}${wordReason(change)}`, {
        prefix: numberVersion(change.version),
        columns,
      }),
    ),
  ].join("\n");
}

function numberVersion(version: number): string {
  return `${String(version).padStart(3)}  `;
}

interface PlanHistory {
  readonly plan: JourneyPlan;
  readonly changes: readonly PlanChange[];
}

function describeVersion(change: PlanChange, history: PlanHistory): string {
  const { kind, targets, version, undoes } = change;
  const [target = "", ...parts] = targets;
  const name = (id: string): string => nameTarget(id, change, history);
  const step = findStep(target, version, history);
  switch (kind) {
    case "add":
      return `added ${targets.map(name).join(", ")}`;
    case "remove":
      return `removed ${name(target)}`;
    case "replace": {
      const old = change.before.steps.find(({ id }) => id === target)?.title ?? "";
      const renamed = old === step?.title ? "" : `“${shortenToWidth(old, TITLE)}” into `;
      return `changed ${renamed}${name(target)}`;
    }
    case "move":
      return `moved ${name(target)}`;
    case "split":
      return `split ${name(target)} into ${parts.map(name).join(", ")}`;
    case "mark":
      return `${MARKED[step?.mark ?? "open"]} ${name(target)}`;
    case "annotate":
      return `noted at ${name(target)}: ${shortenToWidth(step?.notes.at(-1)?.text ?? "", REASON)}`;
    case "decide": {
      const chosen = findDecision(target, version, history)?.chosen ?? "";
      return `decided ${name(target)}: ${shortenToWidth(chosen, TITLE)}`;
    }
    case "focus":
      return `went on to ${name(target)}`;
    case "undo":
      return `took back version ${undoes}`;
    default:
      return kind satisfies never;
  }
}

const MARKED = { done: "done:", open: "opened again:", skipped: "skipped:" } as const;

const WHO = { person: "you", concierge: "the concierge, for you", code: "" } as const;

function wordReason({ who, why }: PlanChange): string {
  const words = shortenToWidth(why, REASON);
  if (who === "code" || words === "") return "";
  return ` (${WHO[who]}: “${words}”)`;
}

/** Returns the words for a step or a decision as it was after a change; for one that went, as it was before. */
function nameTarget(id: string, change: PlanChange, history: PlanHistory): string {
  const { version, before } = change;
  const step =
    findStep(id, version, history) ?? before.steps.find((each) => each.id === id) ?? null;
  if (step !== null) return `“${shortenToWidth(step.title, TITLE)}”`;
  const decision =
    findDecision(id, version, history) ?? before.decisions.find((each) => each.id === id) ?? null;
  return decision === null ? id : `“${shortenToWidth(nameDecision(decision), TITLE)}”`;
}

/** Returns a step as a version left it: as the next change of it found it, else as it is now. */
function findStep(id: string, version: number, history: PlanHistory): JourneyStep | null {
  const later = listLater(version, history).flatMap(({ steps }) => steps);
  return later.find((each) => each.id === id) ?? null;
}

function findDecision(id: string, version: number, history: PlanHistory): PlanDecision | null {
  const later = listLater(version, history).flatMap(({ decisions }) => decisions);
  return later.find((each) => each.id === id) ?? null;
}

/** Lists what the changes after a version found, then the plan of now. */
function listLater(
  version: number,
  { plan, changes }: PlanHistory,
): readonly Pick<JourneyPlan, "steps" | "decisions">[] {
  const later = changes.filter((change) => change.version > version);
  return [...later.map(({ before }) => before), plan];
}
