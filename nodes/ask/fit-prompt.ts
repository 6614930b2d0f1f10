import { fitParts } from "../../prompts/fit-parts.ts";
import { orderParts } from "../../prompts/part.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import { isNarrow, NARROW_PROMPT_TOKENS } from "../../state/limits.ts";
import { pickSentParts, type LanguageModel, type NamedSchema } from "../../state/model.ts";
import type { NodeServices } from "../node.ts";
import { enumerateIds } from "./answer-ids.ts";
import type { Question } from "./question.ts";

/** A prompt as far as it depends on the model: its parts in order, and the schemas sent with it. */
interface FittedPrompt {
  readonly parts: readonly EnvelopePart[];
  readonly schemas: readonly NamedSchema[];
}

interface PromptSetup {
  readonly schema: NamedSchema | null;
  readonly tools: readonly NamedSchema[];
  readonly services: NodeServices;
}

/** Returns the model that a question goes to. */
export function findModel({ model, role }: Question, { models }: NodeServices): LanguageModel {
  return model ?? models[role];
}

/** Fits a question to what is known of its model. */
export function fitPrompt(question: Question, setup: PromptSetup): FittedPrompt {
  const schemas = chooseSchemas(question, setup);
  return { schemas, parts: fitToWindow(question, schemas, setup.services) };
}

/** The part that is kept of a prompt which is too long although it was counted to fit. */
const KEPT = 2 / 3;

/**
 * Fits a refused prompt to the window that its refusal has taught; where that changes nothing, since
 * none was named or the endpoint counts otherwise, to two thirds. Null where nothing gives way, and
 * for a model that says nothing of itself.
 */
export function shortenPrompt(
  refused: FittedPrompt,
  question: Question,
  setup: PromptSetup,
): FittedPrompt | null {
  const { countTokens } = setup.services;
  if (findModel(question, setup.services).traits === undefined) return null;
  const fitted = fitPrompt(question, setup);
  const before = countParts(refused.parts, setup.services);
  if (countParts(fitted.parts, setup.services) < before) return fitted;
  const parts = fitParts(refused.parts, { tokens: Math.floor(before * KEPT), countTokens });
  return parts === null ? null : { ...fitted, parts: orderParts(parts) };
}

function countParts(parts: readonly EnvelopePart[], { countTokens }: NodeServices): number {
  return parts.reduce((sum, { text }) => sum + countTokens(text), 0);
}

/**
 * Chooses the schemas that are sent: for a small model with the shown ids as enums, where there is
 * room for them. A large model loses the prompt cache by schemas that change; a small one gains more
 * than that.
 */
function chooseSchemas(question: Question, setup: PromptSetup): readonly NamedSchema[] {
  const { services, schema, tools } = setup;
  const plain = [...tools, ...(schema === null ? [] : [schema])];
  const { tier } = findModel(question, services).traits?.() ?? {};
  if (tier !== "small" || question.mayEnumerateIds === false) return plain;
  const enumerated = plain.map((named) => enumerateIds(named, question.ids ?? {}));
  const room = countRoom(question, enumerated, services);
  return room === null || countParts(question.parts, services) <= room ? enumerated : plain;
}

/** The ordered parts of a prompt, shortened where the model's window is known and narrow. */
function fitToWindow(
  question: Question,
  schemas: readonly NamedSchema[],
  services: NodeServices,
): readonly EnvelopePart[] {
  const parts = orderParts(question.parts);
  const tokens = countRoom(question, schemas, services);
  if (tokens === null) return parts;
  // Where nothing helps, the model's own error says so.
  return orderParts(fitParts(parts, { tokens, countTokens: services.countTokens }) ?? parts);
}

/** Counts the tokens that are left for a prompt's parts; null where the model's window is not known. */
function countRoom(
  question: Question,
  schemas: readonly NamedSchema[],
  services: NodeServices,
): number | null {
  const traits = findModel(question, services).traits?.();
  const room = traits?.promptTokens(question.maxOutputTokens) ?? null;
  if (traits === undefined || room === null) return null;
  const fixed = [
    ...schemas.map(pickSentParts),
    ...(question.before ?? []),
    ...question.thread,
  ].reduce((sum, sent) => sum + services.countTokens(JSON.stringify(sent)), 0);
  const most = isNarrow(traits.window) ? Math.min(room, NARROW_PROMPT_TOKENS) : room;
  return most - fixed;
}
