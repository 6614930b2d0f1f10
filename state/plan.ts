import { z } from "zod";
import { idSchema } from "./ids.ts";
import { createRowCallSchema, GivenRowCallSchema, RowCallSchema } from "./row-call.ts";

/** The kind of work in a step, in order of risk: only `write` changes the domain's data. */
export const StepTypeSchema = z.enum(["read", "analyze", "generate", "write"]);
export type StepType = z.infer<typeof StepTypeSchema>;

/** A kind of change that a write step makes. Code compares what really changes with it. */
export const PlannedWriteSchema = z.object({
  action: z
    .enum(["create", "update", "delete"])
    .describe("create: new rows; update: rows change; delete: rows go"),
  /** The entity type. */
  type: z.string().describe("type that the subdomain can change"),
  /** The rows that are updated or deleted; empty for new rows, and where the step has to find them. */
  refs: z
    .array(idSchema("ref"))
    .describe("rows to update or delete; [] for new rows and those it has to find"),
});
export type PlannedWrite = z.infer<typeof PlannedWriteSchema>;

/** One step of a plan, as Think answers it. */
export const PlanStepSchema = z.object({
  /** The work of the step, in one short sentence. */
  description: z.string().describe("what is done, one short sentence"),
  stepType: StepTypeSchema.describe(
    "read: finds data; analyze: judges it; generate: makes drafts, unsaved; write: changes data, saves drafts",
  ),
  subdomain: z.string().describe("its name, as under Subdomains"),
  /** Steps of the same group run side by side; groups run in ascending order from 1. */
  group: z
    .number()
    .int()
    .describe("from 1; steps of one group run side by side; higher where it needs another's result")
    .meta({ absent: { position: true } }),
  /** Refs it is about; empty where it finds its own. */
  refs: z
    .array(idSchema("ref"))
    .describe("listed refs that it is about; [] where it finds its own"),
  /** All that a write step changes; empty for every other step. */
  writes: z
    .array(PlannedWriteSchema)
    .describe("every change of a write step without calls; else []"),
});
export type PlanStep = z.infer<typeof PlanStepSchema>;

/** Returns true for a step that judges rows or makes drafts of them: it works on what is known, and finds nothing of its own. */
export function judgesRows({ stepType }: Pick<PlanStep, "stepType">): boolean {
  return stepType === "analyze" || stepType === "generate";
}

/** Think's decision for the turn. */
export const DecisionSchema = z.enum(["answer", "plan", "propose", "clarify"]);
export type Decision = z.infer<typeof DecisionSchema>;

const STEPS_DESCRIPTION = "the work of plan or propose that is no call; else []";
const CALLS_DESCRIPTION = "reads and changes that are known; [] for none";

/** Think's whole answer. Flat, with null for "not this time": strict schemas refuse unions. */
export const ThinkAnswerSchema = z.object({
  /** The why of the plan in one sentence; recorded, never shown. */
  reasoning: z.string().describe("why, one sentence").meta({ absent: "" }),
  /** Null where one step says it. */
  goal: z
    .string()
    .nullable()
    .describe("what the turn is to achieve, one short line; null where one step says it"),
  decision: DecisionSchema.describe(
    "answer: no work; plan: clear work; propose: costly to undo, not asked for; clarify: only the person can say",
  ),
  steps: z.array(PlanStepSchema).describe(STEPS_DESCRIPTION),
  /** Calls of read and write steps that need no further model: all of a step's, or none. */
  calls: z.array(RowCallSchema).describe(CALLS_DESCRIPTION),
  /** One sentence that leads in the proposal when `decision` is `propose`; code lists the changes. */
  proposal: z.string().nullable(),
  /** Questions that only the person can answer, when `decision` is `clarify`. */
  questions: z.array(z.string()),
});
export type ThinkAnswer = z.infer<typeof ThinkAnswerSchema>;

/** The same as a model gives it: a call that says all of a step stands for it, and one list holds what is asked. */
export const GivenThinkAnswerSchema = ThinkAnswerSchema.omit({
  proposal: true,
  questions: true,
}).extend({
  calls: z.array(GivenRowCallSchema).describe(CALLS_DESCRIPTION),
  asks: z
    .array(z.string())
    .describe(
      "propose: one sentence that leads to its steps (code lists changes); clarify: one or two questions; else []",
    ),
});
export type GivenThinkAnswer = z.infer<typeof GivenThinkAnswerSchema>;

/** Returns what an answer asks the person: by its decision the lead of a proposal, or questions. Pure. */
export function readAsks({
  decision,
  asks,
}: Pick<GivenThinkAnswer, "decision" | "asks">): Pick<ThinkAnswer, "proposal" | "questions"> {
  return {
    proposal: decision === "propose" ? asks.join(" ") : null,
    questions: decision === "clarify" ? asks : [],
  };
}

/** Returns the schema of Think's answer that models answer in: its calls name the entity types. */
export function createThinkAnswerSchema(types: readonly string[]) {
  return GivenThinkAnswerSchema.extend({
    calls: z.array(createRowCallSchema(types)).describe(CALLS_DESCRIPTION),
  });
}

/** Think's answer of a small model: its steps run one after the other, each a group of its own. */
export const SequentialAnswerSchema = GivenThinkAnswerSchema.extend({
  steps: z
    .array(PlanStepSchema.omit({ group: true }))
    .describe(STEPS_DESCRIPTION)
    .transform((steps) => steps.map((step, index): PlanStep => ({ ...step, group: index + 1 }))),
});

/** Returns the schema that small models answer in: as `createThinkAnswerSchema`, without groups. */
export function createSequentialAnswerSchema(types: readonly string[]) {
  return createThinkAnswerSchema(types).extend({
    steps: z.array(PlanStepSchema.omit({ group: true })).describe(STEPS_DESCRIPTION),
  });
}

/** The plan a turn works off. `origin` tells whether Think made it now, Understand's look-up, an accepted proposal, changes that the person confirmed, or changes to take back. */
export const PlanSchema = ThinkAnswerSchema.extend({
  goal: z.string(),
  origin: z.enum(["think", "understand", "proposal", "confirmation", "undo"]),
  /** Number of times Think was asked again in this turn. */
  replans: z.number().int(),
  /** Why there is no real plan, when Think could not be asked; null otherwise. */
  failure: z.string().nullable(),
  /** Steps with planned values that do not fit, and why, for the person. */
  misfits: z.array(z.object({ step: z.number().int(), reason: z.string() })).default([]),
});
export type Plan = z.infer<typeof PlanSchema>;
