import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { z } from "zod";
import { findStrictBreaches } from "../../../models/schema/find-breaches.ts";
import { normalizeAnswer } from "../../../models/answers/normalize-answer.ts";
import { JsonSchema, type Json, type JsonObject } from "../../../state/json.ts";
import type { NamedSchema } from "../../../state/model.ts";
import { nameSchema } from "../../../state/strict-schema.ts";
import { LooseWriter } from "../../support/loose-answers.ts";
import { listMealsAnswers, listMealsTools } from "../../support/sent-schemas.ts";
import { strictValues } from "../../support/strict-values.ts";

/** `NORMALIZE_CASES=10000 npm test -- test/models/answers/normalize-answer.test.ts` is models.md's proof. */
const numRuns = Number(process.env["NORMALIZE_CASES"] ?? 8);
const LAW = { numRuns };
const TIMEOUT = 30_000 + numRuns * 100;

const Tree = z.object({
  label: z.string(),
  rank: z.int().meta({ absent: 1 }),
  get children() {
    return z.array(Tree);
  },
});
const TREE = nameSchema("tree", { description: "A recursive schema.", schema: Tree });

const SENT = [...listMealsAnswers(), ...listMealsTools(), TREE];

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

test("defaults are stated for keys that decide nothing, and each fits its key", () => {
  const absent = SENT.flatMap((named) =>
    (named.absent ?? []).map((each) => ({ each, key: each.pointer.at(-1), named })),
  );

  expect(new Set(absent.map(({ key }) => key))).toEqual(
    new Set("reasoning,clearAll,all,journey,stance,isNews,meta,group,rank,why,stakes".split(",")),
  );
  const unfit = absent.filter(({ each, named }) => {
    const value = "position" in each ? 1 : each.value;
    const key = findPlace(named.schema, each.pointer);
    return findStrictBreaches({ key: value }, objectWith(key)).length > 0;
  });
  expect(unfit).toEqual([]);
});

describe.each(SENT.map((named) => [named.name, named] as const))(
  "normalizeAnswer() of %s",
  (_, named) => {
    const values = strictValues(named.schema);

    test.prop([values, seeds], LAW)(
      "gives back a valid value, however loosely it was written",
      (value, seed) => {
        const writer = new LooseWriter(named, seed);
        const text = writer.dress(writer.loosen(value));

        expect(normalizeAnswer(text, named).value).toEqual(value);
      },
      TIMEOUT,
    );

    test.prop([values], LAW)(
      "leaves a valid value as it is",
      (value) => {
        const untouched = { value, mended: [], thought: "" };

        expect(normalizeAnswer(JSON.stringify(value), named)).toEqual(untouched);
        expect(findStrictBreaches(value, named.schema)).toEqual([]);
      },
      TIMEOUT,
    );

    test.prop([values, fc.jsonValue(), seeds], LAW)(
      "changes nothing the second time",
      (value, other, seed) => {
        const broken = new LooseWriter(named, seed).breakValue(value, JsonSchema.parse(other));

        const once = normalizeAnswer(JSON.stringify(broken), named);
        const twice = normalizeAnswer(JSON.stringify(once.value), named);

        expect(twice).toEqual({
          value: JSON.parse(JSON.stringify(once.value)),
          mended: [],
          thought: "",
        });
      },
      TIMEOUT,
    );

    test.prop([values, seeds], LAW)(
      "never makes up a key that has no default",
      (value, seed) => {
        const damaged = new LooseWriter(named, seed).damage(value);

        const { value: found, mended } = normalizeAnswer(JSON.stringify(damaged.value), named);

        expect({ found, mended }).toEqual({ found: damaged.value, mended: [] });
        expect(findStrictBreaches(found, named.schema).length > 0).toBe(damaged.removed);
      },
      TIMEOUT,
    );
  },
);

const NOTE = nameSchema("note", {
  description: "A note.",
  schema: z.object({
    reasoning: z.string().meta({ absent: "" }),
    lane: z.enum(["task", "concierge"]),
    count: z.int().nullable(),
    urgent: z.boolean(),
    steps: z.array(
      z.object({ title: z.string(), group: z.int().meta({ absent: { position: true } }) }),
    ),
    rows: z.array(z.array(z.string())),
    extra: z.object({ flag: z.boolean().meta({ absent: false }) }).nullable(),
  }),
});
const GIVEN = {
  reasoning: "Why",
  lane: "task",
  count: 3,
  urgent: true,
  steps: [{ title: "Shop", group: 1 }],
  rows: [["a", "b"]],
  extra: { flag: true },
};
const TEXT = JSON.stringify(GIVEN);

