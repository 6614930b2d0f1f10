import { z } from "zod";
import type { NamedSchema, ToolCall } from "../state/model.ts";
import { ArtifactSchema } from "../state/step.ts";
import { toStrictSchema } from "../state/strict-schema.ts";

const CompleteStepSchema = z.object({
  /** One line on what came of it. */
  resultSummary: z.string(),
  noteForNextStep: z.string().nullable(),
  refs: z.array(z.string()),
  artifacts: z.array(ArtifactSchema),
});
const AskUserSchema = z.object({ partialAnalysis: z.string(), question: z.string() });
const BlockStepSchema = z.object({
  reason: z.string(),
  tried: z.string(),
  suggestion: z.enum(["ask", "replan", "stop"]),
});
const FailStepSchema = z.object({ reason: z.string() });

/** How a step ends, as its model says it. */
export type StepEnd =
  | ({ readonly kind: "complete" } & z.infer<typeof CompleteStepSchema>)
  | ({ readonly kind: "ask" } & z.infer<typeof AskUserSchema>)
  | ({ readonly kind: "block" } & z.infer<typeof BlockStepSchema>)
  | ({ readonly kind: "fail" } & z.infer<typeof FailStepSchema>);

const STEP_TOOLS = {
  complete_step: {
    kind: "complete",
    description:
      "End the step with its result. refs: touched, for an analysis the viable ones. artifacts: drafts, for generate.",
    schema: CompleteStepSchema,
  },
  ask_user: {
    kind: "ask",
    description: "End the step with a question only the person can answer, and the analysis so far.",
    schema: AskUserSchema,
  },
  block_step: {
    kind: "block",
    description: "End the step because something stands in its way.",
    schema: BlockStepSchema,
  },
  fail_step: {
    kind: "fail",
    description: "End the step because it cannot be done.",
    schema: FailStepSchema,
  },
} as const;

/** The tools with which a step ends, beside the domain's. */
export const STEP_TOOL_SCHEMAS: readonly NamedSchema[] = Object.entries(STEP_TOOLS).map(
  ([name, { description, schema }]) => ({ name, description, schema: toStrictSchema(schema, name) }),
);

/** Whether a call ends its step rather than doing something. */
export function endsStep(call: ToolCall): boolean {
  return Object.hasOwn(STEP_TOOLS, call.name);
}

/** How a call ends its step, or what is wrong with it. */
export function readStepEnd(call: ToolCall): StepEnd | { readonly kind: "wrong"; readonly problem: string } {
  switch (call.name) {
    case "complete_step":
      return read("complete", CompleteStepSchema, call);
    case "ask_user":
      return read("ask", AskUserSchema, call);
    case "block_step":
      return read("block", BlockStepSchema, call);
    case "fail_step":
      return read("fail", FailStepSchema, call);
    default:
      return { kind: "wrong", problem: `"${call.name}" does not end a step` };
  }
}

function read<K extends string, T extends object>(
  kind: K,
  schema: z.ZodType<T>,
  call: ToolCall,
): ({ readonly kind: K } & T) | { readonly kind: "wrong"; readonly problem: string } {
  if (call.argsError !== null) {
    return { kind: "wrong", problem: `${call.name}: ${call.argsError}` };
  }
  const parsed = schema.safeParse(call.args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
    );
    return { kind: "wrong", problem: `${call.name}: ${issues.join("; ")}` };
  }
  return { kind, ...parsed.data };
}
