import type { JourneyPlan } from "../state/journey-plan.ts";
import { viewPlan } from "../state/view-plan.ts";
import { oneLine } from "../text/fence.ts";
import { HEADINGS, planHeading } from "./headings.ts";
import { bullets, section } from "./part.ts";
import { renderPlan, type RenderPlanOptions } from "./render-plan.ts";

/** A change that was left out because the message does not clearly ask for it. */
interface UnclearChange {
  readonly kind: string;
  /** The words that are said to ask for it. */
  readonly words: string;
}

export interface PlanUpdate extends Pick<RenderPlanOptions, "countTokens" | "tokens"> {
  /** As `wordPlanChanges` writes it; empty where the plan is only newer than the one that was shown. */
  readonly report: string;
  /** Changes that were left out because the message does not clearly ask for them. */
  readonly unclear: readonly UnclearChange[];
  /** The plan after all of them; null where its newest version was shown. */
  readonly plan: JourneyPlan | null;
}

/**
 * Renders the sections that a concierge is sent after a change: the words that its reply begins with, what
 * it is to ask, and the plan in full. Empty where there is nothing of it. Pure, total.
 *
 * Source: living-plan.md §1, "What the concierge is told".
 */
export function renderPlanUpdate({ report, unclear, plan, ...options }: PlanUpdate): string {
  const changes = [report === "" ? "" : `${report}\n\n${REPORT_RULE}`, renderUnclear(unclear)];
  return [
    section(HEADINGS.changedJustNow, changes.filter((text) => text !== "").join("\n\n")),
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

const REPORT_RULE =
  "Your reply begins with these words, written for you: do not repeat them, go on from there, and claim no other change.";

function renderUnclear(actions: PlanUpdate["unclear"]): string {
  if (actions.length === 0) return "";
  const lines = actions.map(({ kind, words }) => `${kind}: "${oneLine(words)}"`);
  return `${UNCLEAR_RULE}\n${bullets(lines)}`;
}

const UNCLEAR_RULE =
  "Not done, since the message does not clearly ask for it. Where they may mean it, ask; never say that it was done:";
