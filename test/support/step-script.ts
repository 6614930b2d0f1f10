import type { Json } from "../../state/json.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { ScriptedAnswer, ScriptEntry } from "./scripted-model.ts";

/** Answers of a step's model, call by call. */
export type StepScript = readonly (ScriptedAnswer | Error)[];

/** Calls beyond any test's need: the scripts inside say when they end. */
const MOST_CALLS = 100;

/**
 * Entries for `act` that follow one script a step, whatever the order in which steps ask: a step
 * is known by its description.
 */
export function stepScripts(scripts: Readonly<Record<string, StepScript>>): ScriptEntry[] {
  const left = new Map(Object.entries(scripts).map(([step, script]) => [step, [...script]]));
  const answer = (request: ModelRequest): ScriptedAnswer | Error => {
    const step = readStep(request);
    const entry = left.get(step)?.shift();
    return entry ?? new Error(`Cannot answer for the step "${step}": its script has ended`);
  };
  return Array.from({ length: MOST_CALLS }, () => answer);
}

function readStep(request: ModelRequest): string {
  const text = request.messages.find(({ role }) => role === "user")?.text ?? "";
  return /^Step \d+ of \d+ \([^)]*\): (.*)$/mu.exec(text)?.[1] ?? "";
}

/** A call of a tool, as an answer. */
export function call(name: string, args: Json): ScriptedAnswer {
  return { toolCalls: [{ name, args }] };
}

/** Several calls at once. */
export function calls(...made: readonly (readonly [name: string, args: Json])[]): ScriptedAnswer {
  return { toolCalls: made.map(([name, args]) => ({ name, args })) };
}

/** A creation of shopping list lines, by name and, where given, quantity. */
export function adding(
  ...lines: readonly (string | readonly [name: string, quantity: number])[]
): readonly [tool: string, args: Json] {
  const rows = lines.map((line): Json => {
    const [name, quantity] = typeof line === "string" ? [line] : line;
    return quantity === undefined ? { name } : { name, quantity };
  });
  return ["create_shopping_list_lines", { rows, drafts: [] }];
}

/** The end of a step, with its result. */
export function complete(
  resultSummary: string,
  rest: {
    readonly refs?: string[];
    readonly noteForNextStep?: string;
    readonly artifacts?: Json[];
  } = {},
): ScriptedAnswer {
  const { artifacts, ...own } = rest;
  return call("complete_step", {
    resultSummary,
    noteForNextStep: null,
    refs: [],
    ...own,
    ...(artifacts === undefined ? {} : { artifacts }),
  });
}
