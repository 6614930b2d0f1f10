import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { z } from "zod";

/** Reads a table of cases that stands beside a test, and checks the shape of its rows. */
export function readYaml<S extends z.ZodType>(file: URL, schema: S): z.infer<S> {
  return schema.parse(parse(readFileSync(file, "utf8")));
}
