import type { EnvelopePart } from "../state/envelope.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { CountTokens } from "../state/model.ts";
import type { PlanView } from "../state/view-plan.ts";
import { fence, neutralise } from "../text/fence.ts";
import { buildStructuralBrief } from "../claim-analysis/brief.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection, section, stablePart, volatilePart } from "./part.ts";
import { renderPlan } from "./render-plan.ts";
import { renderDataRule, renderSystemText } from "./system-text.ts";

/** A step that the same message has removed. */
export interface RemovedStep {
  readonly title: string;
  /** The place that it had: the id of the step before it, or "start". */
  readonly after: string;
}

export interface ChangePlanPromptInput {
  readonly plan: PlanView;
  /** The wish may want something in their place. */
  readonly removed: readonly RemovedStep[];
  /** The person's wish, verbatim. */
  readonly wish: string;
  /** The concierge's last answer, as the person saw it; empty where there is none. */
  readonly lastAnswer: string;
  /** Wishes and rules of the person; empty where there are none. */
  readonly constraints: string;
  /** The newest batch of experts; null where nobody was asked. */
  readonly analysis: StructuralAnalysis | null;
  readonly planTokens: number;
  readonly sheetTokens: number;
  readonly countTokens: CountTokens;
}

const RULES = [
  "Change as little as the wish needs. What it does not touch stays as it is.",
  "A step that is done stays, unless they want it done again.",
  "Shorter means fewer steps or less in them, not only fewer words.",
  "Name steps and decisions by their ids. Where nothing is to change, write [].",
  "Write everything in the plan's language.",
] as const;

/** Asks how a plan changes by a wish that leaves the content to the concierge. Pinned by `test/golden/change-plan.*.md`. */
export function buildChangePlanPrompt(input: ChangePlanPromptInput): EnvelopePart[] {
  const { plan, wish, lastAnswer, constraints, analysis, countTokens } = input;
  return [
    stablePart(
      "rules",
      "prompt:change-plan",
      renderSystemText({
        duty: "You change the plan of a person whom you help, as they wish it.",
        rules: RULES,
        dataRule: renderDataRule(["data", "said", "wish"], "written by others"),
      }),
    ),
    volatilePart(
      "plan",
      `plan:version-${plan.version}`,
      section(
        HEADINGS.plan,
        renderPlan(plan, { detail: "full", ids: true, countTokens, tokens: input.planTokens }),
      ),
    ),
    volatilePart(
      "removed",
      "plan",
      section(HEADINGS.changedJustNow, bullets(input.removed.map(describeRemoved))),
    ),
    volatilePart("constraints", "constraints", section(HEADINGS.wishes, constraints)),
    volatilePart(
      "brief",
      "brief:newest",
      analysis === null
        ? ""
        : dataSection(
            HEADINGS.stepHelpBrief,
            neutralise(
              buildStructuralBrief(analysis, {
                form: "sheet",
                tokens: input.sheetTokens,
                countTokens,
              }),
            ),
          ),
    ),
    volatilePart(
      "answered",
      "concierge-thread",
      lastAnswer === "" ? "" : section(HEADINGS.answered, fence("said", lastAnswer)),
    ),
    volatilePart("wish", "input", section(HEADINGS.wish, fence("wish", wish))),
  ];
}

function describeRemoved({ title, after }: RemovedStep): string {
  return `Removed "${title}", which stood ${after === "start" ? "at the start" : `after ${after}`}.`;
}
