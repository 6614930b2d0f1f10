import { expect, test } from "vitest";
import { z } from "zod";
import { describeIssue } from "../../server/describe-issue.ts";

test.each([
  [z.object({ message: z.string() }), {}, "it is missing"],
  [z.string(), 5, "it must be a text"],
  [z.int(), 1.5, "it must be a whole number"],
  [z.coerce.number(), "x", "it must be a number"],
  [z.object({}), [], "it must be an object"],
  [z.array(z.string()), "x", "it must be a list"],
  [z.enum(["enqueue", "reject"]), "queue", 'it must be one of "enqueue", "reject"'],
  [z.literal("human"), "ai", 'it must be "human"'],
  [z.int().min(1), 0, "it must be 1 at least"],
  [z.int().max(1_000), 1_001, "it must be 1000 at most"],
  [z.string().min(1), "", "it must have 1 characters at least"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "it must have 2 entries at most"],
  [z.union([z.string(), z.int()]), null, "it has the wrong form; see /openapi.json"],
  [z.string().regex(/^a/), "b", "it has the wrong form; see /openapi.json"],
  [z.string().regex(/^a/, "it has to begin with a"), "b", "it has to begin with a"],
])("describeIssue() says what %o wants instead of %j", (schema, value, sentence) => {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) throw new Error("Cannot test: the value is valid");

  expect(describeIssue(issue)).toBe(sentence);
});
