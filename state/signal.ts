import { z } from "zod";
import {
  ExecutionHandoverSchema,
  type ExecutionHandover,
  type IntentHandover,
} from "./handover.ts";

/** A starter's answer read: what the person sees, and the handover where a valid one came. */
export interface IntentSignal {
  readonly userResponse: string;
  readonly handover: IntentHandover | null;
}

export type BatchType = "WORKFLOW" | "STEP_HELP";

/** An explorer's or executor's answer read: what the person sees, and the batch it asks for. */
export interface BatchSignal {
  readonly userResponse: string;
  /** Null where there is no block that can be read. */
  readonly type: BatchType | null;
  /** Of a WORKFLOW, where it has a goal. */
  readonly handover: ExecutionHandover | null;
  /** The prompt for the experts; null when the block has none. */
  readonly batchPrompt: string | null;
  readonly step: string | null;
  readonly blocker: string | null;
  readonly context: string | null;
}

/** A batch that a concierge has asked for, as the turn keeps it until it is run. */
export const RequestedBatchSchema = z.object({
  type: z.enum(["WORKFLOW", "STEP_HELP"]),
  prompt: z.string(),
  handover: ExecutionHandoverSchema.nullable(),
  step: z.string().nullable(),
});
export type RequestedBatch = z.infer<typeof RequestedBatchSchema>;
