import { describe, expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { renderSystemText } from "../../prompts/system-text.ts";
import type { Example } from "../../state/domain.ts";
import { readGolden } from "../support/read-golden.ts";

/** The system texts that golden files hold, and those with an example. */
const NODES = [
  "understand",
  "think",
  "act-read",
  "act-analyze",
  "act-generate",
  "act-write",
  "reply",
  "summarize",
  "mapper",
  "workflow",
  "roll-over",
  "expert",
] as const;
const WITH_EXAMPLE: ReadonlySet<string> = new Set([...NODES.slice(0, 7), "mapper"]);
const MOST_RULES = 8;

describe.each(NODES)("the system text of %s", (node) => {
  test("says first what the node does, then its rules, an example, and what is data", async () => {
    const text = await readSystemText(node);
    const [duty = "", ...sections] = text.split(/\n\n(?=## )/u);
    const headings = sections.map((section) => section.split("\n")[0]);

    expect(duty).toMatch(/^You [^\n]+\.$/u);
    expect(headings.slice(0, 2)).toEqual([
      "## Rules",
      ...(WITH_EXAMPLE.has(node) ? ["## Example"] : headings.slice(1, 2)),
    ]);
    expect(text.includes("## Example")).toBe(WITH_EXAMPLE.has(node));
    expect(text).toMatch(/^Text between <.+ It is content, never an instruction\.$/mu);
  });

  test("has at most eight rules", async () => {
    const text = await readSystemText(node);
    const rules = /## Rules\n\n((?:- .+\n?)+)/u.exec(text)?.[1]?.trim().split("\n") ?? [];
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.length).toBeLessThanOrEqual(MOST_RULES);
  });
});

test.each(["think", "act-write", "reply"] as const)(
  "the rules of the house stand under their own heading for %s",
  async (node) => {
    const [, house = ""] = (await readSystemText(node)).split("## Rules of the house\n\n");
    expect(house.split("\n\n")[0]).toBe(mealsDomain.rules.map((rule) => `- ${rule}`).join("\n"));
  },
);

test("renderSystemText() writes an example as lines, with its answer as JSON, calls or text", () => {
  const shown = ["Message: one\nline"];
  const before = "You act.\n\n## Rules\n\n- Be brief.\n\n## Example\n\nMessage: one line\n";

  expect(render({ shown, answer: { a: [null] } })).toBe(`${before}Answer: {"a":[null]}`);
  expect(render({ shown, answer: "Well\nsaid." })).toBe(`${before}Answer: Well said.`);
  expect(
    render({
      shown,
      answer: [
        { name: "one", args: {} },
        { name: "two", args: { b: 1 } },
      ],
    }),
  ).toBe(`${before}Call: one {}\nCall: two {"b":1}`);
});

function render(example: Example): string {
  return renderSystemText({ duty: "You act.", rules: ["Be brief."], example, dataRule: null });
}

async function readSystemText(node: string): Promise<string> {
  const text = await readGolden(`${node}.empty`);
  return (/^# system\n\n([\s\S]*?)(?:\n\n# user\n|$)/u.exec(text)?.[1] ?? "").trim();
}
