import { z } from "@hono/zod-openapi";
import { JsonSchema } from "../state/json.ts";
import type { ApiApp } from "./route.ts";
import type { ServerSettings } from "./settings.ts";

// A recursive schema needs a name, or the document would be infinite. Not `JsonSchema.openapi`: it
// exists only if the library was loaded before the schema was created.
z.ZodType.prototype.openapi.call(JsonSchema, "Json");

/** Returns the OpenAPI document of all routes of the app, as JSON. */
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

/** Removes the flags of patterns: the library writes them as part of the source, where a reader would take them for letters. */
function withoutFlags(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string"
    ? value.replace(/(?<=\$)\/[a-z]+$/, "")
    : value;
}

/** Adds the ways to authenticate to the document. */
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
