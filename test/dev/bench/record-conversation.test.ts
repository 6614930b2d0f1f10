import { expect, test } from "vitest";
import { recordConversation } from "../../../dev/bench/conversation/record-conversation.ts";
import { recordOnce } from "../../../dev/bench/conversation/record-once.ts";
import { holdByAll } from "../../../dev/bench/rivals/hold-by-all.ts";
import { testDatabase } from "../../support/database.ts";
import { longConversation } from "../../support/long-conversation.ts";

const database = await testDatabase();

test(
  "a conversation that is recorded again, and held by every rival, is the same to the letter",
  { timeout: 120_000 },
  async () => {
    const messages = longConversation(10, 7);
    const hold = async () => {
      const { turns } = await recordConversation(database, { messages });
      return holdByAll(turns, () => undefined);
    };

    const [first, second] = [await hold(), await hold()];

    expect(first.map(({ method, turns }) => [method, turns.length])).toEqual([
      ["this project", 10],
      ["transcript", 10],
      ["trimmed", 10],
      ["summarised", 10],
    ]);
    expect(second).toEqual(first);
  },
);

test("recordOnce() holds one conversation, whoever asks and however often", async () => {
  let opened = 0;
  const longTalk = recordOnce({
    quick: true,
    seed: 7,
    openDatabase: async () => {
      opened += 1;
      throw new Error("Cannot open a database");
    },
  });
  const ask = () => longTalk(() => undefined);

  await expect(Promise.all([ask(), ask()])).rejects.toThrow("Cannot open a database");
  await expect(ask()).rejects.toThrow("Cannot open a database");
  expect(opened).toBe(1);
});
