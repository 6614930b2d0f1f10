import { expect, test } from "vitest";
import { readCosts, type NodeCosts } from "../../cli/chat/read-costs.ts";
import { renderCosts } from "../../cli/chat/render-costs.ts";
import { saveTurn } from "../../storage/conversations/archive-rows.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { testDatabase } from "../support/database.ts";
import { turnRow } from "../support/replies.ts";

const { pool, owner } = await testDatabase();

const REPLY: NodeCosts = {
  node: "reply",
  calls: 1,
  input: 1_000,
  cached: 250,
  output: 50,
  ms: 1_240,
  micros: 12_000,
  unpriced: 0,
  estimated: 0,
};

function call(node: string, costMicros: number | null) {
  return { node, usage: { input: 1_000, cached: 250, output: 50 }, ms: 1_240, costMicros };
}

test("readCosts() tells the newest turn, its thread and the person's day apart", async () => {
  await asUser(pool, { userId: "ada" }, async (tx) => {
    await saveTurn(tx, turnRow("one", 1, { usage: [call("reply", 12_000), call("think", null)] }));
    const estimated = { ...call("reply", 12_000), estimated: true };
    await saveTurn(tx, turnRow("one", 2, { usage: [estimated] }));
    await saveTurn(tx, turnRow("two", 1, { usage: [call("reply", 12_000)] }));
  });
  await asUser(pool, { userId: "bob" }, (tx) =>
    saveTurn(tx, turnRow("his", 1, { usage: [call("reply", 12_000)] })),
  );
  // Eleven in the evening of the 11th in London is the 12th in Berlin.
  await owner.query(
    `update turns set created_at = case when turn = 1 and thread_id = 'one'
            then timestamptz '2026-01-11T22:59Z' else timestamptz '2026-01-11T23:01Z' end`,
  );

  const costs = await asUser(pool, { userId: "ada" }, (tx) =>
    readCosts(tx, { threadId: "one", today: "2026-01-12", timeZone: "Europe/Berlin" }),
  );

  const twice = { ...REPLY, calls: 2, input: 2_000, cached: 500, output: 100, ms: 2_480 };
  expect(costs).toEqual({
    turn: [{ ...REPLY, estimated: 1 }],
    thread: [
      { ...twice, micros: 24_000, estimated: 1 },
      { ...REPLY, node: "think", micros: 0, unpriced: 1 },
    ],
    today: [{ ...twice, micros: 24_000, estimated: 1 }],
  });
});

test("renderCosts() shows money, and says where no price is known", () => {
  const think = { ...REPLY, node: "think", micros: 0, unpriced: 1 };

  expect(renderCosts({ turn: [REPLY], thread: [REPLY, think], today: [] })).toBe(
    [
      "Last turn",
      "  reply  1 call  1000 tokens in  25 % cached  50 out  1.2 s  $0.01",
      "  total  1 call  1000 tokens in  25 % cached  50 out  1.2 s  $0.01",
      "",
      "This conversation",
      "  reply   1 call  1000 tokens in  25 % cached   50 out  1.2 s  $0.01",
      "  think   1 call  1000 tokens in  25 % cached   50 out  1.2 s  price not known",
      "  total  2 calls  2000 tokens in  25 % cached  100 out  2.5 s  $0.01 and 1 call of unknown price",
      "",
      "Today: no model was asked",
    ].join("\n"),
  );
});

test("renderCosts() says where tokens are estimated", () => {
  expect(renderCosts({ turn: [{ ...REPLY, estimated: 1 }], thread: [], today: [] })).toContain(
    "  total  1 call  about 1000 tokens in  25 % cached  about 50 out  1.2 s  about $0.01",
  );
});
