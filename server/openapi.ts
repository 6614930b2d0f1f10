import { z } from "@hono/zod-openapi";
import { JsonSchema } from "../state/json.ts";
import type { ApiApp } from "./route.ts";
import type { ServerSettings } from "./settings.ts";

// Refers to itself: without a name the document would never end. Not as `JsonSchema.openapi`, which
// is there only where the library was loaded before the schema was made.
z.ZodType.prototype.openapi.call(JsonSchema, "Json");

/** The OpenAPI document of all of the app's routes, as JSON. */
export function renderOpenApi(
  app: ApiApp,
  { version, access }: Pick<ServerSettings, "version" | "access">,
): string {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Concierge Graph",
      version,
      description:
        "Conversations over HTTP: LangGraph's Agent Protocol for its clients, and /chat for all others.",
    },
    ...(access.kind === "on" ? { security: [{ apiKey: [] }, { bearer: [] }] } : {}),
  });
  return JSON.stringify(document, withoutFlags);
}

/** The library writes a pattern as source text, flags and all; to a reader of the document those are letters. */
function withoutFlags(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string"
    ? value.replace(/(?<=\$)\/[a-z]+$/, "")
    : value;
}

/** Tells the document how callers say who they are. */
export function describeSecurity(app: ApiApp): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
  });
}
