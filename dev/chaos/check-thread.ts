import type { Pool } from "pg";
import { checkEventOrder } from "../../test/support/event-order.ts";
import type { FollowedRun } from "./follow-run.ts";

/** A message that was sent, and its run as its client followed it. */
export interface Exchange {
  readonly messageId: string;
  /** The item that it adds to the shopping list. */
  readonly item: string;
  readonly followed: FollowedRun;
}

/** The messages of a thread, in order, with their runs. */
export interface ThreadLog {
  readonly threadId: string;
  /** Of this thread alone. */
  readonly userId: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * Returns the broken promises of a thread, one sentence each: every message is answered once and in
 * order, by one run that succeeded; each stream was whole; every item was added once.
 */
export async function checkThread(owner: Pool, log: ThreadLog): Promise<readonly string[]> {
  const { threadId, userId, exchanges } = log;
  const followed = exchanges.map((exchange) => exchange.followed);
  const streams = await Promise.all(followed.map((run) => checkStream(owner, run)));
  const problems = [
    ...expectRows("The inbox", {
      found: await select(owner, {
        text: "select message_id || ': ' || coalesce(outcome, 'waits') || ' in turn ' || coalesce(turn, 0) as line from inbox where thread_id = $1 order by seq",
        value: threadId,
      }),
      wanted: exchanges.map(
        ({ messageId }, index) => `${messageId}: answered in turn ${index + 1}`,
      ),
    }),
    ...expectRows("The runs", {
      found: await select(owner, {
        text: "select run_id || ': ' || status as line from runs where thread_id = $1 order by seq",
        value: threadId,
      }),
      wanted: followed.map(({ runId }) => `${runId}: success`),
    }),
    ...expectRows("The shopping list", {
      found: await select(owner, {
        text: "select name as line from shopping_list where user_id = $1",
        value: userId,
      }),
      wanted: exchanges.map(({ item }) => item),
      sorted: true,
    }),
    ...expectRows("The applied writes", {
      found: await select(owner, {
        text: "select count(*)::text as line from effects where thread_id = $1",
        value: threadId,
      }),
      wanted: [String(exchanges.length)],
    }),
    ...checkEventOrder(followed.flatMap(({ events }) => events.map(({ event }) => event))),
    ...streams.flat(),
  ];
  return problems.map((problem) => `${threadId}: ${problem}`);
}

/** Compares the events that a client received with the stored ones: each must have come once. */
async function checkStream(owner: Pool, run: FollowedRun): Promise<readonly string[]> {
  const { runId, events, status } = run;
  return [
    ...expectRows(`The end of run ${runId}`, { found: [status], wanted: ["success"] }),
    ...expectRows(`The stream of run ${runId}`, {
      found: events.map(({ id, event }) => `${id} ${event.type} ${event.seq}`),
      wanted: await select(owner, {
        text: "select seq || ' ' || (data->>'type') || ' ' || (data->>'seq') as line from run_events where run_id = $1 order by seq",
        value: runId,
      }),
    }),
    ...expectRows(`The numbers of run ${runId}`, {
      found: events.map(({ id }) => String(id)),
      wanted: events.map((_, index) => String(index + 1)),
    }),
  ];
}

interface Selection {
  readonly text: string;
  readonly value: string;
}

async function select(owner: Pool, { text, value }: Selection): Promise<readonly string[]> {
  const { rows } = await owner.query<{ line: string }>(text, [value]);
  return rows.map(({ line }) => line);
}

interface ComparedRows {
  readonly found: readonly string[];
  readonly wanted: readonly string[];
  readonly sorted?: boolean;
}

function expectRows(name: string, rows: ComparedRows): readonly string[] {
  const [found, wanted] = [rows.found, rows.wanted].map((lines) =>
    (rows.sorted === true ? lines.toSorted() : lines).join(", "),
  );
  return found === wanted ? [] : [`${name}: found [${found}], wanted [${wanted}]`];
}
