import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chooseWording, drawConversations } from "../../../dev/evaluate/play-intents.ts";
import { judgeItem, readJudgedRows, type RowsBefore } from "../../../dev/evaluate/judge-item.ts";
import type { Item, ReportedCall } from "../../../dev/evaluate/report.ts";
import { playConversation, type PlayWatcher } from "../../../dev/simulation/play.ts";
import { rewordMessage, MESSAGE_WORDINGS } from "../../../dev/simulation/wordings.ts";

/** `REWORDED_CONVERSATIONS=100 npm test -- test/dev/evaluate/wordings.test.ts` plays more. */
const CONVERSATIONS = Number(process.env["REWORDED_CONVERSATIONS"] ?? 80);

type JudgedItem = Omit<Item, "set" | "id">;

/** Plays conversations with honest models, all wordings in turn. */
async function playHonestly(): Promise<readonly JudgedItem[]> {
  const items: JudgedItem[] = [];
  for (const [index, conversation] of drawConversations({
    limit: CONVERSATIONS,
    seed: 3,
  }).entries()) {
    let before: RowsBefore | null = null;
    let calls: readonly ReportedCall[] = [];
    const watcher: PlayWatcher = {
      begin(moment) {
        before = readJudgedRows(moment);
      },
      end(end) {
        if (before !== null) items.push(judgeItem({ end, before, calls }));
      },
    };
    await playConversation(conversation, {
      reword: (message, turn) => chooseWording(index, message, turn),
      onTurn(_, prompted) {
        calls = prompted.map(({ request: { role } }) => ({ ...CALL, role }));
      },
      watcher,
    });
  }
  return items;
}

const CALL: Omit<ReportedCall, "role"> = {
  request: "0123456789abcdef",
  usage: { input: 0, cached: 0, output: 0 },
  answer: { kind: "answer", text: "", toolCalls: [], truncated: false },
};

test(
  "judgeItem() finds every turn and node of honest models right, in every wording",
  { timeout: 120_000 },
  async () => {
    const items = await playHonestly();
    const sum = (read: (item: JudgedItem) => number): number =>
      items.reduce((total, item) => total + read(item), 0);
    const verdicts = items.flatMap(({ nodes }) => Object.entries(nodes));

    expect(items.filter(({ right }) => !right)).toEqual([]);
    expect(items.filter(({ nodes }) => Object.values(nodes).includes(false)).slice(0, 3)).toEqual(
      [],
    );
    expect(new Set(verdicts.map(([node]) => node))).toEqual(
      new Set(["understand", "think", "act", "reply", "summarize"]),
    );
    expect(sum(({ effects }) => effects.wanted)).toBeGreaterThan(20);
    expect(sum(({ effects }) => effects.right)).toBe(sum(({ effects }) => effects.wanted));
    expect(sum(({ refs }) => refs.wanted)).toBeGreaterThan(20);
    expect(sum(({ refs }) => refs.right)).toBe(sum(({ refs }) => refs.wanted));
    expect(
      sum(({ effects, refs, excludedNamed }) => effects.wrong + refs.wrong + excludedNamed),
    ).toBe(0);
  },
);

test("rewordMessage() says a message in seven ways, with the same labels and values", () => {
  const ways = Array.from({ length: MESSAGE_WORDINGS }, (_, way) =>
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
    const ways = Array.from({ length: MESSAGE_WORDINGS }, (_, way) => rewordMessage(message, way));
    expect(ways[0]).toBe(message);
    expect(new Set(ways).size).toBe(MESSAGE_WORDINGS);
  }
});

test("rewordMessage() names a message that it does not know", () => {
  expect(() => rewordMessage("what is the time?", 1)).toThrow(
    'Cannot reword "what is the time?": no wording is known for it; add one',
  );
});
