import { createRoute, z } from "@hono/zod-openapi";
import { eraseUserData } from "../../storage/users/erase-user.ts";
import { exportUserData } from "../../storage/users/export-user.ts";
import type { RouteParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { jsonBody, PROBLEM_RESPONSE, type ApiApp } from "../route.ts";
import { NDJSON } from "../stream/ndjson.ts";

const tags = ["user"];

/** Typed without the name of its media type, which the library would take for JSON. */
const LINES: Record<string, { readonly schema: z.ZodString }> = {
  "application/x-ndjson": { schema: z.string() },
};

const exportRoute = createRoute({
  method: "get",
  path: "/user/export",
  summary: "Exports all data of the caller",
  description:
    'One JSON object a line: `{"kind":"row"}` for each row, `{"kind":"state"}` for each thread. If the last line is not `{"kind":"end"}`, something is missing.',
  tags,
  responses: {
    200: { description: "The data", content: LINES },
    ...PROBLEM_RESPONSE,
  },
});

const ErasureSchema = z.strictObject({
  confirm: z.string().openapi({ description: "The caller's own user id." }),
});

const eraseRoute = createRoute({
  method: "delete",
  path: "/user",
  summary: "Erases all data of the caller",
  description:
    "Threads, runs, their results and the caller's keys, for good. Refused while a run is active.",
  tags,
  request: {
    body: { required: true, ...jsonBody(ErasureSchema) },
  },
  responses: { 204: { description: "All data was erased" }, ...PROBLEM_RESPONSE },
});

/** Registers the export and the erasure of a person's own data. */
export function registerUser(app: ApiApp, parts: RouteParts): void {
  app.openapi(exportRoute, (context) => {
    const { userId } = context.get("caller");
    return parts.streams.respond({
      format: NDJSON,
      userId,
      headers: { "content-disposition": 'attachment; filename="user.jsonl"' },
      open: () => exportLines(parts, userId),
      onError: (error) => parts.log.error(error, `Request ${context.get("requestId")} was cut`),
    });
  });
  app.openapi(eraseRoute, async (context) => {
    const { userId } = context.get("caller");
    if (context.req.valid("json").confirm !== userId) throw unconfirmed();
    const outcome = await eraseUserData(parts.admin, userId);
    if (outcome === "busy") throw userBusy();
    return context.body(null, 204);
  });
}

async function* exportLines(parts: RouteParts, userId: string): AsyncGenerator<string> {
  for await (const line of exportUserData(parts, userId)) yield `${line}\n`;
}

function unconfirmed(): Problem {
  return new Problem("invalid_request", {
    detail:
      'Cannot erase without a confirmation: "confirm" is not your user id; write that id there',
    field: "/confirm",
  });
}

function userBusy(): Problem {
  return new Problem("user_busy", {
    detail: "Cannot erase while a run is active: cancel it or wait for it, then try again",
  });
}
