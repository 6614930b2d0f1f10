import { describeRefs } from "../../registry/refs.ts";
import { clip } from "../../registry/shorten.ts";
import type { Domain } from "../../state/domain.ts";
import {
  readAsks,
  type GivenThinkAnswer,
  type PlanStep,
  type ThinkAnswer,
} from "../../state/plan.ts";
import type { GivenRowCall } from "../../state/row-call.ts";

type DomainParts = Pick<Domain, "entityTypes" | "subdomains">;

/**
 * Returns the answer with a step for its calls that have none. Those of one type that read, or that
 * change, are one step, in the part of the domain that holds the type; reads run side by side, changes
 * one after the other, and the listed steps after them. A call of an unknown type names it in place of
 * a part. Pure.
 */
export function placeCalls(
  { steps, calls, asks, ...answer }: GivenThinkAnswer,
  domain: DomainParts,
): ThinkAnswer {
  const own = Map.groupBy(
    calls.filter(({ step }) => step === null),
    stepKey,
  );
  const made: PlanStep[] = [];
  for (const sameStep of own.values()) made.push(makeStep(sameStep, made.at(-1), domain));
  const last = made.at(-1)?.group ?? 0;
  const keys = [...own.keys()];
  return {
    ...answer,
    ...readAsks({ decision: answer.decision, asks }),
    steps: [...made, ...steps.map((step) => ({ ...step, group: step.group + last }))],
    calls: calls.map((call) => ({
      ...call,
      step: call.step === null ? keys.indexOf(stepKey(call)) : call.step + made.length,
    })),
  };
}

function stepKey(call: Pick<GivenRowCall, "do" | "type">): string {
  return `${stepType(call)} ${call.type}`;
}

function stepType(call: Pick<GivenRowCall, "do">): "read" | "write" {
  return call.do === "read" ? "read" : "write";
}

function makeStep(
  calls: readonly GivenRowCall[],
  before: PlanStep | undefined,
  { entityTypes, subdomains }: DomainParts,
): PlanStep {
  const [{ type, ...first } = { do: "read" as const, type: "" }] = calls;
  const kind = stepType(first);
  const isBeside = kind === "read" && before?.stepType === "read";
  const words = entityTypes.find((each) => each.type === type)?.words.many ?? type;
  return {
    description: describeCalls(calls, words),
    stepType: kind,
    subdomain: findPart(type, kind, subdomains)?.name ?? type,
    group: (before?.group ?? 0) + (isBeside ? 0 : 1),
    refs: [...new Set(calls.flatMap(({ refs }) => refs))],
    writes: [],
  };
}

/** Finds the part of a domain whose steps read or change a type: its own before one that only reads it. */
export function findPart(
  type: string,
  kind: "read" | "write",
  subdomains: Domain["subdomains"],
): Domain["subdomains"][number] | undefined {
  const own = subdomains.find((each) => each.type === type);
  return (
    own ?? (kind === "read" ? subdomains.find(({ reads = [] }) => reads.includes(type)) : undefined)
  );
}

const VERBS = { read: "Show", create: "Add", update: "Change", delete: "Delete" } as const;

type DescribedCall = Pick<GivenRowCall, "do" | "refs" | "find" | "set">;

/** Describes what calls do: "Show inventory items (location = fridge)", "Add planned meals (title Soup, servings 2)". */
export function describeCalls(calls: readonly DescribedCall[], words: string): string {
  const kinds = Map.groupBy(calls, (call) => call.do);
  const parts = [...kinds].map(([action, own]) => {
    const rows = [...new Set(own.flatMap(describeRows))].join("; ");
    return `${VERBS[action]} ${words}${rows === "" ? "" : ` (${rows})`}`;
  });
  return clip(parts.join("; "), DESCRIPTION_CHARACTERS);
}

const DESCRIPTION_CHARACTERS = 240;

/** Describes the rows that a call is about, and the values that it gives them. */
function describeRows({ do: action, refs, find, set }: DescribedCall): readonly string[] {
  const conditions = (find?.where ?? []).map(({ column, op, value }) =>
    [column, op === "ilike" ? "like" : op, ...(value === null ? [] : [String(value)])].join(" "),
  );
  const all = action === "delete" && find?.all === true ? ["all"] : [];
  const named = [...(refs.length === 0 ? [] : [describeRefs(refs)]), ...conditions, ...all];
  const given = (set?.rows ?? []).map((row) =>
    row.map((value, index) => `${set?.columns[index] ?? ""} ${String(value)}`).join(", "),
  );
  const [first, ...others] = given;
  const line = [...named, ...(first === undefined ? [] : [first])].join(", ");
  return [...(line === "" ? [] : [line]), ...others];
}
