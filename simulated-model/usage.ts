import { countTokens } from "../models/tokens.ts";

/** Tokens at which caching begins, and the size of its steps. */
const CACHE_FROM = 1_024;

const CACHE_STEP = 128;

/** Counts what a prompt would cost at an endpoint that caches prefixes. */
export class UsageCounter {
  private readonly last = new Map<string, string>();

  /** Counts a prompt, and of it what began the last prompt of the same role. */
  count(role: string, prompt: string) {
    const before = this.last.get(role) ?? "";
    this.last.set(role, prompt);
    let shared = 0;
    while (shared < prompt.length && before[shared] === prompt[shared]) shared += 1;
    const tokens = countTokens(prompt.slice(0, shared));
    const cached = tokens < CACHE_FROM ? 0 : tokens - (tokens % CACHE_STEP);
    return { input: countTokens(prompt), cached };
  }
}
