import { countTokens } from "../models/tokens.ts";

/** Tokens at which caching begins, and the size of its steps. */
const CACHE_FROM = 1_024;

const CACHE_STEP = 128;

/** Tokens of a prompt, and how many of them were cached. */
export interface PromptUsage {
  readonly input: number;
  readonly cached: number;
}

/** Counts what a prompt would cost at an endpoint that caches prefixes. */
export class UsageCounter {
  private readonly last = new Map<string, string>();

  /** Counts a prompt, and of it what began the last prompt of the same role. */
  count(role: string, prompt: string): PromptUsage {
    const shared = sharedPrefix(this.last.get(role) ?? "", prompt);
    this.last.set(role, prompt);
    return { input: countTokens(prompt), cached: cachedTokens(shared) };
  }
}

function cachedTokens(prefix: string): number {
  const tokens = countTokens(prefix);
  return tokens < CACHE_FROM ? 0 : tokens - (tokens % CACHE_STEP);
}

function sharedPrefix(one: string, other: string): string {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return other.slice(0, length);
}
