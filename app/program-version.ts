import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { z } from "zod";

/** Returns the version in the program's package.json. */
export function programVersion(): string {
  const path = findPackageJSON("..", import.meta.url);
  if (path === undefined)
    throw new Error("Cannot read the program's version: its package.json is missing");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
