import type { JourneyPlan, PlanChange, PlanDecision } from "../state/journey-plan.ts";
import type { PlanChanged } from "../state/plan-action.ts";
import { viewPlan } from "../state/view-plan.ts";
import { listAffectedSteps, nameDecision, numberStep } from "../summaries/affected-steps.ts";
import type { PlanActionResult } from "../summaries/apply-plan-actions.ts";
import { oneLine } from "../text/fence.ts";
import { HEADINGS, planHeading } from "./headings.ts";
import { bullets, section } from "./part.ts";
import { renderPlan, type RenderPlanOptions } from "./render-plan.ts";

export interface PlanUpdate extends Pick<RenderPlanOptions, "countTokens" | "tokens"> {
  /** As `renderPlanChanges` writes them; empty where the plan is only newer than the one that was shown. */
  readonly changes: string;
  /** True where the person is told which steps rest on what has changed. */
  readonly saysAffected: boolean;
  /** The plan after all of them; null where its newest version was shown. */
  readonly plan: JourneyPlan | null;
}

/**
 * Renders the sections that a concierge is sent after a change: what was changed, and the plan in full.
 *
 * Source: living-plan.md §1, "What the concierge is told".
 */
export function renderPlanUpdate({ changes, saysAffected, plan, ...options }: PlanUpdate): string {
  const rule = saysAffected ? `\n\n${AFFECTED_RULE}` : "";
  return [
    section(HEADINGS.changedJustNow, changes === "" ? "" : `${changes}${rule}`),
    plan === null
      ? ""
      : section(
          planHeading(plan.version),
          renderPlan(viewPlan(plan), { ...options, detail: "full" }),
        ),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const AFFECTED_RULE =
  "Your reply begins with what rests on it, written for you: do not repeat that, go on from it.";

/** Renders a wish that the plan does not follow. */
export function renderRefusal({ words, reason }: PlanWishRefused): string {
  return bullets([`Not done, they asked for it with "${oneLine(words)}": ${reason}.`]);
}

/** A wish about the plan that was not carried out. */
export interface PlanWishRefused {
  /** The person's own. */
  readonly words: string;
  /** One sentence without a final period. */
  readonly reason: string;
}

/**
 * Renders what a message has changed of a plan: one line a change, with what it affects, one a refusal.
 * `plan`: the one after all of them, whose numbers are said. Empty where nothing was asked for. Pure, total.
 *
 * Source: living-plan.md §1, "What the concierge is told".
 */
export function renderPlanChanges(results: readonly PlanActionResult[], plan: JourneyPlan): string {
  return results
    .map(({ action, outcome }) =>
      outcome.kind === "refused"
        ? renderRefusal({ words: action.words, reason: outcome.reason })
        : bullets([[describeChange(outcome, plan), ...describeAffected(outcome, plan)].join(" ")]),
    )
    .join("\n");
}

function describeChange(changed: PlanChanged, plan: JourneyPlan): string {
  const { change, plan: made } = changed;
  const { kind, targets } = change;
  const [target = "", ...parts] = targets;
  const name = (id: string): string => nameStep(id, changed, plan);
  const step = made.steps.find(({ id }) => id === target);
  switch (kind) {
    case "add":
      return `Added ${targets.map(name).join(", ")}.`;
    case "remove":
      return `Removed ${name(target)}.`;
    case "replace":
      return `Changed the words of ${name(target)}${renamed(changed)}.`;
    case "move":
      return `Moved ${name(target)}.`;
    case "split":
      return `Split ${name(target)} into ${parts.map(name).join(", ")}.`;
    case "mark":
      return `${MARKED[step?.mark ?? "open"]} ${name(target)}.`;
    case "annotate":
      return `Noted at ${name(target)}: "${oneLine(step?.notes.at(-1)?.text ?? "")}".`;
    case "decide":
      return describeDecision(changed);
    case "focus":
      return `They work on ${name(target)} now.`;
    case "undo":
      return `Took back version ${change.undoes}: ${describeTakenBack(changed, plan)}.`;
    default:
      return kind satisfies never;
  }
}

const MARKED = { done: "Done:", open: "Open again:", skipped: "Skipped:" } as const;

function renamed({ change, plan }: PlanChanged): string {
  const [old] = change.before.steps;
  const now = plan.steps.find(({ id }) => id === old?.id);
  return old === undefined || old.title === now?.title ? "" : ` (was "${oneLine(old.title)}")`;
}

function describeDecision({ change, plan }: PlanChanged): string {
  const [id] = change.targets;
  const now = plan.decisions.find((decision) => decision.id === id);
  const old = change.before.decisions.find((decision) => decision.id === id);
  if (now === undefined) return "Decided.";
  const chosen = `"${oneLine(now.chosen ?? "")}"`;
  const before = old?.chosen ?? null;
  const choice = before === null ? chosen : `${chosen}, not "${oneLine(before)}"`;
  return now.question === ""
    ? `Decided: ${choice}.`
    : `Decided "${oneLine(now.question)}"${before === null ? "" : " anew"}: ${choice}.`;
}

/** Names what an undo made as it was, and what is gone with it. */
function describeTakenBack(changed: PlanChanged, plan: JourneyPlan): string {
  const { change, plan: made } = changed;
  const present = new Set([...made.steps, ...made.decisions].map(({ id }) => id));
  return change.targets
    .map((id) => {
      const decision = findDecision(id, [made, change.before]);
      const name = decision === null ? nameStep(id, changed, plan) : `"${nameDecision(decision)}"`;
      return present.has(id) ? `${name} as before` : `${name} is gone`;
    })
    .join(", ");
}

function findDecision(
  id: string,
  places: readonly Pick<PlanChange["before"], "decisions">[],
): PlanDecision | null {
  return places.flatMap(({ decisions }) => decisions).find((each) => each.id === id) ?? null;
}

/** Returns number and title of a step that is shown, the title alone of one that is gone. */
function nameStep(id: string, { change, plan: made }: PlanChanged, plan: JourneyPlan): string {
  const shown = numberStep(plan, id);
  if (shown !== null) return `${shown.number} "${shown.title}"`;
  const gone = [...made.steps, ...change.before.steps].find((step) => step.id === id);
  return `"${oneLine(gone?.title ?? "")}"`;
}

const RESTING = {
  gone: "On it rested",
  changed: "On it rest",
  reopened: "On it rest",
  skipped: "On it rest",
  decided: "On it rest",
} as const;

function describeAffected(changed: PlanChanged, plan: JourneyPlan): string[] {
  return listAffectedSteps(changed, plan).map(({ why, via, steps, more }) => {
    const names = steps.map(({ number, title }) => `${number} "${title}"`);
    const list = [...names, ...(more === 0 ? [] : [`${more} more`])].join(", ");
    return why === "comes-before"
      ? `Now before "${via}", on which they rest: ${list}.`
      : `${RESTING[why]}: ${list}.`;
  });
}
