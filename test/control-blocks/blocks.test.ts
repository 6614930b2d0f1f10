import { expect, test } from "vitest";
import { z } from "zod";
import { readBlocks } from "../../control-blocks/gate.ts";
import { readYaml } from "../support/read-yaml.ts";

const text = z.string();
const CASES = readYaml(
  new URL("blocks.yaml", import.meta.url),
  z.object({
    texts: z.array(z.object({ name: text, text, userResponse: text, blocks: z.unknown() })),
    fences: z.array(z.object({ name: text, text, userResponse: text })),
  }),
);

test.each(CASES.texts)("readBlocks() reads $name", ({ text, userResponse, blocks }) => {
  expect(readBlocks(text)).toEqual({ userResponse, blocks });
});

test.each(CASES.fences)("readBlocks() treats a code fence $name", ({ text, userResponse }) => {
  expect(readBlocks(text).userResponse).toBe(userResponse);
});
