import type { TurnEvent } from "../../driver/events.ts";
import { checkEventOrder } from "../../test/support/event-order.ts";
import { checkReplies } from "./check-replies.ts";
import type { Conversation } from "./conversations.ts";
import type { KitchenCopies, KitchenCopy } from "./kitchen-copies.ts";
import { findDifference } from "./normalise.ts";
import {
  countAccepted,
  findUncompared,
  readArchivedReplies,
  readOutcome,
  readStanding,
  type Outcome,
} from "./read-outcome.ts";
import {
  PERSON,
  runProgram,
  type Death,
  type Fault,
  type Moment,
  type ProgramEnd,
  type Spot,
} from "./run-program.ts";

/** Where the program can die. */
export interface Position extends Spot {
  readonly conversation: Conversation;
}

/** A conversation that nothing disturbed, and where it can be. */
export interface Undisturbed {
  readonly conversation: Conversation;
  readonly outcome: Outcome;
  readonly positions: readonly Position[];
  /** What is wrong even so. */
  readonly problems: readonly string[];
}

/** A death to be died. */
export interface Kill {
  readonly position: Position;
  readonly moment: Moment;
  /** Whether the program dies a second time, while it goes on with the turn. */
  readonly twice: boolean;
}

/** What came of a kill. */
export interface KillReport {
  readonly kill: Kill;
  /** How often the program died: less than was asked for where a turn ended before the position. */
  readonly deaths: number;
  /** Where the thread stood after each death. */
  readonly stood: readonly string[];
  /** Whether a message that waited cut a batch off. */
  readonly cut: boolean;
  /** What differs from the undisturbed conversation, a sentence each. */
  readonly problems: readonly string[];
}

/** Has a conversation from its beginning to its end and notes where it can be killed. */
export async function playUndisturbed(
  kitchens: KitchenCopies,
  conversation: Conversation,
): Promise<Undisturbed> {
  return withKitchen(kitchens, async (kitchen) => {
    const { messages } = conversation;
    const end = await runProgram({
      databaseUrl: kitchen.url,
      messages,
      death: "survey",
      fault: null,
    });
    const uncompared = await findUncompared(kitchen.owner);
    return {
      conversation,
      outcome: await readOutcome(kitchen.owner),
      positions: end.spots.flatMap((spot) =>
        spot.turn < messages.length ? [{ conversation, ...spot }] : [],
      ),
      problems: [
        ...uncompared.map((table) => `Rows of ${table} are not compared`),
        ...checkEnd(end),
        ...checkReplies([end.events], await readArchivedReplies(kitchen.owner)),
        ...checkCount(conversation, await countAccepted(kitchen.owner)),
        ...(end.events.every(isAnswerIfEnd) ? [] : ["Not every expert has answered"]),
      ],
    };
  });
}

/** How often a kill is tried: the clock has a say in what is sent, and in whether an expert is waited for. */
const TRIES = 8;

/**
 * Has a conversation whose program is killed, starts it again and has the rest, and compares what
 * it came to with the undisturbed one.
 *
 * How many statements a place sends is not always the same: a kill that is not come to is tried at
 * an earlier one. Nor is an expert always waited for: once the turn goes on, another message waits,
 * and may cut a batch; then the kill is tried again.
 */
export async function playKill(
  kitchens: KitchenCopies,
  {
    kill,
    undisturbed,
    fault = null,
  }: { readonly kill: Kill; readonly undisturbed: Undisturbed; readonly fault?: Fault | null },
): Promise<KillReport> {
  const { position } = kill;
  let missed = 0;
  for (let tries = 1; ; tries += 1) {
    const number = Math.max(1, position.number - missed);
    const tried = { ...kill, position: { ...position, number } };
    const report = await withKitchen(kitchens, (kitchen) =>
      playOnce(kitchen, { kill: tried, undisturbed, fault }),
    );
    if (tries === TRIES || (report.deaths > 0 && !report.cut)) return report;
    if (report.deaths === 0) missed += 1;
  }
}

