import { z } from "zod";

/** Further keys are kept: some name a window or a parameter. */
const ErrorSchema = z.looseObject({ message: z.string().catch(""), code: z.unknown().optional() });
export type ReportedError = z.infer<typeof ErrorSchema>;

/** OpenAI's form, one that is a text, those without an `error` around them, and FastAPI's. */
const BodySchema = z.union([
  z.object({ error: ErrorSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error: message }) => toError(message)),
  z.looseObject({ message: z.string(), code: z.unknown().optional() }),
  z.object({ detail: z.json() }).transform(({ detail }) => toError(JSON.stringify(detail))),
]);

function toError(message: string): ReportedError {
  return { message };
}

/** Reads the error that a body reports, in whichever form; null where it reports none. */
export function readReportedError(body: unknown): ReportedError | null {
  return BodySchema.safeParse(body).data ?? null;
}

/** Returns the HTTP status that routers put into a reported error's `code`; null where there is none. */
export function readReportedStatus(reported: ReportedError | null): number | null {
  const status = z.int().min(400).max(599).safeParse(reported?.code);
  return status.success ? status.data : null;
}
