import { randomUUID } from "node:crypto";
import type { TurnEvent } from "../../driver/events.ts";
import type { TurnState } from "../../state/turn.ts";
import { openConversation, SCENARIO_DAY, type Stage } from "./conversation.ts";
import { faultyUserData, type Fault } from "./fault.ts";
import { readTables, type Tables } from "./tables.ts";

/** One turn as it went. */
export interface PlayedTurn {
  readonly said: string;
  readonly events: readonly TurnEvent[];
  /** What the turn failed with; null where it did not. */
  readonly failure: unknown;
  /** The user's rows before and after the turn. */
  readonly before: Tables;
  readonly after: Tables;
  /** The thread's state after the turn. */
  readonly state: TurnState;
}

/** What is to be played. */
export interface Play {
  /** What is said, turn by turn. */
  readonly words: readonly string[];
  /** The insert that fails in a turn (counted from 0), from the state before it; null for none. */
  readonly faultOf?: (turn: number, before: TurnState | null) => Fault | null;
}

/**
 * Plays a conversation on a fresh thread and a freshly seeded demo kitchen of a user made for it,
 * so that nobody else's data is touched.
 *
 * @throws RangeError where the domain has no demo data; what seeding and the driver throw.
 */
export async function playTurns(stage: Stage, play: Play): Promise<readonly PlayedTurn[]> {
  const { database, domain } = stage;
  const userId = `scenario-${randomUUID()}`;
  await seedDemo(stage, userId);
  const userData = faultyUserData(database.userData);
  const conversation = openConversation(stage, { userId, threadId: userId, userData });
  const look = (): Promise<Tables> =>
    readTables(database.userData, { userId, types: domain.entityTypes });

  const turns: PlayedTurn[] = [];
  let before = await look();
  let state: TurnState | null = null;
  for (const [index, said] of play.words.entries()) {
    userData.set(play.faultOf?.(index, state) ?? null);
    const { events, failure } = await conversation.send(said);
    state = await conversation.state();
    const after = await look();
    turns.push({ said, events, failure, before, after, state });
    before = after;
  }
  return turns;
}

/** Gives a user the first of the domain's demo data sets. */
async function seedDemo(stage: Pick<Stage, "database" | "domain">, userId: string): Promise<void> {
  const [demo] = stage.domain.demo;
  if (demo === undefined) {
    throw new RangeError(`Cannot play in the domain "${stage.domain.name}": it has no demo data`);
  }
  const effect = { key: `${userId}/seed`, threadId: userId, lease: null };
  await stage.database.userData.write(userId, effect, async (tx) => {
    await demo.seed(tx, { userId, today: SCENARIO_DAY.today });
    return null;
  });
}
