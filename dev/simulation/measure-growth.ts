import * as fc from "fast-check";
import type { ModelRole } from "../../state/model.ts";
import { countRoughly } from "../../test/support/arbitraries.ts";
import { conversations } from "./intents.ts";
import { playConversation, type Failure } from "./play.ts";

/**
 * Prompts of late turns are at most so much longer than those of early ones. More than the 1.1 of
 * turns 150 to 200 (the test of the long conversation): within sixty turns the places for open
 * choices and the history still fill up, beside rules that are short in a made-up domain.
 */
export const MOST_GROWTH = 1.15;

/** The turns that are compared: prompts of the late ones are at most so much longer than those of the early ones. */
const EARLY = { first: 15, last: 25 };
const LATE = { first: 30, last: 60 };

/** Mean tokens of prompts, early and late in long conversations. */
export interface PromptGrowth {
  readonly early: number;
  readonly late: number;
}

/** Long conversations: how their prompts grow, all of them and by role, and where a promise was broken. */
export interface LongConversations {
  readonly all: PromptGrowth;
  readonly roles: ReadonlyMap<ModelRole, PromptGrowth>;
  readonly failures: readonly Failure[];
}

/** Plays conversations of sixty turns, and measures how their prompts grow. */
export async function measureGrowth(search: {
  readonly runs: number;
  readonly seed: number;
}): Promise<LongConversations> {
  const long = conversations(LATE.last, { lies: false, atLeast: LATE.last });
  const played = fc.sample(long, { numRuns: search.runs, seed: search.seed });
  const sizes: PromptSize[] = [];
  const failures: Failure[] = [];
  for (const conversation of played) {
    const { failure } = await playConversation(conversation, {
      onTurn(turn, prompted) {
        for (const { request } of prompted) {
          const text = request.messages.map((message) => message.text).join("\n");
          sizes.push({ turn, role: request.role, tokens: countRoughly(text) });
        }
      },
    });
    if (failure !== null) failures.push(failure);
  }
  const roles = [...Map.groupBy(sizes, ({ role }) => role)];
  return {
    all: compareTurns(sizes),
    roles: new Map(roles.map(([role, own]) => [role, compareTurns(own)])),
    failures,
  };
}

interface PromptSize {
  readonly turn: number;
  readonly role: ModelRole;
  readonly tokens: number;
}

function compareTurns(sizes: readonly PromptSize[]): PromptGrowth {
  const [early, late] = [EARLY, LATE].map(({ first, last }) => {
    const own = sizes.filter(({ turn }) => turn >= first && turn <= last);
    return own.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, own.length);
  });
  return { early: early ?? 0, late: late ?? 0 };
}

/** Renders how the prompts grow, a line for all of them and one for each role. */
export function renderGrowth({ all, roles }: LongConversations): string {
  return [["all", all] as const, ...roles]
    .map(([name, { early, late }]) => {
      const ratio = (late / early).toFixed(2);
      return `${name}: ${early.toFixed(0)} tokens in turns ${EARLY.first}-${EARLY.last}, ${late.toFixed(0)} in turns ${LATE.first}-${LATE.last} (${ratio} times)`;
    })
    .join("\n");
}
