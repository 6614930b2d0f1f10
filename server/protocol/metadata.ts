import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";

/** What clients note of threads and runs: any JSON object. */
export const MetadataSchema = z
  .record(z.string(), z.unknown())
  .transform((metadata): JsonObject => JsonObjectSchema.parse(metadata));
