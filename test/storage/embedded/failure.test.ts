import { expect, test } from "vitest";
import { z } from "zod";
import { explainServerFailure } from "../../../storage/embedded/failure.ts";
import { readYaml } from "../../support/read-yaml.ts";

const CASES = readYaml(
  new URL("failure.yaml", import.meta.url),
  z.array(z.object({ output: z.string(), meaning: z.string() })),
);

test.each(CASES)("explainServerFailure() explains $output", ({ output, meaning }) => {
  const error = explainServerFailure({ action: "start", folder: "/data", output });
  expect(error.message).toBe(`Cannot start the database in "/data": ${meaning}`);
  expect(error.cause).toBe(output);
});
