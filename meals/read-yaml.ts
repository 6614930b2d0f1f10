import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { z } from "zod";

/** Reads a data file that is delivered beside the code, and checks it against its schema. */
export function readYaml<S extends z.ZodType>(file: URL, schema: S): z.infer<S> {
  return schema.parse(parse(readFileSync(file, "utf8")));
}
