import { parse } from "yaml";
import { z } from "zod";
import { LaneSchema } from "../../state/understanding.ts";

/** How many rows: exactly so many, at least one, or (of deletions) every one that was there. */
export const RowCountSchema = z.union([
  z.number().int().nonnegative(),
  z.literal("some"),
  z.literal("all"),
]);
export type RowCount = z.infer<typeof RowCountSchema>;

/** What must happen in a turn; a key that is absent is not checked. */
export const ExpectationSchema = z.strictObject({
  lane: LaneSchema.optional(),
  /** Answered by one look, without a plan. */
  quick: z.boolean().optional(),
  /** `false`: the reply puts no question that blocks the work. */
  asks: z.boolean().optional(),
  /** Table → number of reads that really ran; tables that are not named are not read. */
  reads: z.record(z.string(), z.number().int().positive()).optional(),
  /** At least so many reads were answered from the registry. */
  suppressed: z.number().int().nonnegative().optional(),
  /** Table → rows changed, counted in the database; tables that are not named are not changed. */
  effects: z
    .record(
      z.string(),
      z.strictObject({
        created: RowCountSchema.optional(),
        updated: RowCountSchema.optional(),
        deleted: RowCountSchema.optional(),
      }),
    )
    .optional(),
  /** Refs that this turn took out. */
  demoted: z.array(z.string()).optional(),
  /** Refs of their types that can be chosen after the turn. */
  viable: z.array(z.string()).optional(),
  says: z.array(z.string()).optional(),
  never: z.array(z.string()).optional(),
  /** Node → text that its prompt of this turn contains. */
  prompt: z.record(z.string(), z.string()).optional(),
  phase: z.string().optional(),
  /** What must hold, in words; `then.ts` knows each. */
  // oxlint-disable-next-line unicorn/no-thenable -- the scenarios' own word, and no function
  then: z.string().optional(),
});
export type Expectation = z.infer<typeof ExpectationSchema>;

const TurnSchema = z.strictObject({ say: z.string().min(1), expect: ExpectationSchema.optional() });

/** One conversation with what must happen. */
export const ScenarioSchema = z.strictObject({
  id: z.string().min(1),
  about: z.string().optional(),
  turns: z.array(TurnSchema).min(1),
});
export type Scenario = z.infer<typeof ScenarioSchema>;

/** Scenario id → turn → other wordings of what is said there. */
export const WordingsSchema = z.record(z.string(), z.array(z.array(z.string().min(1))));
export type Wordings = z.infer<typeof WordingsSchema>;

/** Reads a file of scenarios. @throws Error that names file and key of what does not fit. */
export function parseScenarios(text: string, file: string): readonly Scenario[] {
  return parseWith(z.array(ScenarioSchema), { value: rejoinSentences(parse(text)), file });
}

/** Reads a file of wordings. @throws Error that names file and key of what does not fit. */
export function parseWordings(text: string, file: string): Wordings {
  return parseWith(WordingsSchema, { value: parse(text), file });
}

function parseWith<T>(
  schema: z.ZodType<T>,
  { value, file }: { readonly value: unknown; readonly file: string },
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Cannot read the scenarios in "${file}": ${problems.join("; ")}`);
}

/**
 * Puts a `then` together again that stands unquoted in braces: YAML cuts it at its commas and takes
 * the rest for keys without a value.
 */
function rejoinSentences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rejoinSentences);
  if (typeof value !== "object" || value === null) return value;
  const whole: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value)) {
    const last = whole.at(-1);
    if (part === null && last?.[0] === "then") last[1] = `${String(last[1])}, ${key}`;
    else whole.push([key, rejoinSentences(part)]);
  }
  return Object.fromEntries(whole);
}
