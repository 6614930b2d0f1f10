import type { JourneyPlan } from "../state/journey-plan.ts";
import { viewPlan } from "../state/view-plan.ts";
import { HEADINGS, planHeading } from "./headings.ts";
import { section } from "./part.ts";
import { renderPlan, type RenderPlanOptions } from "./render-plan.ts";

export interface PlanUpdate extends Pick<RenderPlanOptions, "countTokens" | "tokens"> {
  /** As `wordPlanChanges` writes it; empty where the plan is only newer than the one that was shown. */
  readonly report: string;
  /** The question that its reply ends with; empty for none. */
  readonly question: string;
  /** The plan after all of them; null where its newest version was shown. */
  readonly plan: JourneyPlan | null;
}

/**
 * Renders the sections that a concierge is sent after a change: the words that its reply begins with, what
 * it is to ask, and the plan in full. Empty where there is nothing of it. Pure, total.
 *
 * Source: living-plan.md §1, "What the concierge is told".
 */
export function renderPlanUpdate({ report, question, plan, ...options }: PlanUpdate): string {
  const changes = [
    report === "" ? "" : `${report}\n\n${REPORT_RULE}`,
    question === "" ? "" : `${QUESTION_RULE}\n\n${question}`,
  ];
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

const QUESTION_RULE = "It ends with this question, written for you too: ask no other.";
