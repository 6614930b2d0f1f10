import { z } from "@hono/zod-openapi";
import { InterruptSchema, listInterrupts, type Interrupt } from "../../graph/interrupts.ts";
import { publicValues } from "../../graph/public-state.ts";
import { JsonObjectSchema, JsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import { CheckpointSchema, toCheckpoint } from "./checkpoint.ts";

const TaskSchema = z.object({
  id: z.string(),
  name: z.string(),
  error: z.string().nullable(),
  interrupts: z.array(InterruptSchema),
  checkpoint: CheckpointSchema.nullable(),
  state: z.null(),
  result: JsonSchema,
});

/** A thread's state as the protocol writes it; `checkpoint` is null before the thread's first turn. */
export const StateAnswerSchema = z.object({
  values: JsonObjectSchema,
  next: z.array(z.string()),
  tasks: z.array(TaskSchema),
  metadata: JsonObjectSchema,
  created_at: z.string().nullable(),
  checkpoint: CheckpointSchema.nullable(),
  parent_checkpoint: CheckpointSchema.nullable(),
  interrupts: z.array(InterruptSchema),
});
export type StateAnswer = z.infer<typeof StateAnswerSchema>;

/** A state as LangGraph returns it. */
export interface Snapshot {
  readonly values: Readonly<Record<string, unknown>>;
  readonly next: readonly string[];
  readonly config: unknown;
  readonly parentConfig?: unknown;
  readonly createdAt?: string | undefined;
  readonly metadata?: object | undefined;
  readonly tasks: readonly {
    readonly id: string;
    readonly name: string;
    readonly error?: unknown;
    readonly result?: unknown;
  }[];
}

/** Returns the part of a state that its user may see. Pure. */
export function stateAnswer(snapshot: Snapshot, now: Date): StateAnswer {
  const { values, next, config, parentConfig, createdAt, metadata, tasks } = snapshot;
  // While a turn is under way, what waits may be what it answers.
  const interrupts = tasks.length === 0 ? listInterrupts(values, now) : [];
  return {
    values: publicValues(values),
    next: [...next],
    tasks: [
      ...tasks.map((task) => toTask(task, [])),
      ...interrupts.map((one) => toTask({ id: one.id, name: "confirm" }, [one])),
    ],
    metadata: publicMetadata(metadata ?? {}),
    created_at: createdAt ?? null,
    checkpoint: toCheckpoint(config),
    parent_checkpoint: toCheckpoint(parentConfig),
    interrupts,
  };
}

function toTask(
  { id, name, error, result }: Snapshot["tasks"][number],
  interrupts: Interrupt[],
): z.infer<typeof TaskSchema> {
  return {
    id,
    name,
    // The error's text may quote private data; the run's error has the public one.
    error: error === undefined || error === null ? null : "The task failed",
    interrupts,
    checkpoint: null,
    state: null,
    result: publicResult(result),
  };
}

function publicResult(result: unknown): Json {
  if (typeof result !== "object" || result === null) return null;
  return publicValues({ ...result });
}

/** Returns the metadata on how the state came about, without what LangGraph or a config added. */
function publicMetadata(metadata: object): JsonObject {
  const shown = ["source", "step", "parents"].flatMap((key): [string, Json][] => {
    const value = JsonSchema.safeParse(Reflect.get(metadata, key));
    return value.success ? [[key, value.data]] : [];
  });
  return Object.fromEntries(shown);
}
