import type { Pool } from "pg";
import { checkEventOrder } from "../../test/support/event-order.ts";
import type { HeardRun } from "./follow-run.ts";

/** A message that was sent, and its run as its client heard it. */
export interface Exchange {
  readonly messageId: string;
  /** What it puts on the shopping list. */
  readonly item: string;
  readonly heard: HeardRun;
}

/** What was said in a thread, in order. */
export interface Talk {
  readonly threadId: string;
  /** Of this thread alone. */
  readonly userId: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * What is wrong with a thread, a sentence each: every message is answered once and in order, by one
 * run that succeeded; each stream was whole; what was asked for was done once.
 */
export async function checkTalk(owner: Pool, talk: Talk): Promise<readonly string[]> {
  const { threadId, userId, exchanges } = talk;
  const heard = exchanges.map((exchange) => exchange.heard);
  const streams = await Promise.all(heard.map((run) => checkStream(owner, run)));
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
      wanted: heard.map(({ runId }) => `${runId}: success`),
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
    ...checkEventOrder(heard.flatMap(({ events }) => events.map(({ event }) => event))),
    ...streams.flat(),
  ];
  return problems.map((problem) => `${threadId}: ${problem}`);
}

/** What its client heard is what is kept, each event once. */
async function checkStream(owner: Pool, run: HeardRun): Promise<readonly string[]> {
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

async function select(
  owner: Pool,
  { text, value }: { readonly text: string; readonly value: string },
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ line: string }>(text, [value]);
  return rows.map(({ line }) => line);
}

function expectRows(
  name: string,
  rows: {
    readonly found: readonly string[];
    readonly wanted: readonly string[];
    readonly sorted?: boolean;
  },
): readonly string[] {
  const [found, wanted] = [rows.found, rows.wanted].map((lines) =>
    (rows.sorted === true ? lines.toSorted() : lines).join(", "),
  );
  return found === wanted ? [] : [`${name}: found [${found}], wanted [${wanted}]`];
}
