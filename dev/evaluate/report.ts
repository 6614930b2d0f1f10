import { readFile } from "node:fs/promises";
import { z } from "zod";
import { UsageError } from "../../app/usage-error.ts";
import {
  CallFiguresSchema,
  ModelRoleSchema,
  ModelTierSchema,
  UsageSchema,
  type ModelErrorCode,
} from "../../state/model.ts";
import { TurnOutcomeSchema } from "../../state/turn-summary.ts";

const count = z.number().int().nonnegative();

const ERROR_CODES = [
  "model_key_rejected",
  "model_unknown",
  "model_unreachable",
  "model_context_too_long",
  "model_no_credit",
  "model_rate_limited",
  "model_busy",
  "model_timeout",
  "model_answer_cut",
  "model_aborted",
  "model_refused",
  "model_request_refused",
  "model_failed",
] as const satisfies readonly ModelErrorCode[];

/** The words of a model to a request, or why it did not. */
const AnswerSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answer"),
    text: z.string(),
    /** Left out where the text was not JSON, or none was asked for. */
    json: z.unknown().optional(),
    toolCalls: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        args: z.unknown(),
        argsError: z.string().nullable(),
      }),
    ),
    truncated: z.boolean(),
    call: CallFiguresSchema.optional(),
  }),
  z.object({
    kind: z.literal("error"),
    code: z.enum(ERROR_CODES),
    message: z.string(),
    seconds: z.number().nullable(),
  }),
]);

/** One call of a model with its recorded answer. */
export const RecordedCallSchema = z.object({
  role: ModelRoleSchema,
  /** The hash of everything that the request says. */
  request: z.string(),
  usage: UsageSchema,
  answer: AnswerSchema,
});
export type ReportedCall = z.infer<typeof RecordedCallSchema>;

const TallySchema = z.object({ wanted: count, right: count, wrong: count });
/** Things that were wanted, those of them that were done, and others that were done. */
export type VerdictTally = z.infer<typeof TallySchema>;

/** The nodes that a failure is put down to; `program` for code, whatever the model says. */
export const JudgedNodeSchema = z.enum([
  "understand",
  "think",
  "act",
  "reply",
  "summarize",
  "program",
]);
export type JudgedNode = z.infer<typeof JudgedNodeSchema>;

const FailureSchema = z.object({
  node: JudgedNodeSchema,
  promise: z.string(),
  expected: z.string(),
  found: z.string(),
});
/** A promise that a turn has broken. */
export type ItemFailure = z.infer<typeof FailureSchema>;

/** One turn of a conversation, and its result. */
export const ItemSchema = z.object({
  set: z.string(),
  /** Conversation and turn, as in `12.3`. */
  id: z.string(),
  intent: z.string(),
  message: z.string(),
  /** False where the model has broken a promise or has asked needlessly. */
  right: z.boolean(),
  failures: z.array(FailureSchema),
  /** The nodes that were asked, each with true where it has done its part. */
  nodes: z.partialRecord(JudgedNodeSchema, z.boolean()),
  effects: TallySchema,
  refs: TallySchema,
  excludedNamed: count,
  needlessQuestions: count,
  repairs: count,
  invalidFirst: count,
  fallbacks: count,
  outcome: TurnOutcomeSchema,
  calls: z.array(RecordedCallSchema),
});
export type Item = z.infer<typeof ItemSchema>;

/** Facts about a model that decide what it is asked. */
export const TraitsSchema = z.object({
  tier: ModelTierSchema,
  slots: count,
  /** Room for the prompt of an answer of no tokens; null where unknown. */
  window: z.number().int().nullable(),
});

/** One run of `npm run evaluate`: enough to print its figures again and to play it again. */
export const ReportSchema = z.object({
  version: z.literal(1),
  model: z.string(),
  seed: count,
  limit: count,
  sets: z.array(z.string()),
  /** The hash of the constant part of each role's prompts. */
  prompts: z.partialRecord(ModelRoleSchema, z.string()),
  traits: TraitsSchema,
  items: z.array(ItemSchema).readonly(),
});
export type Report = z.infer<typeof ReportSchema>;

/**
 * Reads a report that `--out` has written.
 *
 * @throws UsageError where there is none, or it is of another form.
 */
export async function readReport(file: string): Promise<Report> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`Cannot read the report "${file}" (${reason}): write one with --out`);
  });
  const report = ReportSchema.safeParse(parse(text));
  if (report.success) return report.data;
  const [issue] = report.error.issues;
  const place = issue === undefined ? "" : ` (${issue.path.join(".")}: ${issue.message})`;
  throw new UsageError(
    `Cannot use "${file}" as a report of npm run evaluate${place}: write a new one with --out`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
