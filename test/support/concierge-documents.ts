import { z } from "zod";
import { HandoverPatchSchema, type HandoverPatch } from "../../state/handover-patch.ts";
import {
  ExecutionHandoverSchema,
  IntentHandoverSchema,
  type ExecutionHandover,
  type IntentHandover,
} from "../../state/handover.ts";
import { PlannedPlanSchema, type JourneyPlan } from "../../state/journey-plan.ts";
import { startPlan } from "../../state/start-plan.ts";
import { changePlan, planAction } from "./journey-plans.ts";
import { readYaml } from "./read-yaml.ts";

const DOCUMENTS = readYaml(
  new URL("concierge-documents.yaml", import.meta.url),
  z.strictObject({
    intent: IntentHandoverSchema,
    bareIntent: IntentHandoverSchema,
    noPatch: HandoverPatchSchema,
    execution: ExecutionHandoverSchema,
    bareExecution: ExecutionHandoverSchema,
    plan: PlannedPlanSchema,
  }),
);

/** An intent handover with something in every field. */
export const INTENT: IntentHandover = DOCUMENTS.intent;

/** An intent handover of which only the goal is known. */
export const BARE_INTENT: IntentHandover = DOCUMENTS.bareIntent;

/** A patch that changes nothing of a handover. */
export const NO_PATCH: HandoverPatch = DOCUMENTS.noPatch;

/** An execution handover with something in every field. */
export const EXECUTION: ExecutionHandover = DOCUMENTS.execution;

/** An execution handover of which only the goal is known. */
export const BARE_EXECUTION: ExecutionHandover = DOCUMENTS.bareExecution;

/** A plan of which the first step is done. */
export const JOURNEY_PLAN: JourneyPlan = changePlan(
  startPlan("", DOCUMENTS.plan),
  planAction({ kind: "mark", target: "step_1", mark: "done", words: "step 1 is done" }),
);
