import { beforeAll, describe, expect, test } from "vitest";
import { mealsDomain } from "../meals/index.ts";
import { countTokens } from "../models/tokens.ts";
import { recall } from "../nodes/steps/recall.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";
import { TurnContextSchema } from "../state/turn.ts";
import { createTurnArchive } from "../storage/conversations/turn-archive.ts";
import { testAssistant, type SentTurn } from "./support/conversation.ts";
import { testDatabase } from "./support/database.ts";
import { longConversation } from "./support/long-conversation.ts";

/** `LONG_TURNS=200 npm test -- test/long-conversation.test.ts` plays what the documents measure. */
const TURNS = Number(process.env["LONG_TURNS"] ?? 120);

const database = await testDatabase();

/** The largest prompt of each node in a range of turns (both counted), schemas and tools included. */
function largestPrompts(
  turns: readonly SentTurn[],
  range: { readonly from: number; readonly to: number },
): ReadonlyMap<string, number> {
  const largest = new Map<string, number>();
  for (const event of turns.slice(range.from - 1, range.to).flatMap(({ events }) => events)) {
    if (event.type !== "prompt") continue;
    largest.set(event.node, Math.max(largest.get(event.node) ?? 0, event.tokens));
  }
  return largest;
}

describe(`in a conversation of ${TURNS} turns`, () => {
  let turns: readonly SentTurn[] = [];
  beforeAll(async () => {
    const assistant = await testAssistant({ database });
    const sent: SentTurn[] = [];
    for (const message of ["no cod", ...longConversation(TURNS - 2, 7), "thanks"]) {
      sent.push(await assistant.send(message));
    }
    turns = sent;
  }, 600_000);

  test("the last prompts are as large as those of turn 50", () => {
    expect(turns.filter(({ record }) => record === null)).toEqual([]);
    const early = largestPrompts(turns, { from: 40, to: 60 });
    const late = largestPrompts(turns, { from: TURNS - 50, to: TURNS });
    const grown = [...late].filter(([node, tokens]) => tokens > 1.1 * (early.get(node) ?? tokens));
    expect(grown).toEqual([]);
    // Think's has 370 tokens of descriptions and example: 20 % of its constant part.
    const bars = { think: 4_370, act: 4_000, reply: 4_000 };
    const tooLarge = Object.entries(bars).filter(([node, bar]) => (late.get(node) ?? 0) > bar);
    expect(tooLarge).toEqual([]);
  });

  test("every ref is in the last prompt or one recall away, and no wish is lost", async () => {
    const seen = new Map<string, number>();
    for (const { record } of turns.slice(0, -1)) {
      for (const ref of JSON.stringify(record).match(REF) ?? []) {
        seen.set(ref, record?.turnNumber ?? 0);
      }
    }
    const closing = turns.at(-1);
    if (closing === undefined) throw new Error("Cannot check an empty conversation");
    const prompts = closing.events.flatMap((event) =>
      event.type === "prompt" ? [JSON.stringify(event.messages)] : [],
    );
    const facts = {
      services: { archive: createTurnArchive(database.pool), limits: DEFAULT_LIMITS, countTokens },
      run: TurnContextSchema.parse(closing.state.run),
      registry: foldRegistry(closing.state.registry, [], mealsDomain.entityTypes),
    };
    const lost: string[] = [];
    for (const [ref, turn] of seen) {
      const shown = prompts.some((prompt) => prompt.includes(ref));
      const { refs, text } = await recall({ ref, turn: null, words: null }, facts);
      const recalled = refs.includes(ref) && text.includes(ref);
      const recent = turn > closing.state.turn - 3;
      if (!recalled && !(recent && shown)) lost.push(`${ref}, last named in turn ${turn}`);
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(lost).toEqual([]);
    // What was wished for in the first turn outlives every roll-up.
    expect(closing.state.history.throughTurn).toBeGreaterThan(TURNS - 50);
    expect(closing.state.constraints.map(({ text }) => text).join("; ")).toMatch(/cod/);
    expect(prompts.join("\n")).toMatch(/## Wishes and Rules\\n\\n[^#]*cod/);
  });
});

const REF = /\b[a-z]+(?:_[a-z]+)*_\d+\b/gu;
