import { Toolbox } from "../../domain/toolbox.ts";
import { mealsDomain } from "../../meals/index.ts";
import { createUnderstandSchema } from "../../nodes/understand.ts";
import { createThinkSchema } from "../../nodes/think.ts";
import { MAPPER_ANSWER } from "../../nodes/mapper.ts";
import { NARRATIVE_ANSWER } from "../../nodes/summarize.ts";
import { ALL_VIEWS_ANSWER } from "../../nodes/concierge/ask-for-all-views.ts";
import {
  HANDOVER_ANSWER,
  STEP_HELP_REQUEST,
  WORKFLOW_REQUEST,
} from "../../nodes/concierge/ask-for-signal.ts";
import { CHANGE_PLAN_ANSWER } from "../../nodes/concierge/rework-plan.ts";
import { PLANNED_PLAN_ANSWER } from "../../nodes/concierge/outline-plan.ts";
import { ROLL_OVER_ANSWER } from "../../nodes/concierge/roll-over.ts";
import { TRANSLATION_ANSWER } from "../../nodes/translate/translate-sentences.ts";
import { StepTools } from "../../nodes/steps/step-tools.ts";
import type { Domain } from "../../state/domain.ts";
import type { ModelTier, NamedSchema } from "../../state/model.ts";
import { StepTypeSchema } from "../../state/plan.ts";

/** Returns the schemas of all structured answers, by the name of their golden file. */
export function listAnswerSchemas(domain: Domain): ReadonlyMap<string, NamedSchema> {
  const answers = {
    understand: createUnderstandSchema(domain),
    think: createThinkSchema(domain),
    "think-small": createThinkSchema(domain, "small"),
    mapper: MAPPER_ANSWER,
    summarize: NARRATIVE_ANSWER,
    workflow: PLANNED_PLAN_ANSWER,
    "change-plan": CHANGE_PLAN_ANSWER,
    "roll-over": ROLL_OVER_ANSWER,
    views: ALL_VIEWS_ANSWER,
    translation: TRANSLATION_ANSWER,
    handover: HANDOVER_ANSWER,
    "workflow-request": WORKFLOW_REQUEST,
    "step-help-request": STEP_HELP_REQUEST,
  };
  return new Map(Object.entries(answers).map(([name, { named }]) => [name, named]));
}

/** Returns the tools of Act in every kind of step, by the kind: "write recipes". */
export function listToolSchemas(
  domain: Domain,
  tier: ModelTier = "full",
): ReadonlyMap<string, readonly NamedSchema[]> {
  const tools = new StepTools(new Toolbox(domain));
  return new Map(
    domain.subdomains.flatMap(({ name: subdomain }) =>
      StepTypeSchema.options.map((stepType) => [
        `${stepType} ${subdomain}`,
        tools.list({ stepType, subdomain, tier }),
      ]),
    ),
  );
}

/** Returns the schemas of all tools that steps of the meals domain are offered, each once. */
export function listMealsTools(): readonly NamedSchema[] {
  const offered = [...listToolSchemas(mealsDomain).values()].flat();
  return [...new Map(offered.map((tool) => [JSON.stringify(tool), tool])).values()];
}

/** Returns the schemas of all answers of the meals domain, as nodes send them. */
export function listMealsAnswers(): readonly NamedSchema[] {
  return [...listAnswerSchemas(mealsDomain).values()];
}
