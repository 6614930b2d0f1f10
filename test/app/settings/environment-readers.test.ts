import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM =
  "{app,cli,domain,driver,graph,meals,models,nodes,packaging,server,storage,studio,telemetry,worker}/**/*.ts";

/** Places that use the environment for something other than a setting. */
const NO_SETTINGS = [
  // npm's name of the running script: whoever started the process.
  "cli/serve/run-serve.ts",
  "studio/run-studio.ts",
  // Hands the environment, and the door in it, from one process to another.
  "studio/dev-server.ts",
  "studio/studio.ts",
];

test("nothing but app/settings/env-file.ts reads settings from the process's environment", () => {
  const readers = globSync(PROGRAM, { cwd: ROOT }).filter((file) =>
    /\bprocess\.(?:env|loadEnvFile)\b/.test(readFileSync(join(ROOT, file), "utf8")),
  );

  expect(readers.toSorted()).toEqual([...NO_SETTINGS, "app/settings/env-file.ts"].toSorted());
});
