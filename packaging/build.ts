import { spawnSync } from "node:child_process";
import { cp, glob, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { writeSchemas } from "../schemas/generate.ts";

// `npm run build`: replaces `dist/` with JavaScript, declarations, data files and JSON Schemas.

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist");
/** Data files that the program reads at run time. */
const DATA = "{meals,simulated-model,storage}/**/*.{sql,ohm,yaml}";

await rm(OUT, { recursive: true, force: true });
process.exitCode = compile();
for await (const file of glob(DATA, { cwd: ROOT })) await cp(join(ROOT, file), join(OUT, file));
await writeSchemas(join(OUT, "schemas"));

function compile(): number {
  const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(typescript), "bin/tsc");
  const project = join(ROOT, "tsconfig.build.json");
  const { status } = spawnSync(process.execPath, [compiler, "--project", project], {
    stdio: "inherit",
  });
  return status ?? 1;
}
