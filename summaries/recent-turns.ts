import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import { neutralise } from "../text/fence.ts";
import { shorten } from "../registry/shorten.ts";

export { shorten };

/** One message of an earlier turn. */
export interface RecentMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

const SPEAKERS = { user: "User", assistant: "Assistant" } as const;

/** The share of an older message that is shown: its turn has a turn summary besides. */
const OLDER_SHARE = 0.5;

interface RecentTurnsOptions {
  readonly limits: Pick<Limits, "recentMessageTokens">;
  readonly countTokens: CountTokens;
}

/**
 * The messages of the last turns, oldest first, each at most `recentMessageTokens` long with its
 * middle left out, half of that where it is older than the last exchange; continuation lines are indented, so that no message can pass for another.
 */
export function renderRecentTurns(
  messages: readonly RecentMessage[],
  options: RecentTurnsOptions,
): string {
  const { limits, countTokens } = options;
  return messages
    .map(({ role, text }, index) => {
      const share = index < messages.length - 2 ? OLDER_SHARE : 1;
      const tokens = Math.ceil(limits.recentMessageTokens * share);
      const short = shorten(neutralise(text.trim()), { tokens, countTokens });
      return `${SPEAKERS[role]}: ${short.replace(/\n+/g, "\n  ")}`;
    })
    .join("\n");
}
