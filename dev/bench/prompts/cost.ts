import type { RecordedTurn } from "../conversation/record-conversation.ts";
import { promptTextOf, promptTokens, sharedTokens, type PromptText } from "./prompt-text.ts";
import { countTokens } from "../../../models/tokens.ts";

/** A call of a model, as it is charged for. */
export interface PaidCall {
  /** Who asked: a node, an agent, the one that summarises. */
  readonly asker: string;
  readonly prompt: PromptText;
  /** All that came back. */
  readonly output: string;
}

/** A turn's calls, in order. */
export interface PaidTurn {
  readonly turn: number;
  readonly calls: readonly PaidCall[];
}

/** Tokens of calls. `cached` is the part of `input` that an endpoint had in its prompt cache. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** What a token costs, in tokens of input that is not cached. */
export interface Prices {
  readonly cached: number;
  readonly output: number;
}

/**
 * Cached input at a tenth, output at four times the price of input, as with OpenAI's smaller models.
 * Of its newer ones output costs eight times as much.
 */
export const PRICES: Prices = { cached: 0.1, output: 4 };

/** OpenAI's rule: where caching begins, and its steps, in tokens. */
const CACHE_FROM = 1_024;
const CACHE_STEP = 128;

/** No tokens at all. */
export const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 };

/**
 * What an endpoint still has in its cache: the asker's prompt before (`last`); the asker's last one
 * with the same schema and tools, as endpoints do that keep several (`same-tools`); or `last`, but
 * nothing from an earlier turn, because the person took longer than caches keep (`one-turn`).
 */
export type Cache = "last" | "same-tools" | "one-turn";

/** Tokens of each turn; cached by OpenAI's rule is what begins the prompt before. */
export function tokensPerTurn(turns: readonly PaidTurn[], cache: Cache): readonly Tokens[] {
  const before = new Map<string, PromptText>();
  return turns.map(({ calls }) => {
    if (cache === "one-turn") before.clear();
    return calls
      .map(({ asker, prompt, output }): Tokens => {
        const key = cache === "same-tools" ? `${asker}\n${prompt.schemas}` : asker;
        const previous = before.get(key);
        before.set(key, prompt);
        return {
          input: promptTokens(prompt),
          cached: previous === undefined ? 0 : cachedTokens(sharedTokens(previous, prompt)),
          output: countTokens(output),
        };
      })
      .reduce(addTokens, NO_TOKENS);
  });
}

/** Both together. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    output: one.output + other.output,
  };
}

/** What tokens cost, in tokens of input that is not cached. */
export function costOf({ input, cached, output }: Tokens, prices: Prices): number {
  return input - cached + prices.cached * cached + prices.output * output;
}

/** What each of them costs, at the usual prices. */
export function costsOf(tokens: readonly Tokens[], prices: Prices = PRICES): readonly number[] {
  return tokens.map((one) => costOf(one, prices));
}

/** How much of a beginning that was read before an endpoint takes from its cache. */
export function cachedTokens(shared: number): number {
  return shared < CACHE_FROM ? 0 : shared - (shared % CACHE_STEP);
}

/** A recorded conversation as it is charged for, node by node. */
export function paidTurns(turns: readonly RecordedTurn[]): readonly PaidTurn[] {
  return turns.map(({ turn, calls }) => ({
    turn,
    calls: calls.map(({ node, request, answer }) => ({
      asker: node,
      prompt: promptTextOf(request),
      output: outputText(answer.text, answer.toolCalls),
    })),
  }));
}

/** All that a model writes in an answer: its text, and names and arguments of its tool calls. */
export function outputText(
  text: string,
  calls: readonly { readonly name: string; readonly args: unknown }[],
): string {
  return [text, ...calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`)].join("\n");
}
