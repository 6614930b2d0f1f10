import { beforeAll, describe, expect, test } from "vitest";
import { mealsDomain } from "../meals/index.ts";
import { countTokens } from "../models/tokens.ts";
import { recall } from "../nodes/steps/recall.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";
import { RunSchema } from "../state/turn.ts";
import { createTurnArchive } from "../storage/conversations/turn-archive.ts";
import { testAssistant, type SentTurn } from "./support/assistant.ts";
import { testDatabase } from "./support/database.ts";
import { longConversation } from "./support/long-conversation.ts";

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

async function converse(messages: readonly string[]): Promise<readonly SentTurn[]> {
  const assistant = await testAssistant({ database });
  const turns: SentTurn[] = [];
  for (const message of messages) turns.push(await assistant.send(message));
  return turns;
}

describe("in a conversation of 200 turns", () => {
  let turns: readonly SentTurn[] = [];
  beforeAll(async () => {
    turns = await converse(longConversation(200, 7));
  }, 600_000);

  test("the last prompts are as large as those of turn 50", () => {
    expect(turns.filter(({ record }) => record === null)).toEqual([]);
    const early = largestPrompts(turns, { from: 40, to: 60 });
    const late = largestPrompts(turns, { from: 150, to: 200 });
    const grown = [...late].filter(([node, tokens]) => tokens > 1.1 * (early.get(node) ?? tokens));
    expect(grown).toEqual([]);
    const tooLarge = ["think", "act", "reply"].filter((node) => (late.get(node) ?? 0) >= 4_000);
    expect(tooLarge).toEqual([]);
  });

  test("little of a prompt is new as long as nothing is folded", () => {
    const parts = newParts(turns).filter(({ node }) => LEAN_NODES.includes(node));

    const many = parts.filter(({ table }) => table.length > MANY_LINES);
    const usual = parts.filter((part) => !many.includes(part));
    expect(usual.filter(({ tokens }) => tokens > 900)).toEqual([]);
    const beside = many.map(({ tokens, table }) => tokens - countTokens(table.join("\n")));
    expect(beside.filter((tokens) => tokens > 900)).toEqual([]);
    expect(many.length).toBeLessThan(parts.length / 50);
    expect(new Set(parts.map(({ node }) => node))).toEqual(new Set(LEAN_NODES));
  });
});

const LEAN_NODES = ["understand", "think", "act"];

/**
 * Lines of the table that may be new, or come after one that was taken out. A large read has to be
 * named once, and what the person refuses leaves at once.
 */
const MANY_LINES = 20;

/** What of a prompt comes after the beginning that it shares with the node's last one. */
interface NewPart {
  readonly node: string;
  readonly turn: number;
  readonly tokens: number;
  /** The lines of the table that stand in it. */
  readonly table: readonly string[];
}

/**
 * The new part of each prompt before which the node was asked since the last fold. A step of Act is
 * compared with the last one of its type: each type has its own tools, and endpoints read those first.
 */
function newParts(turns: readonly SentTurn[]): NewPart[] {
  const last = new Map<string, string>();
  const parts: NewPart[] = [];
  for (const { events, state } of turns) {
    for (const event of events) {
      if (event.type !== "prompt") continue;
      const text = event.messages.map(textOf).join("\n");
      const kind = `${event.node} ${/\nStep \d+ of \d+ \((\w+),/u.exec(text)?.[1] ?? ""}`;
      const before = last.get(kind);
      last.set(kind, text);
      if (event.node === "fold") last.clear();
      if (before === undefined) continue;
      const fresh = text.slice(sharedLength(before, text));
      const [beginning = ""] = fresh.split("</data>");
      const table = beginning.split("\n").filter((line) => ENTITY.test(line));
      parts.push({ node: event.node, turn: state.turn, tokens: countTokens(fresh), table });
    }
  }
  return parts;
}

const ENTITY = /^[a-z]+(?:_[a-z]+)*_\d+ /u;

/** A message with its line ends, so that it counts what the model reads. */
function textOf(message: unknown): string {
  return JSON.stringify(message).replaceAll("\\n", "\n");
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

test(
  "of 60 turns every ref is in the next prompt or one recall away, and no wish is lost",
  { timeout: 120_000 },
  async () => {
    const messages = ["never use olives please", ...longConversation(59, 11)];
    const assistant = await testAssistant({ database });
    const seen = new Map<string, number>();
    let last: SentTurn | null = null;
    for (const message of messages) {
      last = await assistant.send(message);
      const { record } = last;
      for (const ref of JSON.stringify(record).match(REF) ?? []) {
        seen.set(ref, record?.turnNumber ?? 0);
      }
    }
    if (last === null) throw new Error("Cannot check an empty conversation");
    const closing = await assistant.send("thanks");
    const prompts = closing.events.flatMap((event) =>
      event.type === "prompt" ? [JSON.stringify(event.messages)] : [],
    );
    const registry = foldRegistry(closing.state.registry, [], mealsDomain.entityTypes);
    const facts = {
      services: {
        archive: createTurnArchive(database.pool),
        limits: DEFAULT_LIMITS,
        countTokens,
      },
      run: RunSchema.parse(closing.state.run),
      registry,
    };
    const lost: string[] = [];
    for (const [ref, turn] of seen) {
      const shown = prompts.some((prompt) => prompt.includes(ref));
      const { refs, text } = await recall({ ref, turn: null, words: null }, facts);
      const recalled = refs.includes(ref) && text.includes(ref);
      const recent = turn > closing.state.turn - 3;
      if (!recalled && !(recent && shown)) lost.push(`${ref}, last named in turn ${turn}`);
    }
    expect([...seen].length).toBeGreaterThan(30);
    expect(lost).toEqual([]);
    // What was wished for in the first turn outlives every roll-up.
    expect(closing.state.history.throughTurn).toBeGreaterThan(40);
    expect(closing.state.constraints.map(({ text }) => text).join("; ")).toMatch(/olives/);
    expect(prompts.join("\n")).toMatch(/## Wishes and rules\\n\\n[^#]*olives/);
  },
);

const REF = /\b[a-z]+(?:_[a-z]+)*_\d+\b/gu;