function note(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...GIVEN, ...changes });
}

describe("normalizeAnswer()", () => {
  test.each<[string, string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["a fence", `\`\`\`json\n${TEXT}\n\`\`\``, {}, ["answer: code fence removed"]],
    ["words around it", `Gladly: ${TEXT}.`, {}, ["answer: words around it removed"]],
    ["its name around it", `{"note":${TEXT}}`, {}, ["answer: wrapper removed"]],
    [
      "a call of its name",
      JSON.stringify({ name: "note", parameters: { note: GIVEN } }),
      {},
      ["answer: wrapper removed"],
    ],
    ["a list of one", `[${TEXT}]`, {}, ["answer: wrapper removed"]],
    ["a text of JSON", JSON.stringify(TEXT), {}, ["answer: wrapper removed"]],
    [
      "comments and trailing commas",
      `${TEXT.replace(/,(?="count")/u, ', // so {"\n').slice(0, -1)}, /* { */ }`,
      {},
      ["answer: words around it removed", "answer: comments or trailing commas removed"],
    ],
    [
      "an answer given twice",
      `${TEXT}\n${TEXT}`,
      {},
      ["answer: one of several taken", "answer: words around it removed"],
    ],
    [
      "an earlier answer before the last one",
      `\`\`\`json\n${TEXT}\n\`\`\`\nBetter:\n\`\`\`json\n${note({ count: 4 })}\n\`\`\``,
      { count: 4 },
      ["answer: one of several taken", "answer: code fence removed"],
    ],
    [
      "something else around it",
      `{"note":"draft"} ${TEXT} {"lane":"task"} {see [1]}`,
      {},
      ["answer: one of several taken", "answer: words around it removed"],
    ],
    [
      "keys that are left out",
      note({ reasoning: undefined, count: undefined, steps: undefined, extra: undefined }),
      { reasoning: "", count: null, steps: [], extra: null },
      [
        "reasoning: default added",
        "count: null added",
        "steps: empty list added",
        "extra: null added",
      ],
    ],
    [
      "null for what cannot be null",
      note({ reasoning: null, rows: null, extra: { flag: null } }),
      { reasoning: "", rows: [], extra: { flag: false } },
      ["reasoning: default added", "rows: null made an empty list", "extra.flag: default added"],
    ],
    [
      "positions that are left out",
      note({ steps: [{ title: "Shop", group: 2 }, { title: "Cook" }, { title: "Eat" }] }),
      {
        steps: [
          { title: "Shop", group: 2 },
          { title: "Cook", group: 2 },
          { title: "Eat", group: 3 },
        ],
      },
      ["steps.1.group: default added", "steps.2.group: default added"],
    ],
    [
      "single values for lists",
      note({ steps: { title: "Shop" }, rows: ["a", "b"] }),
      {},
      ["steps: made a list", "steps.0.group: default added", "rows: made a list"],
    ],
    [
      "numbers and truth as text",
      note({ count: "3", urgent: " True" }),
      {},
      ["count: text made a number", "urgent: text made true or false"],
    ],
    [
      "a value in other letters",
      note({ lane: " Task" }),
      {},
      ["lane: case and blanks of a value corrected"],
    ],
    [
      "keys that nobody asked for",
      note({ "my secret": 1, extra: { flag: true, mood: "good" } }),
      {},
      ["extra: unknown key dropped", "answer: unknown key dropped"],
    ],
  ])("mends %s", (_, text, changes, mended) => {
    expect(normalizeAnswer(text, NOTE)).toEqual({
      value: { ...GIVEN, ...changes },
      mended,
      thought: "",
    });
  });

  test.each([
    ["a whole block", `<think>So "{}"</think>\n${TEXT}`, 'So "{}"'],
    ["another tag", ` <Reasoning>So</reasoning>${TEXT}`, "So"],
    ["a closing tag alone", `So it {is}</think>${TEXT}`, "So it {is}"],
    ["an opening tag alone", `<think>${TEXT}`, ""],
  ])("takes out thinking: %s", (_, text, thought) => {
    expect(normalizeAnswer(text, NOTE)).toEqual({ value: GIVEN, mended: [], thought });
  });

  test("leaves tags inside of an answer's texts", () => {
    const given = { ...GIVEN, reasoning: "</think> <think>" };

    expect(normalizeAnswer(JSON.stringify(given), NOTE)).toMatchObject({
      value: given,
      thought: "",
    });
    const fenced = `Here:\n\`\`\`\n${JSON.stringify(given)}\n\`\`\``;
    expect(normalizeAnswer(fenced, NOTE)).toMatchObject({ value: given, thought: "" });
  });

  test.each([
    ["no JSON", "Gladly.", ""],
    ["nothing", "", ""],
    ["thinking that does not end", "<think>I could {try}", "I could {try}"],
    ["JSON in its thinking only", `<think>${TEXT}</think>`, TEXT],
    ["half an answer", TEXT.slice(0, -5), ""],
  ])("finds no value in %s", (_, text, thought) => {
    expect(normalizeAnswer(text, NOTE)).toEqual({ value: undefined, mended: [], thought });
  });

  const PROMPT = `You note.\n\n## Example\n\nMessage: "so"\nAnswer: ${TEXT}\n\nThat was it.`;
  const OTHER = { ...GIVEN, count: 4 };

  test.each([
    ["the example of the prompt", TEXT],
    ["a loose copy of it", JSON.stringify([{ ...GIVEN, count: "3", reasoning: undefined }])],
    ["the whole prompt", PROMPT],
  ])("takes no value of %s", (_, text) => {
    // Half an object hides what stands behind it in the same text.
    const shown = [`{"\n${PROMPT}`, `Answer: ${note({ reasoning: "" })}`];

    expect(normalizeAnswer(text, NOTE, shown).value).toBeUndefined();
    expect(normalizeAnswer(`${text}\n${JSON.stringify(OTHER)}`, NOTE, shown).value).toEqual(OTHER);
    expect(normalizeAnswer(`${JSON.stringify(OTHER)}\n${text}`, NOTE, shown).value).toEqual(OTHER);
  });

  test("leaves what cannot be mended for the check that follows", () => {
    const { lane: _lane, ...rest } = GIVEN;
    const wrong = { ...rest, count: "three", urgent: 1, extra: "flag" };

    expect(normalizeAnswer(JSON.stringify(wrong), NOTE)).toEqual({
      value: wrong,
      mended: [],
      thought: "",
    });
  });

  test("does not unwrap what the schema itself calls so", () => {
    const named: NamedSchema = {
      ...NOTE,
      schema: objectWith(objectWith({ type: "string" }, "note"), "note"),
    };

    expect(normalizeAnswer('{"note":{"note":"x"}}', named).value).toEqual({ note: { note: "x" } });
  });

  test("stays upright however deep an answer goes", () => {
    const deep = `${'{"children":['.repeat(20_000)}${"]}".repeat(20_000)}`;

    expect(normalizeAnswer(deep, TREE).mended.length).toBeGreaterThan(50);
    expect(normalizeAnswer(`So: ${deep}`, TREE, [`So: ${deep}`]).thought).toBe("");
    expect(findStrictBreaches(JSON.parse(deep), TREE.schema).length).toBeGreaterThan(50);
  });

  test.prop([
    fc.string({
      unit: fc.constantFrom("<think>", "</think>", "```", "\n", "{", "}", '"a":', "1", "["),
    }),
  ])("takes any text", (text) => {
    expect(() => normalizeAnswer(text, NOTE)).not.toThrow();
  });
});

function objectWith(schema: Json, key = "key"): JsonObject {
  return {
    type: "object",
    properties: { [key]: schema },
    required: [key],
    additionalProperties: false,
  };
}

function findPlace(schema: Json, pointer: readonly string[]): Json {
  return pointer.reduce<Json>((place, key) => {
    const inner = Array.isArray(place) ? place[Number(key)] : Object(place)[key];
    return JsonSchema.parse(inner);
  }, schema);
}
