import type { z } from "zod";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";

/** Metadata of threads and runs, stored or searched for; refused if the database cannot store it unchanged. */
export const MetadataSchema: z.ZodType<JsonObject> = JsonObjectSchema.superRefine(
  (metadata, context) => {
    const path = findUnkeepable(metadata);
    if (path === null) return;
    const message = "it has characters that cannot be stored: leave out U+0000 and lone surrogates";
    context.addIssue({ code: "custom", path: [...path], message });
  },
);

/** Returns the path of the first text or field name that the database cannot store. */
function findUnkeepable(value: Json): readonly PropertyKey[] | null {
  if (typeof value === "string") return isKeepable(value) ? null : [];
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const below = isKeepable(key) ? findUnkeepable(inner) : [];
    if (below !== null) return [key, ...below];
  }
  return null;
}

function isKeepable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
