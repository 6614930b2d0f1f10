import { DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { ModelRequest, ToolCall } from "../../state/model.ts";
import { Numbers } from "./numbers.ts";
import { CLAIM, SUMMARY_CLAIM } from "./judge-words.ts";
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
  return { json: withExtras(json, (extras) => ({ ...extras, curation })) };
};

/** Adds a step that deletes something. */
const wrongStep: Lie = ({ json }, { numbers, refs }) => {
  const steps = isJson(json) ? readList(json["steps"]) : [];
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

/** Forgets the last of several steps, with its calls, or the last of the rows of its calls. */
const forgottenPart: Lie = ({ json }) => {
  const plan = isJson(json) ? json : {};
  const steps = readList(plan["steps"]);
  const calls = readList(plan["calls"]);
  const last = steps.length - 1;
  if (last < 1) return { json: withField(plan, "calls", calls.map(forgetLastRow)) };
  const kept = calls.filter((call) => !isJsonObject(call) || call["step"] !== last);
  return { json: { ...plan, steps: steps.slice(0, last), calls: kept } };
};

function forgetLastRow(call: Json): Json {
  const refs = isJsonObject(call) ? readList(call["refs"]) : [];
  return refs.length < 2 ? call : withField(call, "refs", refs.slice(0, -1));
}

function readList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Plans a deletion beside the calls of a step, or in place of them. */
const wrongPlannedCall: Lie = ({ json }, { numbers, refs }) => {
  const calls = isJson(json) ? readList(json["calls"]) : [];
  const call = deleteCall({ numbers, refs });
  return { json: withField(json, "calls", numbers.below(2) === 0 ? [call] : [...calls, call]) };
};

/** Adds a row, whatever the message is about. */
const unaskedRow: Lie = ({ json }, { numbers, refs }) => {
  const ref = refs[numbers.below(Math.max(1, refs.length))];
  if (ref === undefined || !isJson(json)) return { json: isJson(json) ? json : null };
  const type = ref.replace(/_\d+$/u, "");
  const step = {
    stepType: "write",
    subdomain: `${type}_part`,
    group: 1,
    refs: [],
    description: "Add one more",
    writes: [{ action: "create", type, refs: [] }],
  };
  const set = { columns: ["name"], rows: [[`Nobody ${numbers.below(1_000)}`]] };
  const call = { do: "create", step: 0, type, refs: [], find: null, set };
  return { json: { ...json, decision: "plan", asks: [], steps: [step], calls: [call] } };
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

const claim: Lie = () => ({ text: CLAIM });
const summaryClaim: Lie = () => ({ json: { responseSummary: SUMMARY_CLAIM } });
const denial: Lie = () => ({ text: "Sorry, I could not change anything." });

/** Thinks aloud, and names rows by their refs. */
const leak: Lie = ({ text = "" }, context) => ({ text: soil(text, context) });

/** Writes thoughts, markers, names of tools and refs in all their spellings around a text. */
function soil(text: string, { numbers, refs }: LieContext): string {
  const ref = refs[numbers.below(Math.max(1, refs.length))] ?? "choice_1";
  const spelling = numbers.pick([
    ref,
    ref.toUpperCase(),
    ref.split("_").join("\\_"),
    ref.replace(/_(\d+)$/u, "_00$1"),
    `_${ref}_`,
    "choice_1",
    "complete_step",
  ]);
  const [open, close] = numbers.pick<readonly [string, string]>([
    ["<think>", "</think>"],
    ["<Thinking>", "</thinking>"],
    ["<reasoning>", "</reasoning>"],
    ["<thought>", "</thought>"],
    ["[THINK]", "[/THINK]"],
  ]);
  return `${open}${refs.join(" ")}${close}${text} See ${spelling} (${ref}) <<<END>>>${open}${ref}`;
}

/** Puts them into everything that Think says to the person. */
const soiledPlan: Lie = ({ json }, context) => {
  const plan = isJson(json) ? json : {};
  const steps = readList(plan["steps"]);
  const asks = context.numbers.below(2) === 0;
  const soilStep = (step: Json): Json =>
    isJsonObject(step) ? withField(step, "description", soil("Do it", context)) : step;
  return {
    json: {
      ...plan,
      steps: steps.map(soilStep),
      ...(plan["decision"] === "propose" ? { asks: [soil("Shall I change it?", context)] } : {}),
      ...(asks ? { decision: "clarify", steps: [], calls: [] } : {}),
      ...(asks ? { asks: [soil("Which one?", context)] } : {}),
    },
  };
};

/** Asks with them, or remembers them for every conversation. */
const soiledQuestion: Lie = ({ json }, context) => {
  const answer = isJson(json) ? json : {};
  const [ref] = context.refs;
  const options = ref === undefined ? [] : [{ ref, label: soil("this", context) }];
  const clarification = { question: soil("Which one?", context), options };
  const withClarification = ({ rare, ...extras }: JsonObject): JsonObject => ({
    ...extras,
    rare: { ...(isJsonObject(rare) ? rare : {}), clarification },
  });
  const wish = { kind: "soft", count: null, until: null, replaces: null, scope: "person" };
  return context.numbers.below(2) === 0
    ? { json: withExtras(answer, withClarification) }
    : { json: withField(answer, "constraints", [{ ...wish, text: soil("no salt", context) }]) };
};

/** Ends a step with them. */
const soiledEnd: Lie = (_, context) => {
  const words = soil("It is late", context);
  const [name, args] = context.numbers.pick([
    ["fail_step", { reason: words }],
    ["ask_user", { question: words, partialAnalysis: words }],
  ] as const);
  return { toolCalls: [{ id: "call_lie", name, args, argsError: null }] };
};

const LIES: Partial<Record<ModelRequest["role"], readonly Lie[]>> = {
  understand: [prose, empty, wrongRefs, wrongCuration, wrongNeed, soiledQuestion],
  think: [
    prose,
    empty,
    wrongRefs,
    wrongStep,
    wrongPlannedCall,
    soiledPlan,
    unaskedRow,
    forgottenPart,
  ],
  act: [prose, empty, wrongRefs, wrongCall, doneAlready, soiledEnd],
  reply: [empty, claim, denial, leak],
  summarize: [prose, empty, summaryClaim],
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

/** The answer of Understand with other extras. */
function withExtras(json: unknown, change: (extras: JsonObject) => JsonObject): JsonObject {
  const { extras = {} } = isJson(json) ? json : {};
  return withField(json, "extras", change(isJsonObject(extras) ? extras : {}));
}

function withField(json: unknown, name: string, value: Json): JsonObject {
  return { ...(isJson(json) ? json : {}), [name]: value };
}
