import { z } from "zod";
import { LIMITS, type LimitName, type Limits } from "./limits.ts";

/** Which lanes a run may take. */
export const LanesChoiceSchema = z.enum(["both", "task", "concierge"]);
export type LanesChoice = z.infer<typeof LanesChoiceSchema>;

/** The limits that a single run may narrow: what it may cost, and how long it may take. */
export const RUN_LIMITS = [
  "tokensPerTurn",
  "stepsPerPlan",
  "roundsPerStep",
  "batchTokens",
  "batchSeconds",
] as const satisfies readonly LimitName[];
export type RunLimit = (typeof RUN_LIMITS)[number];

/** Limits of a run that are narrower than the program's; stored with the run so that they still apply on resumption. */
export const TurnBoundsSchema = z.object({
  lanes: LanesChoiceSchema,
  limits: z.partialRecord(z.enum(RUN_LIMITS), z.number().int().positive()),
});
export type TurnBounds = z.infer<typeof TurnBoundsSchema>;

/** The program's settings that a run may narrow. */
export interface Boundable {
  readonly lanes: Readonly<Record<"task" | "concierge", boolean>>;
  readonly limits: Limits;
}

/**
 * A program's settings as a run with these bounds has them: never more than they were. A choice of
 * lanes that leaves none is passed over.
 */
export function narrowed<T extends Boundable>(settings: T, bounds: TurnBounds): T {
  return {
    ...settings,
    lanes: narrowedLanes(settings.lanes, bounds.lanes) ?? settings.lanes,
    limits: narrowedLimits(settings.limits, bounds.limits),
  };
}

/** The lanes that are left of a program's by a choice; null where none is. */
export function narrowedLanes(
  lanes: Boundable["lanes"],
  choice: LanesChoice,
): Boundable["lanes"] | null {
  const task = lanes.task && choice !== "concierge";
  const concierge = lanes.concierge && choice !== "task";
  return task || concierge ? { task, concierge } : null;
}

function narrowedLimits(limits: Limits, bounds: TurnBounds["limits"]): Limits {
  const changed = RUN_LIMITS.map((name) => [
    name,
    Math.min(limits[name], bounds[name] ?? limits[name]),
  ]);
  return { ...limits, ...Object.fromEntries(changed) };
}

/** Describes a limit and the consequence of reaching it, in a sentence for a form. */
export function describeLimit(name: RunLimit): string {
  const { unit, reached } = LIMITS[name];
  return `At most so many ${unit}. When they are used up, ${reached}.`;
}

/** A message that the graph was invoked with by itself, without the driver that makes a run for it. */
export interface DirectMessage {
  /** Null where there is none: nothing could be kept. */
  readonly threadId: string | null;
  readonly runId: string | null;
  readonly text: string;
  /** The caller's unvalidated context for the person and the run. */
  readonly context: unknown;
}

/** A run's beginning: the message as it is taken in, and for whom and when its turn runs. */
export interface InvokedTurn<Run> {
  readonly text: string;
  readonly run: Run;
}
