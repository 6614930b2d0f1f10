import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { JsonSchema, type JsonObject } from "../state/json.ts";
import { PendingSchema } from "../state/pending.ts";
import { toPublicJson, type PrivateValues } from "./public-state.ts";

/** A confirmation as LangGraph's clients read a question for a decision. */
export const InterruptSchema = z.object({
  /** The confirmation's. */
  id: z.string(),
  value: z.object({
    action_requests: z.array(
      z.object({ name: z.string(), args: JsonSchema, description: z.string() }),
    ),
    review_configs: z.array(
      z.object({ action_name: z.string(), allowed_decisions: z.array(z.string()) }),
    ),
  }),
});
export type Interrupt = z.infer<typeof InterruptSchema>;

const ALLOWED_DECISIONS = ["approve", "reject"];

/**
 * Returns the confirmation that waits in a state, as the only entry of its interrupts, by refs and without
 * database ids; none where nothing waits for a yes, or no longer. Pure.
 *
 * Source: domain.md §3.
 */
export function listInterrupts({ pending }: PrivateValues, now: Date): Interrupt[] {
  const asked = PendingSchema.nullish().parse(pending);
  if (asked?.kind !== "confirmation") return [];
  const expires = Temporal.Instant.from(asked.expiresAt).epochMilliseconds;
  if (expires <= now.getTime()) return [];
  const { id, calls } = asked;
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const value = {
    action_requests: calls.map(({ tool, args, wording }) => ({
      name: tool,
      args: toPublicJson(args),
      description: wording,
    })),
    review_configs: tools.map((tool) => ({
      action_name: tool,
      allowed_decisions: ALLOWED_DECISIONS,
    })),
  };
  return [{ id, value }];
}

/** Adds the confirmation that waits to the public values, or the last update, of a run that has ended. Pure. */
export function withInterrupts(values: JsonObject, interrupts: readonly Interrupt[]): JsonObject {
  return interrupts.length === 0 ? values : { ...values, __interrupt__: [...interrupts] };
}
