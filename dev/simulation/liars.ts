import { DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { ModelRequest, ToolCall } from "../../state/model.ts";
import { Numbers } from "./numbers.ts";
import type { OracleAnswer } from "./oracle.ts";

const REF = /(?<![\p{L}\p{N}_])[\p{L}\d_]+_\d+(?![\p{L}\p{N}_])/gu;

/** A model that makes one answer in four wrong. */
export class Liar {
  readonly #numbers: Numbers;

  constructor(seed: number) {
    this.#numbers = new Numbers(seed);
  }

  /** Returns the honest answer, or in its place a wrong one. */
  distort(honest: OracleAnswer, request: ModelRequest): OracleAnswer {
    if (this.#numbers.below(4) > 0) return honest;
    const lies = LIES[request.role] ?? [];
    const lie = lies[this.#numbers.below(Math.max(1, lies.length))];
    return lie?.(honest, { numbers: this.#numbers, refs: listRefs(request) }) ?? honest;
  }
}

interface LieContext {
  readonly numbers: Numbers;
  /** Refs that stand in the prompt. */
  readonly refs: readonly string[];
}

type Lie = (honest: OracleAnswer, context: LieContext) => OracleAnswer;

const prose: Lie = () => ({ text: "I would rather talk about it first." });
const empty: Lie = () => ({ text: "" });

/** Names another ref in place of each: one that is shown, an old one among them, or one that nobody has. */
const wrongRefs: Lie = (honest, { numbers, refs }) => {
  const replace = (text: string): string =>
    text.replace(REF, (ref) => {
      if (!refs.includes(ref)) return ref;
      return numbers.below(3) === 0 ? "ghost_99" : (refs[numbers.below(refs.length)] ?? ref);
    });
  return JSON.parse(replace(JSON.stringify(honest)));
};

/** Leaves out and brings back what nobody spoke of. */
const wrongCuration: Lie = ({ json }, { numbers, refs }) => {
  const some = refs.filter(() => numbers.below(3) === 0).map((ref) => ({ ref, reason: "a whim" }));
  const half = Math.floor(some.length / 2);
  const also = (list: typeof some): typeof some => list.filter(() => numbers.below(4) === 0);
  const curation = {
    retain: also(some),
    demote: some.slice(0, half),
    restore: [...some.slice(half), ...also(some)],
    drop: also(some).map(({ ref }) => ref),
    clearAll: numbers.below(12) === 0,
    summary: null,
  };
  return { json: withField(json, "curation", curation) };
};

/** Adds a step that deletes something. */
const wrongStep: Lie = ({ json }, { numbers, refs }) => {
  const given = isJson(json) ? json["steps"] : null;
  const steps: readonly Json[] = Array.isArray(given) ? given : [];
  const [first] = steps;
  const ref = refs[numbers.below(Math.max(1, refs.length))];
  if (ref === undefined || !isJsonObject(first)) return { json: isJson(json) ? json : null };
  const type = ref.replace(/_\d+$/u, "");
  const added = {
    ...first,
    stepType: "write",
    subdomain: `${type}_part`,
    group: 1,
    refs: [ref],
    writes: [{ action: "delete", type, refs: [ref] }],
  };
  return { json: withField(json, "steps", [...steps, added]) };
};

/** Plans a deletion beside the calls of a step, or in place of them. */
const wrongPlannedCall: Lie = ({ json }, { numbers, refs }) => {
  const given = isJson(json) ? json["calls"] : null;
  const calls: readonly Json[] = Array.isArray(given) ? given : [];
  const call = deleteCall({ numbers, refs });
  return { json: withField(json, "calls", numbers.below(2) === 0 ? [call] : [...calls, call]) };
};

/** Answers with a deletion what was no look-up, or calls everything talk. */
const wrongNeed: Lie = ({ json }, context) => {
  const isTalk = context.numbers.below(2) === 0;
  const needs = withField(json, "needs", isTalk ? "talk" : "look");
  return { json: withField(needs, "look", isTalk ? null : deleteCall(context)) };
};

function deleteCall({ numbers, refs }: LieContext): JsonObject {
  const ref = refs[numbers.below(Math.max(1, refs.length))];
  const type = ref?.replace(/_\d+$/u, "") ?? "";
  const rows = ref === undefined ? { refs: [], all: true } : { refs: [ref], all: false };
  return { do: "delete", step: 0, type, ...rows, where: [], set: [] };
}

/** Deletes something besides. */
const wrongCall: Lie = ({ toolCalls = [] }, { numbers, refs }) => {
  const ref = refs[numbers.below(Math.max(1, refs.length))];
  if (ref === undefined) return { toolCalls };
  const call: ToolCall = {
    id: "call_lie",
    name: DELETE_TOOL,
    args: { refs: [ref], all: null },
    argsError: null,
  };
  return { toolCalls: [call, ...toolCalls] };
};

const doneAlready: Lie = ({ toolCalls = [] }) => ({
  toolCalls: toolCalls.filter(({ name }) => name === "complete_step"),
});

const claim: Lie = () => ({ text: "Done! I have saved everything and deleted the rest." });
const denial: Lie = () => ({ text: "Sorry, I could not change anything." });

/** Thinks aloud, and names rows by their refs. */
const leak: Lie = ({ text = "" }, { refs }) => ({
  text: `<think>${refs.join(" ")}</think>${text}\nSee ${refs.slice(0, 3).join(", ")} <<<END>>>`,
});

const LIES: Partial<Record<ModelRequest["role"], readonly Lie[]>> = {
  understand: [prose, empty, wrongRefs, wrongCuration, wrongNeed],
  think: [prose, empty, wrongRefs, wrongStep, wrongPlannedCall],
  act: [prose, empty, wrongRefs, wrongCall, doneAlready],
  reply: [empty, claim, denial, leak],
  summarize: [prose, empty],
};

function listRefs({ messages }: ModelRequest): readonly string[] {
  const texts = messages.map((message) => message.text);
  return [...new Set(texts.flatMap((text) => text.match(REF) ?? []))].filter(
    (ref) => !ref.startsWith("choice_"),
  );
}

function isJson(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withField(json: unknown, name: string, value: Json): JsonObject {
  return { ...(isJson(json) ? json : {}), [name]: value };
}
