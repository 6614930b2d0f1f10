import { describe, expect, test } from "vitest";
import type { ConversationStore } from "../../state/conversation-store.ts";
import type { TurnEvent } from "../../state/event.ts";
import type { Archive } from "../../state/archive.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnContext } from "../../state/turn.ts";
import { PostgresCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { addedReply, ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, namesIn, newRun, readInbox, readTurns } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn, type TestThread } from "../support/test-thread.ts";
import { wholeDatabase } from "../support/whole-database.ts";

const database = await testDatabase();

/**
 * Comes before every write of a turn, whatever is written: the checkpointer's, the users' rows, the
 * archive's, the inbox's.
 */
type BeforeWrite = (name: string) => Promise<void>;

class WatchedCheckpointer extends PostgresCheckpointer {
  readonly #before: BeforeWrite;

  constructor(before: BeforeWrite) {
    super(database.pool);
    this.#before = before;
  }

  override async put(...args: Parameters<PostgresCheckpointer["put"]>) {
    await this.#before("put");
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<PostgresCheckpointer["putWrites"]>) {
    await this.#before("putWrites");
    return super.putWrites(...args);
  }
}

function watchedData(before: BeforeWrite): UserData {
  return {
    ...database.userData,
    async write(userId, effect, work) {
      await before("write");
      return database.userData.write(userId, effect, work);
    },
  };
}

function watchedArchive(archive: Archive, before: BeforeWrite): Archive {
  return {
    ...archive,
    async saveTurn(turn) {
      await before("saveTurn");
      return archive.saveTurn(turn);
    },
  };
}

/** A store whose leases are lost unnoticed, as while a process sleeps: only what is below can tell. */
function deafStore(store: ConversationStore, before: BeforeWrite): ConversationStore {
  return {
    ...store,
    holdLease: (request, work) =>
      store.holdLease(request, ({ lease }) =>
        work({ lease, signal: new AbortController().signal }),
      ),
    async countAttempt(message) {
      await before("countAttempt");
      return store.countAttempt(message);
    },
    async finishMessage(message) {
      await before("finishMessage");
      return store.finishMessage(message);
    },
    async prune(thread) {
      await before("prune");
      return store.prune(thread);
    },
  };
}

function watchedThread(run: TurnContext, before: BeforeWrite): TestThread {
  return openThread(database, {
    run,
    behaviour: ADDING,
    limits: { checkpointTurns: 1 },
    checkpointer: new WatchedCheckpointer(before),
    userData: watchedData(before),
    archive: (archive) => watchedArchive(archive, before),
    store: (store) => deafStore(store, before),
  });
}

/** A thread whose next turn has checkpoints of an older one to prune. */
async function begunRun(): Promise<TurnContext> {
  const run = newRun();
  await openThread(database, { run, behaviour: ADDING }).send("add salt");
  return run;
}

/** The writes of a turn that nobody disturbs, by name. */
async function undisturbedWrites(): Promise<readonly string[]> {
  const names: string[] = [];
  const thread = watchedThread(await begunRun(), async (name) => void names.push(name));
  await thread.send("add figs");
  return names;
}

const WRITES = (await undisturbedWrites()).map((name, index) => [index + 1, name] as const);

/** Lets the thread's lease run out, by the database's clock. */
async function expire({ threadId }: TurnContext): Promise<void> {
  await database.owner.query(
    "update leases set expires_at = clock_timestamp() - interval '1 second' where thread_id = $1",
    [threadId],
  );
}

async function readStored({ threadId, userId }: TurnContext) {
  const inbox = await readInbox(database, threadId);
  const turns = await readTurns(database, threadId);
  return {
    inbox: inbox.map(({ text, outcome }) => `${text}: ${outcome}`),
    attempts: inbox.every(({ attempts }) => attempts <= 2),
    turns: turns.map(({ message, replies }) => `${message}: ${replies.join(" ")}`),
    applied: await appliedWrites(database, threadId),
    items: await namesIn(database, { table: "shopping_list", userId }),
  };
}

describe("a process that lost its lease unnoticed", () => {
  test("is watched at every kind of write", () => {
    expect([...new Set(WRITES.map(([, name]) => name))].toSorted()).toEqual([
      "countAttempt",
      "finishMessage",
      "prune",
      "put",
      "putWrites",
      "saveTurn",
      "write",
    ]);
  });

  test.each(WRITES)(
    "before its write %i (%s) writes nothing more and says so",
    async (at, name) => {
      const run = await begunRun();
      const reached = Promise.withResolvers<void>();
      const resumed = Promise.withResolvers<void>();
      let count = 0;
      const thread = watchedThread(run, async () => {
        count += 1;
        if (count !== at) return;
        reached.resolve();
        await resumed.promise;
      });
      const events: TurnEvent[] = [];
      const sent = thread.sendFor("add figs", { onEvent: (event) => void events.push(event) });

      await reached.promise;
      await expire(run);
      const others = await openThread(database, { run, behaviour: ADDING }).send("add nuts");
      const before = await wholeDatabase(database);
      resumed.resolve();
      const outcome = await sent;

      expect(outcome).toBe("held-elsewhere");
      // By the last two the turn has ended and was told.
      const isOver = name === "finishMessage" || name === "prune";
      expect(events.at(-1)).toMatchObject(
        isOver ? { type: "turn-end" } : { type: "error", code: "lease_lost" },
      );
      expect(await wholeDatabase(database)).toEqual(before);
      expect([checkEventOrder(events), checkEventOrder(others, { resumed: true })]).toEqual([
        [],
        [],
      ]);
      expect(await readStored(run)).toEqual({
        inbox: ["add salt: answered", "add figs: answered", "add nuts: answered"],
        attempts: true,
        turns: [
          `add salt: ${addedReply("salt")}`,
          `add figs: ${addedReply("figs")}`,
          `add nuts: ${addedReply("nuts")}`,
        ],
        applied: 3,
        items: ["figs", "nuts", "salt"],
      });
      expect([...new Set(repliesIn([...events, ...others]))]).toEqual([
        addedReply("figs"),
        addedReply("nuts"),
      ]);
    },
  );
});
