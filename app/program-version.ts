import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { z } from "zod";

/** The program's version, from its own package.json. */
export function programVersion(): string {
  const path = findPackageJSON("..", import.meta.url);
  if (path === undefined)
    throw new Error("Cannot tell the program's version: it has no package.json");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
