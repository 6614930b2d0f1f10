/** Settings that no longer exist, each with what to write instead: the end of a sentence. */
export const FORMER_SETTINGS: ReadonlyMap<string, string> = new Map([
  ["CONCIERGE_MODEL_TIMEOUT_SECONDS", "write CONCIERGE_LIMITS=modelSeconds=120 for 120 seconds"],
  ["CONCIERGE_MODEL_RETRIES", "write CONCIERGE_LIMITS=retriesPerCall=3 for 3 retries"],
  [
    "CONCIERGE_MODEL_MAX_OUTPUT_TOKENS",
    "write CONCIERGE_LIMITS=replyOutputTokens=800 for replies of 800 tokens; docs/limits.md lists the limits of other answers",
  ],
  ["CONCIERGE_MODEL_REASONING_TOKENS", "write CONCIERGE_REASONING_TOKENS"],
  ["CONCIERGE_ENUMERATE_REFS", "write CONCIERGE_MODEL_TIER=small"],
]);
