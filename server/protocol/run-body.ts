import { z } from "zod";
import type { JsonObject } from "../../state/json.ts";
import { MultitaskStrategySchema, type MultitaskStrategy } from "../../state/run.ts";
import { Problem } from "../problems.ts";
import { assertUnset } from "./assert-unset.ts";
import { isAssistant } from "./assistant-id.ts";
import { readCommand, type Sent } from "./decision.ts";
import { MetadataSchema } from "./metadata.ts";
import { readPerson, RunContextSchema, type Person, type RequestContext } from "./run-context.ts";
import { idAt, IDEMPOTENCY_KEY, readRunInput, RunInputSchema } from "./run-input.ts";
import { StreamModesSchema, type StreamMode } from "./stream-modes.ts";

/** Fields of the protocol that this server does not support: refused when they are set. */
const NOT_SUPPORTED = [
  "interrupt_before",
  "interrupt_after",
  "webhook",
  "checkpoint",
  "checkpoint_id",
  "feedback_keys",
  "langsmith_tracer",
  "after_seconds",
] as const;

const unsupported = z.unknown().optional().describe("Not supported: leave it out.");

/** The body of a request for a run. Fields that are not listed are ignored. */
export const RunBodySchema = z.looseObject({
  assistant_id: z.string().describe("`concierge`, or the assistant's id."),
  input: RunInputSchema,
  command: z
    .unknown()
    .optional()
    .describe(
      'Answers the confirmation that waits: `{"resume": {"decisions": [{"type": "approve"}]}}`, or `reject`, with or without a `message`.',
    ),
  context: RunContextSchema.nullish(),
  config: z.looseObject({ configurable: RunContextSchema.nullish() }).nullish(),
  metadata: MetadataSchema.nullish(),
  stream_mode: StreamModesSchema,
  stream_subgraphs: z.boolean().nullish(),
  stream_resumable: z.boolean().nullish().describe("Ignored: every stream can be resumed."),
  multitask_strategy: MultitaskStrategySchema.nullish().describe("Default: enqueue."),
  on_disconnect: z.enum(["cancel", "continue"]).nullish().describe("Default: continue."),
  on_completion: z
    .enum(["delete", "keep"])
    .nullish()
    .describe(
      "For a run without a thread: what happens to the thread made for it. Default: delete.",
    ),
  if_not_exists: z.enum(["create", "reject"]).nullish().describe("Default: reject."),
  ...Object.fromEntries(NOT_SUPPORTED.map((field) => [field, unsupported])),
});
export type RunBody = z.infer<typeof RunBodySchema>;

/** A client's request for a run, read and checked. */
export interface AskedRun {
  /** Null resumes unfinished work. */
  readonly message: Sent | null;
  readonly person: Person;
  /** Includes prompts in its events. */
  readonly trace: boolean;
  readonly modes: readonly StreamMode[];
  readonly subgraphs: boolean;
  readonly strategy: MultitaskStrategy;
  readonly metadata: JsonObject;
  readonly ifMissing: "create" | "reject";
  readonly onDisconnect: "cancel" | "continue";
  readonly onCompletion: "delete" | "keep";
}

/** The time of a request for a run, and its idempotency key. */
export interface RunRequestContext {
  readonly now: Date;
  /** Null without the header. */
  readonly idempotencyKey: string | null;
}

/**
 * Reads the body of a request for a run.
 *
 * @throws Problem for an unknown assistant, an input without text, and what is not supported.
 */
export function readRunBody(body: RunBody, { now, idempotencyKey }: RunRequestContext): AskedRun {
  assertAssistant(body.assistant_id);
  assertUnset(body, NOT_SUPPORTED);
  const context = mergeContexts(body);
  const command = readCommand(body.command);
  if (command !== null) assertUnset(body, ["input"]);
  const message = command ?? readRunInput(body.input);
  return {
    message:
      message === null
        ? null
        : { ...message, messageId: idAt(IDEMPOTENCY_KEY, idempotencyKey) ?? message.messageId },
    person: readPerson(context, now),
    trace: context.trace ?? false,
    modes: body.stream_mode,
    subgraphs: body.stream_subgraphs ?? false,
    strategy: body.multitask_strategy ?? "enqueue",
    metadata: body.metadata ?? {},
    ifMissing: body.if_not_exists ?? "reject",
    onDisconnect: body.on_disconnect ?? "continue",
    onCompletion: body.on_completion ?? "delete",
  };
}

/** `context` outweighs the older `config.configurable`. */
function mergeContexts({ context, config }: RunBody): RequestContext {
  const older = config?.configurable;
  return {
    today: context?.today ?? older?.today,
    timeZone: context?.timeZone ?? older?.timeZone,
    locale: context?.locale ?? older?.locale,
    trace: context?.trace ?? older?.trace,
  };
}

function assertAssistant(name: string): void {
  if (isAssistant(name)) return;
  throw new Problem("assistant_not_found", {
    detail: 'Cannot run this assistant: the only one is "concierge"; use that name',
    field: "/assistant_id",
  });
}
