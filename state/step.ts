import { z } from "zod";
import { BreachSchema } from "./change.ts";
import { JsonSchema, type JsonObject } from "./json.ts";
import { UnconfirmedCallSchema } from "./pending.ts";

/** A tool call that was decided and is not yet carried out. Checkpointed before its effect. */
export const PendingCallSchema = z.object({
  /** Index of the step in the plan. */
  step: z.number().int(),
  /** Counts the calls of the step within the turn, from 1. */
  call: z.number().int(),
  /** The model's own id of the call, for its message history. */
  callId: z.string(),
  tool: z.string(),
  /** As the model gave them, unchecked. */
  args: JsonSchema,
  /** Why the arguments could not be read as JSON; null where they could. */
  argsError: z.string().nullable(),
  /** `thread/turn/run/step/call`, minted by code. */
  effectKey: z.string(),
});
export type PendingCall = z.infer<typeof PendingCallSchema>;

/** The result of one tool call. */
export const CallResultSchema = z.object({
  call: z.number().int(),
  callId: z.string(),
  tool: z.string(),
  table: z.string(),
  args: JsonSchema,
  effect: z.enum(["read", "write"]),
  ok: z.boolean(),
  /** The text for the model: refs, labels, rows; never an id. */
  text: z.string(),
  /** One line for the record: "Found 9 recipes". */
  summary: z.string(),
  /** Refs it found or touched, in order. */
  refs: z.array(z.string()),
  /** Total number of rows. */
  count: z.number().int(),
  suppressed: z.boolean(),
  /** Rows that it changed and that have no ref, since no entity type describes them; null where there are none. */
  undescribed: z.object({ rows: z.number().int(), effectId: z.number().int() }).nullable(),
  /** The failures of a write, per row. */
  failures: z.array(
    z.object({ label: z.string(), ref: z.string().nullable(), reason: z.string() }),
  ),
  /** Set for a service outside the database that was called; null for every other call. */
  outside: z
    .object({
      /** Its answer for the person, without refs; null where none came. */
      answer: z.string().nullable(),
    })
    .nullable(),
  /** Breaches this call was sent back for; a second try with the same breach becomes a question. */
  breaches: z.array(BreachSchema),
  /** True where `summary` gives a reason that the person may know: a value that does not fit, a tool's own refusal. */
  isExplained: z.boolean().optional(),
});
export type CallResult = z.infer<typeof CallResultSchema>;

/** The status of a step. */
export const StepStatusSchema = z.enum([
  "open",
  "done",
  /** Some of what was asked for is stored, and some is not. */
  "partial",
  "failed",
  "blocked",
  "asked",
  /** Blocked, and Think is asked for another way; the new plan leaves it out, and a notice keeps why. */
  "replan",
  /** Not reached: an earlier group failed, asked or was cut by a limit. */
  "skipped",
]);
export type StepStatus = z.infer<typeof StepStatusSchema>;

/** The result of one step. One entry per step of the plan, in plan order. */
export const StepResultSchema = z.object({
  step: z.number().int(),
  status: StepStatusSchema,
  /** "Found 9 recipes" / "Analysis complete"; empty while open. */
  outcome: z.string(),
  /** A note for the next step. */
  note: z.string().nullable(),
  /** Refs it touched; for an analysis, the viable ones. */
  refs: z.array(z.string()),
  /** Drafts it made or changed. */
  artifacts: z.array(z.string()),
  /** The question, when `status` is `asked`; the outcome then holds the partial analysis. */
  question: z.string().nullable(),
  /** Constraints that the question is about; empty for every other question. */
  breaches: z.array(BreachSchema),
  blocked: z
    .object({
      reason: z.string(),
      tried: z.string(),
      suggestion: z.enum(["ask", "replan", "stop"]),
    })
    .nullable(),
  calls: z.array(CallResultSchema),
  /** Calls that wait for the person's "yes"; the step then asked. */
  unconfirmed: z.array(UnconfirmedCallSchema),
  /** Rounds of calls that were decided. */
  rounds: z.number().int(),
  /** Labels of rows whose calls were not begun, since a limit was reached. */
  notStarted: z.array(z.string()),
  /** Warnings about rows that were stored or drafted all the same; the reply shows them. */
  warnings: z.array(z.string()),
  /** Times the step was sent back with a reason (a breach, open rows, an unknown ref). */
  repairs: z.array(z.string()),
  /** True where the turn's budget was used up before the step was done. */
  overBudget: z.boolean().optional(),
});
export type StepResult = z.infer<typeof StepResultSchema>;

/** One write that happened in this turn: the only source for "saved", "deleted", "scheduled". */
export const EffectSchema = z.object({
  /** Number of the stored effect; prompts name it `e17`. */
  effectId: z.number().int(),
  action: z.enum(["created", "updated", "deleted"]),
  ref: z.string(),
  type: z.string(),
  table: z.string(),
  label: z.string(),
  /** The stored facts worth mentioning (date, slot, quantity); refs, never ids. */
  facts: z.string(),
  /** Words for what became of the values of an updated row, and for those of a new one that nobody has named; null where there are none. */
  change: z.string().nullable().default(null),
  step: z.number().int(),
});
export type Effect = z.infer<typeof EffectSchema>;

/** A draft as Act hands it over: a new one, or values that change one. */
export interface Artifact {
  /** Entity type. */
  readonly type: string;
  /** The draft to change in place; null for a new one. */
  readonly ref: string | null;
  /** The columns and lists that are set; a list replaces the one before. */
  readonly values: JsonObject;
}
