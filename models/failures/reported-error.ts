import { z } from "zod";

/** Further keys are kept: some name a window or a parameter. */
const ErrorSchema = z.looseObject({ message: z.string().catch(""), code: z.unknown().optional() });
export type ReportedError = z.infer<typeof ErrorSchema>;

/** OpenAI's form, one that is a text, and vLLM's without an `error` around it. */
const ReportSchema = z.union([
  z.object({ error: ErrorSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error: message }) => toError(message)),
  z.looseObject({ ...ErrorSchema.shape, object: z.literal("error") }),
]);

/** Forms that say only with the status of a failure that something has failed; the last is FastAPI's. */
const RefusalSchema = z.union([
  ReportSchema,
  z.looseObject({ message: z.string(), code: z.unknown().optional() }),
  z.object({ detail: z.json() }).transform(({ detail }) => toError(JSON.stringify(detail))),
]);

function toError(message: string): ReportedError {
  return { message };
}

/** Reads the error that a body reports, whatever its status; null where it reports none. */
export function readReportedError(body: unknown): ReportedError | null {
  return ReportSchema.safeParse(body).data ?? null;
}

/** Reads the error in a body with the status of a failure. Gemini sends a list of one. */
export function readRefusalBody(body: unknown): ReportedError | null {
  return RefusalSchema.safeParse(Array.isArray(body) ? body[0] : body).data ?? null;
}

/** Returns the HTTP status that routers put into a reported error's `code`; null where there is none. */
export function readReportedStatus(reported: ReportedError | null): number | null {
  const status = z.int().min(400).max(599).safeParse(reported?.code);
  return status.success ? status.data : null;
}
