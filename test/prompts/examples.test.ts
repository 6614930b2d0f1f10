import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readClaimMap } from "../../claim-analysis/claim-map.ts";
import { defineDomain } from "../../domain/define-domain.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import { mealsDomain } from "../../meals/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { checkIds } from "../../nodes/ask/answer-ids.ts";
import { MAPPER_ANSWER } from "../../nodes/mapper.ts";
import { deriveWrites, selectFitting } from "../../nodes/steps/planned-calls.ts";
import { readStepEnd, StepTools } from "../../nodes/steps/step-tools.ts";
import { checkPlan } from "../../nodes/steps/think-checks.ts";
import { createThinkSchema } from "../../nodes/think.ts";
import { checkUndo } from "../../nodes/understand-checks.ts";
import { createUnderstandSchema } from "../../nodes/understand.ts";
import {
  chooseActExample,
  chooseReplyExample,
  chooseThinkExample,
  chooseUnderstandExample,
  MAPPER_EXAMPLE,
} from "../../prompts/examples.ts";
import { renderExample } from "../../prompts/system-text.ts";
import type { Domain, Example, ExampleCall } from "../../state/domain.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import type { NamedSchema } from "../../state/model.ts";
import { shopDomain } from "../shop/domain.ts";

const MOST_TOKENS = 200;
const BOTH = { task: true, concierge: true };
const { examples: _examples, ...plainMeals } = mealsDomain;

/** A domain with its own examples, the same without them, and another one. */
const DOMAINS: readonly (readonly [name: string, domain: Domain])[] = [
  ["meals", mealsDomain],
  ["meals without examples", plainMeals],
  ["shop", shopDomain],
];

describe.each(DOMAINS)("the examples of %s", (_name, domain) => {
  const toolbox = new Toolbox(domain);

  test("fit 200 tokens each", () => {
    const tokens = listExamples(domain).map(([node, example]) => [
      node,
      countTokens(renderExample(example)),
    ]);
    expect(tokens.filter(([, count]) => Number(count) > MOST_TOKENS)).toEqual([]);
  });

  test("name only refs that they show, and that no registry of the domain can have", () => {
    const prefixes = new Set(domain.entityTypes.map(({ type, refPrefix = type }) => refPrefix));
    for (const [, example] of listExamples(domain)) {
      const shown = listRefs(example.shown.join("\n"));
      expect(
        listRefs(JSON.stringify(example.answer)).filter((ref) => !shown.includes(ref)),
      ).toEqual([]);
      expect(shown.filter((ref) => prefixes.has(ref.replace(/_\d+$/u, "")))).toEqual([]);
    }
  });

  test.each([
    ["both lanes", BOTH],
    ["the task lane", { task: true, concierge: false }],
    ["the concierge lane", { task: false, concierge: true }],
  ])("of Understand in %s is an answer that passes its checks", (_lanes, lanes) => {
    const example = chooseUnderstandExample(domain, lanes);
    const schema = createUnderstandSchema(domain);

    const read = readStrictly(example, schema);

    expect(checkUndo(read, [])).toEqual([]);
    expect(read.lane === "both" || lanes[read.lane]).toBe(true);
  });

  test("of Think is a plan that passes its checks, with calls that code can run", () => {
    const plan = readStrictly(chooseThinkExample(domain), createThinkSchema(domain));

    expect(checkPlan(deriveWrites(plan), { domain, limits: DEFAULT_LIMITS })).toEqual([]);
    expect(selectFitting(plan, { domain, toolbox })).toEqual({
      calls: plan.calls,
      notices: [],
      misfits: [],
    });
  });

  test("of Act calls tools that a step has, with arguments that they take", () => {
    const subdomain = domain.subdomains[0]?.name ?? "";
    const place = { stepType: "analyze" as const, subdomain };
    const offered = new StepTools(toolbox).list(place);
    const { answer } = chooseActExample(domain);
    if (!isCalls(answer)) throw new TypeError("Cannot read the example of Act: it has no calls");

    const ends = answer.map(({ name, args }) => {
      const tool = offered.find((each) => each.name === name);
      expect(acceptsStrictly(tool, args)).toBe(true);
      return readStepEnd({ id: "call_1", name, args, argsError: null }, place, toolbox);
    });

    expect(ends.map(({ kind }) => kind)).toEqual(["complete"]);
  });

  test("of Reply is a text without refs", () => {
    const { answer } = chooseReplyExample(domain);
    expect(typeof answer === "string" ? listRefs(answer) : null).toEqual([]);
  });

  test("are taken by defineDomain() when the domain brings them as its own", () => {
    const examples = {
      understand: chooseUnderstandExample(domain, BOTH),
      think: chooseThinkExample(domain),
      act: chooseActExample(domain),
      reply: chooseReplyExample(domain),
    };
    expect(defineDomain({ ...domain, examples }).examples).toEqual(examples);
  });
});

