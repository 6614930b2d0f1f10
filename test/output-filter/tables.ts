import { z } from "zod";
import { readYaml } from "../support/read-yaml.ts";

const TableSchema = z.object({
  leaking: z.array(z.string()),
  innocent: z.array(z.string()),
  meta: z.array(z.string()),
  notMeta: z.array(z.string()),
});

/** Each half of the examples: ours, and one that was written without sight of the code. */
export const TABLES = ["own.yaml", "blind.yaml"].map((file) =>
  Object.assign(readYaml(new URL(file, import.meta.url), TableSchema), { file }),
);
