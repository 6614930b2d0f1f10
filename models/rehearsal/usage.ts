import { countTokens } from "../tokens.ts";

/** Where caching begins, and the size of its steps, in tokens. */
const CACHE_FROM = 1_024;

const CACHE_STEP = 128;

/** Counts what a prompt would cost at an endpoint that caches prefixes. */
export interface UsageCounter {
  /** Tokens of a prompt, and how many of them began the last prompt of the same role. */
  count(role: string, prompt: string): { readonly input: number; readonly cached: number };
}

/** Makes a counter. All it remembers is the last prompt of each role, for the length of the prefix. */
export function createUsageCounter(): UsageCounter {
  const last = new Map<string, string>();
  return {
    count: (role, prompt) => {
      const shared = sharedPrefix(last.get(role) ?? "", prompt);
      last.set(role, prompt);
      return { input: countTokens(prompt), cached: cachedTokens(shared) };
    },
  };
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
