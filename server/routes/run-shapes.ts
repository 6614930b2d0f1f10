import { z } from "@hono/zod-openapi";
import { JsonObjectSchema } from "../../state/json.ts";
import { PathIdSchema } from "../protocol/ids.ts";
import { RunAnswerSchema } from "../protocol/run-answer.ts";
import { jsonAnswer, PROBLEM_RESPONSE } from "../route.ts";
import type { RunName } from "../runs/find-run.ts";

// Schemas and answers that the routes of runs share.

/** The section of OpenAPI's page that lists them. */
export const tags = ["runs"];

/** The path of a thread's runs. */
export const InThreadSchema = z.object({ thread_id: PathIdSchema });

/** The path of a run. */
export const OfRunSchema = InThreadSchema.extend({ run_id: PathIdSchema });

/** The run that a path names. */
export function nameIn(
  params: z.infer<typeof OfRunSchema>,
): RunName & { readonly threadId: string } {
  return { runId: params.run_id, threadId: params.thread_id };
}

/** A query's yes or no. */
export const FlagSchema = z.enum(["0", "1", "true", "false"]).optional();

/** Tests a flag for yes. */
export function isOn(value: z.infer<typeof FlagSchema>): boolean {
  return value === "1" || value === "true";
}

/** A run as clients see it. */
export const RunSchema = RunAnswerSchema.openapi("Run");

/** The answer with a run. */
export const RUN_ANSWER = jsonAnswer("The run", RunSchema);

/** The answer that streams a run. */
export const STREAM_ANSWER = {
  200: {
    description: "LangGraph's stream events, `metadata` first, `end` last",
    content: { "text/event-stream": { schema: z.string() } },
  },
  ...PROBLEM_RESPONSE,
};

const JSON_TYPE: string = "application/json";

/** The answer with the outcome of a run, once it has ended. */
export const OUTCOME_ANSWER = {
  200: {
    description:
      "The thread's values once the run has ended, or `__error__`; blank lines before it keep the connection open",
    // Streamed, so the type must not require `context.json`.
    content: { [JSON_TYPE]: { schema: JsonObjectSchema } },
  },
  ...PROBLEM_RESPONSE,
};
