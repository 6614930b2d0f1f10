import { z } from "zod";
import type { AnalyzedClaim, StructuralAnalysis } from "../../state/analysis.ts";
import { HandoverPatchSchema, type HandoverPatch } from "../../state/handover-patch.ts";
import {
  ExecutionHandoverSchema,
  IntentHandoverSchema,
  type ExecutionHandover,
  type IntentHandover,
} from "../../state/handover.ts";
import { ActiveWorkflowSchema, type ActiveWorkflow } from "../../state/workflow.ts";
import { analyzedClaim, EMPTY_ANALYSIS } from "./analyses.ts";
import { readYaml } from "./read-yaml.ts";

const DOCUMENTS = readYaml(
  new URL("concierge-documents.yaml", import.meta.url),
  z.strictObject({
    intent: IntentHandoverSchema,
    bareIntent: IntentHandoverSchema,
    noPatch: HandoverPatchSchema,
    execution: ExecutionHandoverSchema,
    bareExecution: ExecutionHandoverSchema,
    workflow: ActiveWorkflowSchema,
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
export const WORKFLOW: ActiveWorkflow = DOCUMENTS.workflow;

/** A map in which two well-founded ways exclude each other. */
export const FORK: StructuralAnalysis = {
  ...EMPTY_ANALYSIS,
  claims: [
    forkClaim("c1", "Cook three bases on Sunday and finish them fresh on weeknights.", [1, 2]),
    forkClaim("c2", "Keep to fifteen-minute dishes and cook nothing ahead.", [3, 4]),
  ],
  edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "Sunday is either used or free" }],
  gaps: ["How much freezer room there is"],
  metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4, components: 1, alignment: 0.5, tension: 1 },
  shape: {
    name: "contested",
    confidence: 0.8,
    runnerUp: null,
    data: {
      core: ["c1", "c2"],
      pairs: [{ a: "c1", b: "c2", reason: "Sunday is either used or free" }],
      branches: [],
    },
  },
};

function forkClaim(id: string, text: string, supporters: number[]): AnalyzedClaim {
  return analyzedClaim({ id, label: text, text, supporters, contested: true });
}
