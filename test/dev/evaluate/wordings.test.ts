import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawConversations } from "../../../dev/evaluate/play-intents.ts";
import { judgeItem, readRows, type RowsBefore } from "../../../dev/evaluate/judge-item.ts";
import type { Item } from "../../../dev/evaluate/report.ts";
import { playConversation, type PlayWatcher } from "../../../dev/simulation/play.ts";
import { rewordMessage, WORDINGS } from "../../../dev/simulation/wordings.ts";

const CONVERSATIONS = drawConversations({ limit: 40, seed: 3 });

/** Plays the conversations with honest models, in one way of saying things. */
async function playHonestly(way: number): Promise<readonly Omit<Item, "set" | "id">[]> {
  const items: Omit<Item, "set" | "id">[] = [];
  for (const conversation of CONVERSATIONS) {
    let before: RowsBefore | null = null;
    const watcher: PlayWatcher = {
      begin(moment) {
        before = readRows(moment);
      },
      end(end) {
        if (before !== null) items.push(judgeItem({ end, before, calls: [] }));
      },
    };
    await playConversation(conversation, {
      reword: (message) => rewordMessage(message, way),
      watcher,
    });
  }
  return items;
}

test(
  "judgeItem() finds every turn of honest models right, in every wording",
  { timeout: 120_000 },
  async () => {
    for (let way = 0; way < WORDINGS; way += 1) {
      const items = await playHonestly(way);
      const sum = (read: (item: (typeof items)[number]) => number): number =>
        items.reduce((total, item) => total + read(item), 0);

      expect(items.filter(({ right }) => !right)).toEqual([]);
      expect(sum(({ effects }) => effects.wanted)).toBeGreaterThan(10);
      expect(sum(({ effects }) => effects.right)).toBe(sum(({ effects }) => effects.wanted));
      expect(sum(({ refs }) => refs.wanted)).toBeGreaterThan(10);
      expect(sum(({ refs }) => refs.right)).toBe(sum(({ refs }) => refs.wanted));
      expect(
        sum(({ effects, refs, excludedNamed }) => effects.wrong + refs.wrong + excludedNamed),
      ).toBe(0);
    }
  },
);

test("rewordMessage() says a message in seven ways, with the same labels and values", () => {
  const ways = Array.from({ length: WORDINGS }, (_, way) =>
    rewordMessage('set the size of Bimen 7 to "15", and add Kim 3', way),
  );

  expect(ways).toEqual([
    'set the size of Bimen 7 to "15", and add Kim 3',
    'change the size of Bimen 7 to "15", and also add Kim 3',
    'add Kim 3, and make the size of Bimen 7 "15"',
    'the size of Bimen 7 should be "15"; besides, add Kim 3',
    'please set the size of Bimen 7 to "15" and create Kim 3',
    'set teh size of Bimen 7 to "15", adn add Kim 3',
    'chagne the size of Bimen 7 to "15", and also add Kim 3',
  ]);
});

test("rewordMessage() leaves the first way as it is, and never says two ways alike", () => {
  const messages = new Set<string>();
  const words = fc.sample(fc.stringMatching(/^[a-z]{3,8}$/u), { numRuns: 20, seed: 1 });
  for (const word of words) {
    messages.add(`show me all ${word}s`);
    messages.add(`is the ${word} of ${word} 2 right?`);
    messages.add(`not those with "${word}" as size, please`);
  }
  for (const message of messages) {
    const ways = Array.from({ length: WORDINGS }, (_, way) => rewordMessage(message, way));
    expect(ways[0]).toBe(message);
    expect(new Set(ways).size).toBe(WORDINGS);
  }
});

test("rewordMessage() names a message that it does not know", () => {
  expect(() => rewordMessage("what is the time?", 1)).toThrow(
    'Cannot reword "what is the time?": no wording is known for it; add one',
  );
});
