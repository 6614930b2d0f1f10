import { expect, test } from "vitest";
import type { TurnEvent } from "../driver/events.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";
import { testAssistant, type SentTurn } from "./support/assistant.ts";
import { testDatabase } from "./support/database.ts";

const database = await testDatabase();

const TURNS = 200;
const OPENING = [
  "we keep ordering takeout and it costs a fortune, what should we do?",
  "we get home after seven, budget is $1,500 a month",
] as const;

const GOAL = "Find what works for this: you keep ordering takeout and it costs a fortune";

type Talk = "explorer" | "executor";

/** How the talk comes to be in the phase, and what is said from then on. */
const TALKS: Record<
  Talk,
  {
    readonly begin: readonly string[];
    /** What every later prompt has to tell. */
    readonly counts: readonly string[];
    readonly say: (turn: number) => string;
  }
> = {
  explorer: {
    begin: OPENING,
    counts: [GOAL, "we get home after seven", "budget is $1,500 a month"],
    say: (turn) =>
      `my partner said on day ${turn} that sunday prep could work but the evenings are short and nobody likes to cook twice, hm`,
  },
  executor: {
    begin: [
      ...OPENING,
      "I think sunday prep could work",
      "ok let's do it, give me a plan",
      "step 1 is done, what now?",
    ],
    counts: [
      GOAL,
      "we get home after seven",
      "budget is $1,500 a month",
      "sunday prep could work",
      "2. [ ] **Buy for exactly those dinners**",
    ],
    say: (turn) =>
      `hm, what should we watch out for with this step on evening number ${turn}? the neighbours come round and the oven is slow`,
  },
};

test.each(["explorer", "executor"] as const)(
  "in 200 turns with the %s its prompt stays within the budget, and what counts outlives every roll-over",
  { timeout: 600_000 },
  async (phase) => {
    const { begin, counts, say } = TALKS[phase];
    const assistant = await testAssistant({ database });
    const turns: SentTurn[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      turns.push(await assistant.send(begin[turn - 1] ?? say(turn)));
    }

    expect(turns.filter(({ record }) => record === null)).toEqual([]);
    const talk = turns.slice(begin.length - 1);
    expect(talk.filter(({ state }) => state.concierge.currentPhase !== phase)).toEqual([]);
    const prompts = turns.flatMap(({ events }) => promptsTo(phase, events));
    const sizes = prompts.map(({ tokens }) => tokens);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(DEFAULT_LIMITS.conciergeThreadTokens);
    const rolledOver = talk.filter(({ events }) =>
      events.some((event) => event.type === "notice" && event.code === "rolled-over"),
    );
    expect(rolledOver.length).toBeGreaterThanOrEqual(2);
    expect(whatCounts(talk[0])).toEqual(counts);
    for (const { events } of rolledOver) {
      const [prompt] = promptsTo(phase, events);
      expect(prompt?.messages).toHaveLength(2);
      const told = prompt?.messages.map((message) => JSON.stringify(message)).join("\n") ?? "";
      expect(counts.filter((fact) => !told.includes(fact))).toEqual([]);
    }
  },
);

function promptsTo(node: Talk, events: readonly TurnEvent[]) {
  return events.flatMap((event) => (event.type === "prompt" && event.node === node ? [event] : []));
}

/** Goal, limits, decisions and the current step, as they stand after a turn. */
function whatCounts(turn: SentTurn | undefined): readonly string[] {
  const { intentHandover, executionHandover, activeWorkflow } = turn?.state.concierge ?? {};
  const at = activeWorkflow?.currentStepIndex ?? 0;
  const step = activeWorkflow?.steps[at];
  return [
    executionHandover?.goal ?? intentHandover?.impliedGoal ?? "",
    ...(executionHandover?.constraints ?? intentHandover?.revealedConstraints ?? []),
    ...(executionHandover?.decisionsMade ?? []),
    ...(step === undefined ? [] : [`${at + 1}. [ ] **${step.title}**`]),
  ];
}
