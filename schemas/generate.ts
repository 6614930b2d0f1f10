import { mkdir, writeFile } from "node:fs/promises";
import { z } from "zod";
import { renderEnvExample, renderSettingsPage } from "../app/settings/render-settings.ts";
import { TurnEventSchema } from "../state/event.ts";
import { ConstraintSchema } from "../state/constraint.ts";
import { ManifestSchema } from "../state/envelope.ts";
import { JsonObjectSchema, type JsonObject } from "../state/json.ts";
import { renderLimits } from "../state/limits.ts";
import { PendingSchema } from "../state/pending.ts";
import { PlanSchema } from "../state/plan.ts";
import { RegistryEventSchema, RegistrySchema } from "../state/registry.ts";
import { joinChannelSchemas, readChannelSchemas, removeDescriptions } from "../state/state-schema.ts";
import { EffectSchema, StepResultSchema } from "../state/step.ts";
import { HistorySchema, LedgerLineSchema, TurnExecutionSummarySchema } from "../state/turn-summary.ts";
import { UnderstandingSchema } from "../state/understanding.ts";

const MODELS = {
  constraint: ConstraintSchema,
  effect: EffectSchema,
  history: HistorySchema,
  "ledger-line": LedgerLineSchema,
  manifest: ManifestSchema,
  pending: PendingSchema,
  plan: PlanSchema,
  registry: RegistrySchema,
  "registry-event": RegistryEventSchema,
  "step-result": StepResultSchema,
  "turn-event": TurnEventSchema,
  "turn-execution-summary": TurnExecutionSummarySchema,
  understanding: UnderstandingSchema,
} as const;

/** Returns the text of every JSON Schema by its file name: the same bytes every time. */
export function renderSchemas(): ReadonlyMap<string, string> {
  const models = Object.entries(MODELS).map(
    ([name, schema]) => [name, renderModel(schema)] as const,
  );
  const state = ["turn-state", joinChannelSchemas(readChannelSchemas())] as const;
  return new Map(
    [...models, state].map(([name, schema]) => [
      `${name}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  );
}

function renderModel(schema: z.ZodType): JsonObject {
  const { "~standard": _standard, ...plain } = z.toJSONSchema(schema, { io: "output" });
  return removeDescriptions(JsonObjectSchema.parse(plain));
}

/** Writes every JSON Schema into a folder, which is made if it is missing. */
export async function writeSchemas(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of renderSchemas()) await writeFile(`${folder}/${name}`, text);
}

/** Returns the page `docs/limits.md`: every bound, from the table in the code. */
export function renderLimitsPage(): string {
  return `# Limits\n\nGenerated from \`state/limits.ts\` (\`npm run schemas\`). Each can be set when a graph is made.\n\n${renderLimits()}\n`;
}

if (import.meta.main) {
  await writeSchemas(import.meta.dirname);
  await writeFile(`${import.meta.dirname}/../docs/limits.md`, renderLimitsPage());
  await writeFile(`${import.meta.dirname}/../docs/settings.md`, renderSettingsPage());
  await writeFile(`${import.meta.dirname}/../.env.example`, renderEnvExample());
}
