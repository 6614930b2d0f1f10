import { z } from "zod";
import type { Domain, Example } from "../../state/domain.ts";
import { createThinkAnswerSchema } from "../../state/plan.ts";
import { createUnderstandAnswerSchema } from "../../state/understanding.ts";
import { adviseName } from "./sentences.ts";

type ExampleNode = keyof NonNullable<Domain["examples"]>;

/** A domain, and the names of all tools that its steps are offered. */
interface CheckedExamples {
  readonly domain: Pick<Domain, "examples" | "entityTypes" | "subdomains">;
  readonly tools: readonly string[];
}

/** Finds the examples of a domain that a model would learn something wrong from. Pure. */
export function checkExamples({ domain, tools }: CheckedExamples): readonly string[] {
  const { examples = {}, entityTypes, subdomains } = domain;
  const types = entityTypes.map(({ type }) => type);
  const prefixes = entityTypes.map(({ type, refPrefix = type }) => refPrefix);
  return [
    ...checkExample("understand", examples.understand, ({ answer }) =>
      listIssues(createUnderstandAnswerSchema(types), answer),
    ),
    ...checkExample("think", examples.think, ({ answer }) => checkPlan(answer, types, subdomains)),
    ...checkExample("act", examples.act, ({ answer }) => checkCalls(answer, tools)),
    ...checkExample("reply", examples.reply, ({ answer }) =>
      typeof answer === "string" && answer.trim() !== "" ? [] : ["give the reply as a text"],
    ),
    ...Object.entries(examples).flatMap(([node, example]) =>
      findKnownRefs(example, prefixes).map(
        (ref) =>
          `The example of "${node}" names "${ref}", which a conversation may have; name things as thing_1, thing_2`,
      ),
    ),
  ];
}

function checkExample(
  node: ExampleNode,
  example: Example | undefined,
  check: (example: Example) => readonly string[],
): string[] {
  if (example === undefined) return [];
  return check(example).map((problem) => `The example of "${node}": ${problem}`);
}

function checkPlan(
  answer: Example["answer"],
  types: readonly string[],
  subdomains: Domain["subdomains"],
): readonly string[] {
  const plan = createThinkAnswerSchema(types).safeParse(answer);
  if (!plan.success) return describeIssues(plan.error);
  const known = subdomains.map(({ name }) => name);
  return plan.data.steps
    .map(({ subdomain }) => subdomain)
    .filter((name) => !known.includes(name))
    .map(
      (name) => `a step is for "${name}"; ${adviseName({ name, known, what: "the subdomains" })}`,
    );
}

const CallsSchema = z
  .array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }))
  .min(1);

function checkCalls(answer: Example["answer"], known: readonly string[]): readonly string[] {
  const calls = CallsSchema.safeParse(answer);
  if (!calls.success) return describeIssues(calls.error);
  return calls.data
    .map(({ name }) => name)
    .filter((name) => !known.includes(name))
    .map((name) => `it calls "${name}"; ${adviseName({ name, known, what: "the tools" })}`);
}

function listIssues(schema: z.ZodType, answer: unknown): readonly string[] {
  const read = schema.safeParse(answer);
  return read.success ? [] : describeIssues(read.error);
}

function describeIssues({ issues }: z.ZodError): readonly string[] {
  return issues.map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`);
}

/** Finds refs that the domain's types make: a model that copies one names a thing of the person. */
function findKnownRefs(example: Example, prefixes: readonly string[]): readonly string[] {
  const text = JSON.stringify(example);
  const refs = [...text.matchAll(/(?<![\w])(?:gen_)?([a-z_]+)_\d+(?!\w)/gu)];
  const known = refs.flatMap(([ref, prefix = ""]) => (prefixes.includes(prefix) ? [ref] : []));
  return [...new Set(known)];
}
