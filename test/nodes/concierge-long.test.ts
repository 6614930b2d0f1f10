import { expect, test } from "vitest";
import { createExecutorNode } from "../../nodes/executor.ts";
import { createExplorerNode } from "../../nodes/explorer.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { EXECUTION, INTENT, NO_PATCH, JOURNEY_PLAN } from "../support/concierge-documents.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import type { ScriptEntry } from "../support/scripted-model.ts";
import { turnState } from "../support/turn-state.ts";

const TURNS = 200;
/** Of about 800 tokens. */
const ANSWER = "It depends on the week and on who is at home, so let us look at it. ".repeat(47);

const LEARNED = {
  ...NO_PATCH,
  revealedConstraints: ["Mondays are out"],
  unpromptedReveals: ["There is a dog"],
};

/** Talks at length, and learns the same whenever its notes are brought up to date. */
const answer: ScriptEntry = ({ schema }) => (schema === null ? ANSWER : { json: LEARNED });

/** Thread, prompt and message: what a prompt may hold at most. */
const BUDGET = DEFAULT_LIMITS.conciergeThreadTokens + DEFAULT_LIMITS.messageTokens + 200;

const KEPT = {
  explorer: [INTENT.impliedGoal, ...INTENT.revealedConstraints],
  executor: [
    EXECUTION.goal,
    ...EXECUTION.constraints,
    ...EXECUTION.decisionsMade,
    "2. [>] **Prepare on Sunday** — Cook the bases in two hours.",
    "- D1: Which day is for cooking?; open; recommended: Sunday; at 2",
  ],
} as const;

test.each(["explorer", "executor"] as const)(
  "200 turns of the %s stay within the prompt's budget, and every fresh instance knows what counts",
  async (phase) => {
    const services = testServices({
      lanes: { task: true, concierge: true },
      scripts: { concierge: Array.from({ length: TURNS * 2 }, () => answer) },
    });
    const node = phase === "explorer" ? createExplorerNode(services) : createExecutorNode(services);
    let state: TurnState = turnState({
      opening: { question: INTENT.userQuery, answer: "Prepare one base.", analysis: null },
      concierge: {
        ...INITIAL_PHASE_STATE,
        currentPhase: phase,
        intentHandover: INTENT,
        executionHandover: phase === "executor" ? EXECUTION : null,
        turnInPhase: phase === "executor" ? 5 : 0,
      },
      journeyPlan: phase === "executor" ? JOURNEY_PLAN : null,
    });

    for (let turn = 1; turn <= TURNS; turn += 1) {
      const input = { messageId: `m-${turn}`, text: `${turn}: and then what about this?` };
      const asked: TurnState = { ...state, turn, input, calls: [], notices: [] };
      const { concierge, conciergeThread } = await node(asked, recordedIO());
      state = {
        ...asked,
        concierge: concierge ?? asked.concierge,
        conciergeThread: conciergeThread ?? asked.conciergeThread,
      };
    }

    const asked = services.models.concierge.requests.filter(({ schema }) => schema === null);
    const sizes = asked.map(({ messages }) =>
      messages.reduce((sum, { text }) => sum + countRoughly(text), 0),
    );
    expect(asked).toHaveLength(TURNS);
    expect(Math.max(...sizes)).toBeLessThan(BUDGET);
    // The prompts do grow: else nothing would have been kept within anything.
    expect(Math.max(...sizes)).toBeGreaterThan(DEFAULT_LIMITS.conciergeThreadTokens - 1_200);
    const rolledOver = asked.slice(1).filter(({ messages }) => messages.length === 2);
    expect(rolledOver.length).toBeGreaterThan(10);
    for (const { messages } of rolledOver) {
      const prompt = messages.at(-1)?.text ?? "";
      expect(KEPT[phase].filter((line) => !prompt.includes(line))).toEqual([]);
    }
    expect(state.concierge).toMatchObject({ currentPhase: phase });
    expect(state.concierge.turnInPhase).toBe(TURNS + (phase === "executor" ? 5 : 0));
  },
);
