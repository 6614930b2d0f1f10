import { z } from "zod";
import type { Domain, DomainTool } from "../../state/domain.ts";
import type { Toolbox } from "../../domain/toolbox.ts";
import type { NamedSchema, ToolCall } from "../../state/model.ts";
import type { StepType } from "../../state/plan.ts";
import { ArtifactSchema } from "../../state/step.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import { idSchema } from "../../state/ids.ts";
import { RECALL_SCHEMA } from "./recall.ts";

const CompleteStepSchema = z.object({
  /** One line on what came of it. */
  resultSummary: z.string(),
  noteForNextStep: z.string().nullable(),
  refs: z.array(idSchema("ref")),
});
const CompleteDraftsSchema = CompleteStepSchema.extend({ artifacts: z.array(ArtifactSchema) });
const AskUserSchema = z.object({ partialAnalysis: z.string(), question: z.string() });
const BlockStepSchema = z.object({
  reason: z.string(),
  tried: z.string(),
  suggestion: z.enum(["ask", "replan", "stop"]),
});
const FailStepSchema = z.object({ reason: z.string() });

/** A completion without drafts, as every step but `generate` gives it. */
const PlainCompleteSchema = CompleteStepSchema.transform((end) => ({ ...end, artifacts: [] }));

/** The end of a step, as its model states it. */
export type StepEnd =
  | ({ readonly kind: "complete" } & z.infer<typeof CompleteDraftsSchema>)
  | ({ readonly kind: "ask" } & z.infer<typeof AskUserSchema>)
  | ({ readonly kind: "block" } & z.infer<typeof BlockStepSchema>)
  | ({ readonly kind: "fail" } & z.infer<typeof FailStepSchema>);

/** The end of a step that its model calls complete. */
export type CompleteEnd = StepEnd & { readonly kind: "complete" };

const ENDINGS: readonly NamedSchema[] = [
  nameSchema("ask_user", {
    description: "End the step with a question to the person.",
    schema: AskUserSchema,
  }),
  nameSchema("block_step", {
    description: "End the step because something stands in its way.",
    schema: BlockStepSchema,
  }),
  nameSchema("fail_step", {
    description: "End the step because it cannot be done.",
    schema: FailStepSchema,
  }),
];
const COMPLETE_STEP = nameSchema("complete_step", {
  description:
    "End the step with its result. refs: those it is about. artifacts: the drafts of a generate step, else [].",
  schema: CompleteDraftsSchema,
});

/** Returns every tool of Act. The list is the same for each step, so that endpoints can cache it. */
export function actTools(toolbox: Pick<Toolbox, "schemas">): readonly NamedSchema[] {
  return [...toolbox.schemas, RECALL_SCHEMA, COMPLETE_STEP, ...ENDINGS];
}

/**
 * The tools that a step of a type may call, apart from those that end it. A step that judges or
 * makes has its rows in the prompt and reads nothing; only a write step can change data.
 */
export function callableTools(
  stepType: StepType,
  { tools }: Pick<Toolbox, "tools">,
  domain: Pick<Domain, "tools">,
): readonly string[] {
  const callable = tools.filter((tool) => mayCall(stepType, tool, domain));
  return [...callable.map(({ name }) => name), RECALL_SCHEMA.name];
}

/** Returns true where a step of the type may call a tool of its domain. */
export function mayCall(
  stepType: StepType,
  { name, effect, confirm }: Pick<DomainTool, "name" | "effect" | "confirm">,
  domain: Pick<Domain, "tools">,
): boolean {
  const isOutsideChange = effect === "call" && confirm === "always";
  switch (stepType) {
    case "read":
      return effect !== "write" && !isOutsideChange;
    case "analyze":
      return false;
    case "generate":
      return (
        effect !== "write" && !isOutsideChange && domain.tools.some((own) => own.name === name)
      );
    case "write":
      return true;
    default:
      return stepType satisfies never;
  }
}

const ENDING_NAMES: ReadonlySet<string> = new Set(
  [COMPLETE_STEP, ...ENDINGS].map(({ name }) => name),
);

/** Returns true where a call ends its step, rather than do something. */
export function endsStep(call: ToolCall): boolean {
  return ENDING_NAMES.has(call.name);
}

/** Returns true where a call ends its step with its result. */
export function completesStep(call: Pick<ToolCall, "name">): boolean {
  return call.name === COMPLETE_STEP.name;
}

/** Reads the end of a step from a call, or the problem with it. */
export function readStepEnd(
  call: ToolCall,
  stepType: StepType,
): StepEnd | { readonly kind: "wrong"; readonly problem: string } {
  switch (call.name) {
    case "complete_step":
      return stepType === "generate"
        ? read("complete", CompleteDraftsSchema, call)
        : read("complete", PlainCompleteSchema, call);
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
