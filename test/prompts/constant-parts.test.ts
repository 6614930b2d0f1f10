import { expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { pickSentParts, type NamedSchema } from "../../state/model.ts";
import { readGolden } from "../support/read-golden.ts";
import { listAnswerSchemas, listToolSchemas } from "../support/sent-schemas.ts";

/**
 * Tokens of what never changes in a node's prompt for meals, system text and schemas: `plain` before
 * fields were described and examples shown, and what these may add to it. That is 700 tokens for
 * Understand and a fifth for every other node (models.md §3). What living-plan.md adds to the answers
 * of Understand (284) and workflow (149) is counted without its descriptions.
 */
const ANSWERING = [
  ["understand", { plain: 2_191, added: 700 }],
  ["think", { plain: 1_848, added: 369 }],
  ["mapper", { plain: 503, added: 100 }],
  ["summarize", { plain: 168, added: 33 }],
  ["workflow", { plain: 400, added: 80 }],
  ["roll-over", { plain: 508, added: 101 }],
] as const;

test.each(ANSWERING)(
  "the descriptions and the example of %s cost no more than they may",
  async (node, { plain, added }) => {
    const schema = listAnswerSchemas(mealsDomain).get(node);
    const tokens = await countConstant(node, schema === undefined ? [] : [schema]);
    expect(tokens).toBeLessThanOrEqual(plain + added);
  },
);

test.each([
  ["read", 975],
  ["analyze", 627],
  ["generate", 825],
  ["write", 1_428],
] as const)(
  "Act's tools and example for a step to %s tasks cost a fifth at most",
  async (stepType, plain) => {
    const tools = listToolSchemas(mealsDomain).get(`${stepType} tasks`) ?? [];
    expect(await countConstant(`act-${stepType}`, tools)).toBeLessThanOrEqual(plain * 1.2);
  },
);

test("Reply's example costs a fifth of its constant part at most", async () => {
  expect(await countConstant("reply", [])).toBeLessThanOrEqual(332 * 1.2);
});

async function countConstant(node: string, schemas: readonly NamedSchema[]): Promise<number> {
  const text = await readGolden(`${node}.empty`);
  const system = /^# system\n\n([\s\S]*?)\n+# user\n/u.exec(text)?.[1] ?? "";
  expect(system).not.toBe("");
  const sent = schemas.map((schema) => JSON.stringify(pickSentParts(schema)));
  return [system, ...sent].reduce((sum, part) => sum + countTokens(part), 0);
}