async function playOnce(
  kitchen: KitchenCopy,
  facts: {
    readonly kill: Kill;
    readonly undisturbed: Undisturbed;
    readonly fault: Fault | null;
  },
): Promise<KillReport> {
  const { kill, undisturbed, fault } = facts;
  const { messages } = undisturbed.conversation;
  const { moment, position } = kill;
  const { turn, place, number } = position;
  const runs: ProgramEnd[] = [];
  const stood: string[] = [];
  const answered = new Set<string>();
  const problems: string[] = [];
  const run = async (to: number, death: Death | null): Promise<void> => {
    const from = await countAccepted(kitchen.owner);
    const end = await runProgram({
      databaseUrl: kitchen.url,
      messages: messages.slice(from, to),
      death,
      fault: fault === "writes-lost" ? null : fault,
    });
    problems.push(...asked(end.events).flatMap((expert) => askedAgain(expert, answered)));
    if (end.killed) await bury(kitchen, { stood, answered, fault });
    runs.push(end);
  };

  await run(turn, { turn, place, number, moment });
  // The unfinished turn goes on when the next message comes: there it dies in the same place.
  if (kill.twice) await run(turn + 1, { turn: 1, place, number: 1, moment });
  await run(messages.length, null);

  const archived = await readArchivedReplies(kitchen.owner);
  const outcome = await readOutcome(kitchen.owner);
  return {
    kill,
    deaths: stood.length,
    stood,
    cut: runs.some(({ events }) => events.some(isCut)),
    problems: [
      ...problems,
      ...(stood.length === 0 ? ["The program did not die"] : []),
      ...runs.filter(({ killed }) => !killed).flatMap(checkEnd),
      ...runs.flatMap(({ events }) => checkErrors(events)),
      ...checkReplies(
        runs.map(({ events }) => events),
        archived,
      ),
      ...compare(outcome, undisturbed.outcome),
    ],
  };
}

/** Sees to it that the dead process is really gone, and that the next one need not wait for its lease. */
async function bury(
  kitchen: KitchenCopy,
  facts: {
    readonly stood: string[];
    readonly answered: Set<string>;
    readonly fault: Fault | null;
  },
): Promise<void> {
  await kitchen.abandoned();
  const standing = await readStanding(kitchen.owner);
  facts.stood.push(standing.goesOnAt);
  for (const expert of standing.answered) facts.answered.add(expert);
  if (facts.fault === "writes-lost") await kitchen.owner.query("delete from checkpoint_writes");
  // As if the lease's time had passed.
  await kitchen.owner.query(
    "update leases set expires_at = clock_timestamp() where thread_id = $1",
    [PERSON.threadId],
  );
}

async function withKitchen<T>(
  kitchens: KitchenCopies,
  work: (kitchen: KitchenCopy) => Promise<T>,
): Promise<T> {
  const kitchen = await kitchens.open();
  try {
    return await work(kitchen);
  } finally {
    await kitchen.close();
  }
}

function asked(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "expert-start" ? [`${event.batch}/${event.expert}`] : [],
  );
}

function isAnswerIfEnd(event: TurnEvent): boolean {
  return event.type !== "expert-end" || event.outcome === "answered";
}

function isCut(event: TurnEvent): boolean {
  return event.type === "expert-end" && event.outcome === "cut";
}

function askedAgain(expert: string, answered: ReadonlySet<string>): string[] {
  return answered.has(expert) ? [`Expert ${expert} had answered and was asked again`] : [];
}

/** A run that was not killed ends well, with its events in order, and has nothing to warn of but a busy machine. */
function checkEnd({ exitCode, events, stderr }: ProgramEnd): string[] {
  const warnings = stderr
    .split("\n")
    .filter((line) => line !== "" && !/^(?:Model|Thread|Waiting): /u.test(line));
  return [
    ...(exitCode === 0 ? [] : [`The program ended with ${exitCode}`]),
    ...warnings.map((line) => `The program said: ${line}`),
    ...checkEventOrder(events, { resumed: true }),
  ];
}

function checkErrors(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "error" ? [`Turn ${event.turn} failed: ${event.message}`] : [],
  );
}

function checkCount({ messages }: Conversation, accepted: number): string[] {
  return accepted === messages.length ? [] : [`${accepted} of ${messages.length} were taken in`];
}

function compare(found: Outcome, expected: Outcome): string[] {
  const parts = [
    ...Object.keys(expected.tables).map((table) =>
      findDifference(found.tables[table] ?? null, expected.tables[table] ?? null, table),
    ),
    findDifference(found.state, expected.state, "state"),
  ];
  return parts.filter((part) => part !== null);
}
