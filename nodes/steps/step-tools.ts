import { z } from "zod";
import type { StepPlace, Toolbox } from "../../domain/toolbox.ts";
import type { NamedSchema, ToolCall } from "../../state/model.ts";
import type { Artifact } from "../../state/step.ts";
import { ToolInputError } from "../../state/tool.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import { idSchema } from "../../state/ids.ts";
import { RECALL_SCHEMA } from "./recall.ts";

const CompleteStepSchema = z.object({
  resultSummary: z.string().describe("one line"),
  noteForNextStep: z.string().nullable().describe("what a later step needs and cannot see"),
  refs: z.array(idSchema("ref")).describe("what it is about"),
});
const AskUserSchema = z.object({
  partialAnalysis: z.string().describe("known so far"),
  question: z.string().describe("for the person"),
});
const BlockStepSchema = z.object({
  reason: z.string().describe("what is in the way"),
  tried: z.string().describe("what was tried"),
  suggestion: z.enum(["ask", "replan", "stop"]).describe("ask the person, plan anew, or give up"),
});
const FailStepSchema = z.object({ reason: z.string().describe("why") });

/** The end of a step, as its model states it. */
export type StepEnd =
  | ({ readonly kind: "complete"; readonly artifacts: readonly Artifact[] } & z.infer<
      typeof CompleteStepSchema
    >)
  | ({ readonly kind: "ask" } & z.infer<typeof AskUserSchema>)
  | ({ readonly kind: "block" } & z.infer<typeof BlockStepSchema>)
  | ({ readonly kind: "fail" } & z.infer<typeof FailStepSchema>);

/** The end of a step that its model calls complete. */
export type CompleteEnd = StepEnd & { readonly kind: "complete" };

const BLOCK_STEP = nameSchema("block_step", {
  description: "End the step: something stands in its way.",
  schema: BlockStepSchema,
});
const ENDINGS: readonly NamedSchema[] = [
  nameSchema("ask_user", {
    description: "End the step with a question to the person.",
    schema: AskUserSchema,
  }),
  BLOCK_STEP,
  nameSchema("fail_step", {
    description: "End the step: it cannot be done.",
    schema: FailStepSchema,
  }),
];
const COMPLETE_NAME = "complete_step";
const COMPLETE_STEP = nameSchema(COMPLETE_NAME, {
  description: "End the step with its result.",
  schema: CompleteStepSchema,
});

/** Tools of Act for each kind of step. */
export class StepTools {
  readonly #toolbox: Toolbox;
  readonly #schemas = new Map<string, readonly NamedSchema[]>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** Returns the tools that a step may call and those that end it: always the same list for the same kind of step, so that endpoints can cache it. */
  list({ stepType, subdomain, tier = "full" }: StepPlace): readonly NamedSchema[] {
    const key = `${tier} ${stepType} ${subdomain}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const made = listActSchemas({ stepType, subdomain, tier }, this.#toolbox);
    this.#schemas.set(key, made);
    return made;
  }
}

function listActSchemas(place: StepPlace, toolbox: Toolbox): readonly NamedSchema[] {
  const draft = place.stepType === "generate" ? toolbox.draftSchema(place.subdomain) : null;
  const complete =
    draft === null
      ? COMPLETE_STEP
      : nameSchema(COMPLETE_NAME, {
          description: "End the step with its drafts.",
          schema: CompleteStepSchema.extend({
            artifacts: z.array(draft).describe("drafts that were made or changed"),
          }),
        });
  const tools = toolbox.listSchemas(place);
  return place.tier === "small"
    ? [...tools, complete, ...ENDINGS.filter((ending) => ending !== BLOCK_STEP)]
    : [...tools, RECALL_SCHEMA, complete, ...ENDINGS];
}

/** Returns the names of the tools that a step may call, apart from those that end it. */
export function listCallable(place: StepPlace, toolbox: Toolbox): readonly string[] {
  const names = toolbox.listTools(place).map(({ name }) => name);
  return place.tier === "small" ? names : [...names, RECALL_SCHEMA.name];
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

/** Makes the call by which code ends a step that it has decided: its result is that of the calls beside it. */
export function createCompleteCall(id: string): ToolCall {
  const args: z.infer<typeof CompleteStepSchema> = {
    resultSummary: "",
    noteForNextStep: null,
    refs: [],
  };
  return { id, name: COMPLETE_NAME, args, argsError: null };
}

/** Reads the end of a step from a call, or the problem with it. */
export function readStepEnd(
  call: ToolCall,
  place: StepPlace,
  toolbox: Toolbox,
): StepEnd | { readonly kind: "wrong"; readonly problem: string } {
  switch (call.name) {
    case "complete_step": {
      const end = read("complete", CompleteStepSchema, call);
      if (end.kind === "wrong") return end;
      return place.stepType === "generate"
        ? readDrafts(end, { call, place, toolbox })
        : { ...end, artifacts: [] };
    }
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

const GivenDraftsSchema = z.object({ artifacts: z.array(z.unknown()) });

interface DraftingCall {
  readonly call: ToolCall;
  readonly place: StepPlace;
  readonly toolbox: Toolbox;
}

function readDrafts(
  end: Omit<CompleteEnd, "artifacts">,
  { call, place, toolbox }: DraftingCall,
): StepEnd | { readonly kind: "wrong"; readonly problem: string } {
  const given = read("complete", GivenDraftsSchema, call);
  if (given.kind === "wrong") return given;
  try {
    const artifacts = given.artifacts.map((draft) => toolbox.readArtifact(place.subdomain, draft));
    return { ...end, artifacts };
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    return { kind: "wrong", problem: error.message };
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