test("the mapper's example is a map of which nothing is dropped", () => {
  const answer = readStrictly(MAPPER_EXAMPLE, MAPPER_ANSWER);
  const { map, notes } = readClaimMap(answer, { answers: MAPPER_EXAMPLE.shown.length });

  expect(notes).toEqual([]);
  expect(map).toEqual(answer);
  expect(countTokens(renderExample(MAPPER_EXAMPLE))).toBeLessThanOrEqual(MOST_TOKENS);
});

test("an example that a model copies is refused, for its refs", () => {
  const { answer } = chooseUnderstandExample(mealsDomain, BOTH);
  const { named } = createUnderstandSchema(mealsDomain);

  const unknown = checkIds(answer, named, { ref: ["recipe_1", "recipe_2"] });

  expect(unknown.map(({ path }) => path)).toEqual([
    ["references", 0, "ref"],
    ["extras", "curation", "demote", 0, "ref"],
  ]);
});

describe("a domain's own example", () => {
  const example: Example = { shown: ["Message: hello"], answer: "Hello." };
  const domain: Domain = {
    ...mealsDomain,
    examples: { understand: example, think: example, act: example, reply: example },
  };

  test("stands in place of each node's", () => {
    expect(listExamples(domain).map(([, each]) => each)).toEqual([
      example,
      example,
      example,
      example,
    ]);
  });

  test("does not stand where there is no task lane", () => {
    const lanes = { task: false, concierge: true };
    expect(chooseUnderstandExample(domain, lanes)).toBe(
      chooseUnderstandExample(mealsDomain, lanes),
    );
  });
});

function listExamples(domain: Domain): readonly (readonly [node: string, example: Example])[] {
  return [
    ["understand", chooseUnderstandExample(domain, BOTH)],
    ["think", chooseThinkExample(domain)],
    ["act", chooseActExample(domain)],
    ["reply", chooseReplyExample(domain)],
  ];
}

interface ReadableAnswer<T> {
  readonly named: NamedSchema;
  readonly parse: (value: unknown) => z.ZodSafeParseResult<T>;
}

/** Reads an example as its node does, once an endpoint that enforces the schema would have let it pass. */
function readStrictly<T>({ answer }: Example, { named, parse }: ReadableAnswer<T>): T {
  expect(acceptsStrictly(named, answer)).toBe(true);
  const read = parse(answer);
  if (!read.success) throw read.error;
  return read.data;
}

function acceptsStrictly(named: NamedSchema | undefined, value: unknown): boolean {
  if (named === undefined) return false;
  return z.fromJSONSchema(named.schema).safeParse(value).success;
}

function isCalls(answer: Example["answer"]): answer is readonly ExampleCall[] {
  return Array.isArray(answer);
}

function listRefs(text: string): string[] {
  return [...new Set(text.match(/\b[a-z_]*[a-z]_\d+\b/gu))];
}
