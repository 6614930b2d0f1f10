import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { TurnEventSchema } from "../driver/events.ts";
import { ConstraintSchema } from "../state/constraint.ts";
import { ManifestSchema } from "../state/envelope.ts";
import { renderLimits } from "../state/limits.ts";
import { PlanSchema } from "../state/plan.ts";
import { CandidatesSchema, RegistryEventSchema, RegistrySchema } from "../state/registry.ts";
import { EffectSchema, PendingQuestionSchema, StepResultSchema } from "../state/step.ts";
import { TurnStateSchema } from "../state/turn.ts";
import { HistorySchema, LedgerLineSchema, TurnExecutionSummarySchema } from "../state/turn-summary.ts";
import { UnderstandingSchema } from "../state/understanding.ts";

const MODELS = {
  candidates: CandidatesSchema,
  constraint: ConstraintSchema,
  effect: EffectSchema,
  history: HistorySchema,
  "ledger-line": LedgerLineSchema,
  manifest: ManifestSchema,
  "pending-question": PendingQuestionSchema,
  plan: PlanSchema,
  registry: RegistrySchema,
  "registry-event": RegistryEventSchema,
  "step-result": StepResultSchema,
  "turn-event": TurnEventSchema,
  "turn-execution-summary": TurnExecutionSummarySchema,
  understanding: UnderstandingSchema,
} as const;

/** Every JSON Schema of the project as a file's text, by file name. Pure; the same bytes every time. */
export function renderSchemas(): ReadonlyMap<string, string> {
  const models = Object.entries(MODELS).map(
    ([name, schema]) => [name, z.toJSONSchema(schema, { io: "output" })] as const,
  );
  const state = ["turn-state", TurnStateSchema.getJsonSchema()] as const;
  return new Map(
    [...models, state].map(([name, schema]) => [
      `${name}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  );
}

/** The page `docs/limits.md`: every bound, from the table in the code. */
export function renderLimitsPage(): string {
  return `# Limits\n\nGenerated from \`state/limits.ts\` (\`npm run schemas\`). Each can be set when a graph is made.\n\n${renderLimits()}\n`;
}

if (import.meta.main) {
  for (const [name, text] of renderSchemas()) {
    await writeFile(`${import.meta.dirname}/${name}`, text);
  }
  await writeFile(`${import.meta.dirname}/../docs/limits.md`, renderLimitsPage());
}
