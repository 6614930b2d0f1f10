import { type ExecutionHandover, ExecutionHandoverSchema } from "../state/handover.ts";
import type { BatchSignal, BatchType } from "../state/signal.ts";
import { chooseBlock, type SignalOptions, type SignalProblem } from "./choose-block.ts";
import { fenceAfter } from "./fences.ts";
import { type FieldLines, keyNames, readFields, splitAtKey } from "./fields.ts";
import { EXECUTION_KEYS } from "./handover-keys.ts";
import { isPlaceholder } from "./placeholders.ts";
import { readBlockText, readBlockValues } from "./values.ts";

type BatchField = keyof ExecutionHandover | "type" | "handover" | "step" | "blocker" | "context";

const KEYS = keyNames<BatchField>({
  ...EXECUTION_KEYS,
  type: "type",
  handover: "handover",
  step: "step",
  blocker: "blocker",
  context: "context",
});

const HANDOVER_KEY = keyNames({ handover: "handover" });
const PROMPT_KEY = keyNames({ prompt: "prompt batchPrompt expertPrompt" });

interface BatchBody extends Omit<BatchSignal, "userResponse"> {
  readonly typeText: string;
}

const NO_BATCH: BatchBody = {
  typeText: "",
  type: null,
  handover: null,
  batchPrompt: null,
  step: null,
  blocker: null,
  context: null,
};

/**
 * Reads an explorer's or executor's answer: what the person sees, and the batch that its last closed
 * block asks for.
 *
 * The type is null without a block that can be read; a WORKFLOW's handover is null without a goal of
 * its own words; the prompt is all that follows `PROMPT:`, untouched but for blank space around it.
 * Never throws, and takes time in proportion to the text.
 *
 * @example
 * parseBatchSignal("Here is the plan.").type; // null
 */
export function parseBatchSignal(text: string, options: SignalOptions = {}): BatchSignal {
  const { userResponse, body } = chooseBatch(text, options);
  const batch = body === null ? NO_BATCH : readBatchBody(body);
  const { typeText: _, ...signal } = batch.type === null ? NO_BATCH : batch;
  return { userResponse, ...signal };
}

/** Returns why an answer's batch cannot be run as it stands; null when it can, or when it asks for none. */
export function diagnoseBatchSignal(
  text: string,
  options: SignalOptions = {},
): SignalProblem | null {
  const { body, problem } = chooseBatch(text, options);
  if (body === null) return problem;
  const batch = readBatchBody(body);
  if (batch.typeText === "") return "no TYPE";
  if (batch.type === null) return "unknown TYPE";
  if (batch.batchPrompt === null) return "no PROMPT";
  return batch.type === "WORKFLOW" && batch.handover === null ? "no goal" : null;
}

function chooseBatch(text: string, options: SignalOptions) {
  return chooseBlock(text, { ...options, kind: "BATCH", isEcho });
}

/** Returns true when a goal or a prompt is present and each one present merely repeats the template. */
function isEcho(body: string): boolean {
  const { fields, after } = readParts(body);
  const goal = (fields.get("goal") ?? []).join(" ");
  const texts = [goal, after ?? ""].filter((value) => value.trim() !== "");
  return texts.length > 0 && texts.every(isPlaceholder);
}

function readBatchBody(body: string): BatchBody {
  const { fields, after } = readParts(body);
  const read = (field: BatchField): string => readBlockText(fields.get(field) ?? []);
  const typeText = read("type");
  const type = readType(typeText);
  const handover = ExecutionHandoverSchema.parse(
    readBlockValues(fields, ExecutionHandoverSchema.shape),
  );
  return {
    typeText,
    type,
    handover: type === "WORKFLOW" && handover.goal.trim() !== "" ? handover : null,
    batchPrompt: readPrompt(after ?? ""),
    step: read("step") || null,
    blocker: read("blocker") || null,
    context: read("context") || null,
  };
}

/** The fields before `PROMPT:`, those of the handover among them, and all that follows it. */
function readParts(body: string): {
  readonly fields: FieldLines<BatchField>;
  readonly after: string | null;
} {
  const { before, after } = splitAtKey(body, PROMPT_KEY);
  // The handover's first field may stand on its own key's line.
  const head = splitAtKey(before, HANDOVER_KEY);
  return { fields: readFields(`${head.before}\n${head.after ?? ""}`, KEYS), after };
}

function readType(text: string): BatchType | null {
  const letters = text
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z]/g, "");
  if (letters.startsWith("workflow")) return "WORKFLOW";
  return letters.startsWith("stephelp") ? "STEP_HELP" : null;
}

/** The prompt without blank space around it and without a fence line that closes the block's own. */
function readPrompt(raw: string): string | null {
  const text = raw.replace(/^\s*[|>][+-]?[ \t]*\r?\n/, "").trim();
  const prompt = endsInLooseFence(text) ? text.slice(0, text.lastIndexOf("\n") + 1).trim() : text;
  return prompt === "" || isPlaceholder(prompt) ? null : prompt;
}

function endsInLooseFence(text: string): boolean {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  return /^\s*(?:`{3,}|~{3,})\s*$/.test(last) && fenceAfter(text, null) !== null;
}
