import { countTokens } from "../../models/tokens.ts";
import {
  pickSentParts,
  type ModelAnswer,
  type ModelRequest,
  type PromptMessage,
} from "../../state/model.ts";

/** A prompt as an endpoint reads it: schema and tools stand before the messages. */
export type PromptText = readonly string[];

/** A call of a model, as it is charged for. */
export interface PaidCall {
  readonly prompt: PromptText;
  /** All that came back. */
  readonly output: string;
}

/** Tokens of calls. `cached` is the part of `input` that an endpoint had in its prompt cache. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Prompts that an endpoint remembers: all of them, or those of this turn and the one before. */
export type PromptCache = "all" | "one turn";

/** OpenAI's rule: where caching begins, and its steps, in tokens. */
const CACHE_FROM = 1_024;
const CACHE_STEP = 128;
/** In tokens of input that is not cached, as with OpenAI's models. */
const CACHED_PRICE = 0.1;

/** Counts the tokens of every call, turn by turn; cached is what begins a prompt that the cache remembers. */
export function countCalls(
  turns: readonly (readonly PaidCall[])[],
  cache: PromptCache,
): readonly (readonly Tokens[])[] {
  const remembered: PromptText[][] = [];
  return turns.map((calls) => {
    const own: PromptText[] = [];
    if (cache === "one turn") remembered.splice(0, remembered.length - 1);
    remembered.push(own);
    return calls.map(({ prompt, output }) => {
      const shared = countShared(findNearest(prompt, remembered), prompt);
      own.push(prompt);
      return {
        input: countPromptTokens(prompt),
        cached: shared < CACHE_FROM ? 0 : shared - (shared % CACHE_STEP),
        output: countTokens(output),
      };
    });
  });
}

/** Counts the tokens of a prompt. */
export function countPromptTokens(prompt: PromptText): number {
  return prompt.reduce((tokens, part) => tokens + countOnce(part), 0);
}

/** Adds tokens up. */
export function addTokens(all: readonly Tokens[]): Tokens {
  const total = { input: 0, cached: 0, output: 0 };
  for (const { input, cached, output } of all) {
    total.input += input;
    total.cached += cached;
    total.output += output;
  }
  return total;
}

/** Returns the price of tokens, in tokens of input that is not cached; output costs four or eight times as much. */
export function priceTokens({ input, cached, output }: Tokens, outputPrice: number): number {
  return input - cached + CACHED_PRICE * cached + outputPrice * output;
}

/** Writes a call down as it is charged for. */
export function writeCall(call: {
  readonly request: ModelRequest;
  readonly answer: ModelAnswer;
}): PaidCall {
  const { request, answer } = call;
  return { prompt: writePrompt(request), output: writeOutput(answer.text, answer.toolCalls) };
}

/** Writes a request down in the order in which endpoints read it. */
export function writePrompt({
  messages,
  schema,
  tools,
}: Pick<ModelRequest, "messages" | "schema" | "tools">): PromptText {
  const schemas = [...tools, ...(schema === null ? [] : [schema])];
  return [
    schemas.length === 0 ? "" : JSON.stringify(schemas.map(pickSentParts)),
    ...messages.map(writeMessage),
  ];
}

/** Writes down all that a model answers: its text, and names and arguments of its tool calls. */
export function writeOutput(
  text: string,
  calls: readonly { readonly name: string; readonly args: unknown }[],
): string {
  return [text, ...calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`)].join("\n");
}

function writeMessage(message: PromptMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return `${message.role}: ${message.text}`;
    case "assistant":
      return `assistant: ${writeOutput(message.text, message.toolCalls)}`;
    case "tool":
      return `tool ${message.callId} ${message.name}: ${message.text}`;
    default:
      return message satisfies never;
  }
}

/** Finds the remembered prompt that begins longest like another. */
function findNearest(
  prompt: PromptText,
  remembered: readonly (readonly PromptText[])[],
): PromptText {
  let nearest: PromptText = [];
  let most = 0;
  for (const other of remembered.flat().toReversed()) {
    const length = countSameCharacters(other, prompt);
    if (length > most) [nearest, most] = [other, length];
  }
  return nearest;
}

function countSameCharacters(one: PromptText, other: PromptText): number {
  let length = 0;
  for (const [index, text] of other.entries()) {
    const beside = one[index] ?? "";
    if (text !== beside) return length + countSame(text, beside);
    length += text.length;
  }
  return length;
}

function countShared(one: PromptText, other: PromptText): number {
  let tokens = 0;
  for (const [index, text] of other.entries()) {
    const beside = one[index] ?? "";
    if (text !== beside) return tokens + countTokens(text.slice(0, countSame(text, beside)));
    tokens += countOnce(text);
  }
  return tokens;
}

function countSame(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** A transcript of 200 turns is part of many prompts: counting it each time takes minutes. */
const counted = new Map<string, number>();

function countOnce(text: string): number {
  const tokens = counted.get(text) ?? countTokens(text);
  counted.set(text, tokens);
  return tokens;
}
