import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { CallRecord } from "../../../state/call-record.ts";
import { JsonSchema } from "../../../state/json.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { testDatabase } from "../../support/database.ts";
import { turnRow } from "../../support/replies.ts";

const { pool, owner } = await testDatabase();
const archive = createTurnArchive(pool);

const count = fc.nat({ max: 50_000 });
const call: fc.Arbitrary<CallRecord> = fc.record({
  node: fc.constantFrom("understand", "act", "expert", "reply"),
  usage: fc.record({ input: count, cached: count, output: count }),
  costMicros: fc.option(fc.nat({ max: 2_000_000 })),
});
const turn = fc.record({
  thread: fc.constantFrom("first", "second"),
  day: fc.constantFrom("2026-01-12", "2026-01-13"),
  /** The calls at each attempt at saving it; a process died after all but the last. */
  attempts: fc.array(fc.array(call, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
});

let plays = 0;

test.prop([fc.array(turn, { maxLength: 6 })], { numRuns: 25 })(
  "saveTurn() keeps spending equal to the calls of the turns, however often each is saved",
  async (turns) => {
    plays += 1;
    const userId = `payer ${plays}`;
    for (const [index, { thread, day, attempts }] of turns.entries()) {
      for (const calls of attempts) {
        await save({ userId, threadId: `${thread} ${plays}`, day, number: index + 1, calls });
      }
    }

    const { rows } = await owner.query(
      `select day::text, thread_id, input_tokens, cached_tokens, output_tokens, cost_micros
         from spending where user_id = $1 and input_tokens + output_tokens + cost_micros > 0
        order by day, thread_id`,
      [userId],
    );
    expect(rows).toEqual(sumByHand(turns));
    for (const thread of ["first", "second"]) {
      const threadId = `${thread} ${plays}`;
      const own = sumByHand(turns).filter(({ thread_id }) => thread_id === threadId);
      expect(await archive.loadThreadSpending({ userId, threadId })).toEqual({
        tokens: own.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0),
        micros: own.reduce((sum, row) => sum + row.cost_micros, 0),
      });
    }
  },
);

interface Saved {
  readonly userId: string;
  readonly threadId: string;
  readonly day: string;
  readonly number: number;
  readonly calls: readonly CallRecord[];
}

async function save({ userId, threadId, day, number, calls }: Saved): Promise<void> {
  const { manifests: _none, ...row } = turnRow(threadId, number);
  await archive.saveTurn({
    ...row,
    userId,
    lease: null,
    replies: [],
    summary: null,
    usage: JsonSchema.parse(calls),
    day,
    decisionUntil: null,
    wishChanges: [],
  });
}

function sumByHand(turns: readonly Turn[]) {
  const keys = new Set(turns.map(({ day, thread }) => JSON.stringify([day, thread])));
  return [...keys]
    .toSorted()
    .map((key) => {
      const own = turns.filter(({ day, thread }) => JSON.stringify([day, thread]) === key);
      const calls = own.flatMap(({ attempts }) => attempts.at(-1) ?? []);
      const sum = (read: (one: CallRecord) => number): number =>
        calls.reduce((total, one) => total + read(one), 0);
      return {
        day: own[0]?.day,
        thread_id: `${own[0]?.thread} ${plays}`,
        input_tokens: sum(({ usage }) => usage.input),
        cached_tokens: sum(({ usage }) => usage.cached),
        output_tokens: sum(({ usage }) => usage.output),
        cost_micros: sum(({ costMicros }) => costMicros ?? 0),
      };
    })
    .filter((row) => row.input_tokens + row.output_tokens + row.cost_micros > 0);
}

type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;
