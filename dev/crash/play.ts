import type { TurnEvent } from "../../state/event.ts";
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
  type Standing,
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

/** A statement or event at which the program can die. */
export interface Position extends Spot {
  readonly conversation: Conversation;
}

/** A conversation without a kill, and the positions at which it can be killed. */
export interface Undisturbed {
  readonly conversation: Conversation;
  readonly outcome: Outcome;
  readonly positions: readonly Position[];
  /** Faults even without a kill. */
  readonly problems: readonly string[];
}

/** A position and a moment to kill the program at. */
export interface Kill {
  readonly position: Position;
  readonly moment: Moment;
  /** True kills the program a second time, while it resumes the turn. */
  readonly twice: boolean;
}

/** The result of a kill. */
export interface KillReport {
  readonly kill: Kill;
  /** Number of deaths; fewer than wanted where a turn ended before the position. */
  readonly deaths: number;
  /** The nodes at which the thread would go on, after each death. */
  readonly stood: readonly string[];
  /** True where a waiting message cut a batch. */
  readonly cut: boolean;
  /** Differences from the undisturbed conversation, one sentence each. */
  readonly problems: readonly string[];
}

/** Plays a conversation without a kill and notes the positions at which it can be killed. */
export async function playUndisturbed(
  kitchens: KitchenCopies,
  conversation: Conversation,
): Promise<Undisturbed> {
  return withKitchen(kitchens, async (kitchen) => {
    const { messages } = conversation;
    const end = await runProgram({
      programs: kitchen.programs,
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

/** Number of tries at a kill: the number of statements and the end of a batch depend on the clock too. */
const TRIES = 8;

interface KillOptions {
  readonly kill: Kill;
  readonly undisturbed: Undisturbed;
  /** Breaks something on purpose. */
  readonly fault?: Fault | null;
}

/**
 * Plays a conversation whose program is killed, starts the program again for the rest, and compares
 * the result with the undisturbed one.
 *
 * A place does not always send the same number of statements: a kill that is not reached is tried at
 * an earlier one. When the turn goes on, another message waits and may cut a batch; then the kill is
 * tried again.
 */
export async function playKill(
  kitchens: KitchenCopies,
  { kill, undisturbed, fault = null }: KillOptions,
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
  { kill, undisturbed, fault = null }: KillOptions,
): Promise<KillReport> {
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
      programs: kitchen.programs,
      databaseUrl: kitchen.url,
      messages: messages.slice(from, to),
      death,
      fault: fault === "writes-lost" ? null : fault,
    });
    problems.push(
      ...listAskedExperts(end.events).flatMap((expert) => checkAskedOnce(expert, answered)),
    );
    if (end.killed) {
      const standing = await waitForDeath(kitchen, fault);
      stood.push(standing.goesOnAt);
      for (const expert of standing.answered) answered.add(expert);
    }
    runs.push(end);
  };

  await run(turn, { turn, place, number, moment });
  // The unfinished turn is resumed with the next message, and dies in the same place.
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

/** Waits until the dead process is gone from the server, and ends its lease, so that the next one need not wait. */
async function waitForDeath(kitchen: KitchenCopy, fault: Fault | null): Promise<Standing> {
  await kitchen.abandoned();
  const standing = await readStanding(kitchen.owner);
  if (fault === "writes-lost") await kitchen.owner.query("delete from checkpoint_writes");
  // As if the lease's time had passed.
  await kitchen.owner.query(
    "update leases set expires_at = clock_timestamp() where thread_id = $1",
    [PERSON.threadId],
  );
  return standing;
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

function listAskedExperts(events: readonly TurnEvent[]): string[] {
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

function checkAskedOnce(expert: string, answered: ReadonlySet<string>): string[] {
  return answered.has(expert) ? [`Expert ${expert} had answered and was asked again`] : [];
}

/** Checks a run that was not killed: exit code 0, events in order, and no warning but of a busy machine. */
function checkEnd({ exitCode, events, stderr }: ProgramEnd): string[] {
  const warnings = stderr
    .split("\n")
    .filter((line) => line !== "" && !/^(?:Model|Thread|Waiting): /u.test(line));
  return [
    ...(exitCode === 0 ? [] : [`The program ended with ${exitCode}`]),
    ...warnings.map((line) => `The program printed: ${line}`),
    ...checkEventOrder(events, { resumed: true }),
  ];
}

function checkErrors(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "error" ? [`Turn ${event.turn} failed: ${event.message}`] : [],
  );
}

function checkCount({ messages }: Conversation, accepted: number): string[] {
  return accepted === messages.length
    ? []
    : [`${accepted} of ${messages.length} messages were accepted`];
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
