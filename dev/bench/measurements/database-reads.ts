import { randomUUID } from "node:crypto";
import { openModels } from "../../../app/open-models.ts";
import type { TurnEvent } from "../../../driver/events.ts";
import { mealsDomain } from "../../../meals/index.ts";
import { openConversation, type Stage } from "../../../test/support/conversation.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";
import { seedKitchen } from "../seed-kitchen.ts";

/** Conversations in plain commands, those that read most first. */
const CONVERSATIONS: Readonly<Record<string, readonly string[]>> = {
  narrowing: [
    "can you help me plan some meals?",
    "lets not do cod this week?",
    "lets not do the french toast? i also dont feel like doing wings",
    "actually the wings are fine after all",
    "what could I cook this week?",
  ],
  looking: [
    "what's in my fridge?",
    "what's in the freezer?",
    "what's in my pantry?",
    "what's in my fridge?",
    "do i have eggs?",
  ],
  shopping: [
    "show my shopping list",
    "add milk to the shopping list",
    "show my shopping list",
    "i bought the coffee",
    "show my shopping list",
  ],
  planning: [
    "show me recipes that use chickpeas or eggs",
    "show me the recipe for chickpea curry",
    "plan Chickpea Curry for Friday",
    "what am I eating on friday?",
    "show me the recipe for chickpea curry",
  ],
};

/**
 * Reads of the database in conversations: those that a model asked for, and those that ran.
 *
 * A read is suppressed when everything its filter finds is held at the needed detail and version;
 * with suppression off it would run, so its reads are those that ran and those that were
 * suppressed. Models also plan fewer reads because their prompt lists what is held: each
 * conversation is played once more with those sections left out of Think's prompt.
 */
export const databaseReads: Measurement = {
  name: "database-reads",
  about: "Reads of the database per turn in conversations, with suppression and without",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const opened = await openModels({ kind: "simulated" });
      const stage: Stage = { database, domain: mealsDomain, ...opened };
      const counts: ConversationReads[] = [];
      const conversations = Object.entries(CONVERSATIONS).slice(0, quick ? 2 : undefined);
      for (const [conversation, messages] of conversations) {
        progress(conversation);
        const told = await countReads(stage, messages);
        const untold = await countReads({ ...stage, omitSection: listsWhatIsHeld }, messages);
        counts.push({ conversation, told, untold });
      }
      return [readsTable(counts)];
    } finally {
      await database.close();
    }
  },
};

/** Reads of one conversation. */
interface Reads {
  readonly turns: number;
  readonly ran: number;
  readonly suppressed: number;
}

interface ConversationReads {
  readonly conversation: string;
  readonly told: Reads;
  /** With what is held left out of Think's prompt. */
  readonly untold: Reads;
}

const HELD_SECTIONS: ReadonlySet<string> = new Set(["registry", "last-turn-summary"]);

function listsWhatIsHeld(node: string, kind: string): boolean {
  return node === "think" && HELD_SECTIONS.has(kind);
}

async function countReads(stage: Stage, messages: readonly string[]): Promise<Reads> {
  const userId = `bench-${randomUUID()}`;
  await seedKitchen(stage.database, userId);
  const conversation = openConversation(stage, { userId, threadId: randomUUID() });
  const reads: ToolEnd[] = [];
  for (const message of messages) {
    const { events, failure } = await conversation.send(message);
    if (failure !== null) {
      throw new Error(`Cannot count the reads of "${message}": its turn failed`, {
        cause: failure,
      });
    }
    reads.push(...events.filter(isRead));
  }
  const suppressed = reads.filter((read) => read.suppressed).length;
  return { turns: messages.length, ran: reads.length - suppressed, suppressed };
}

type ToolEnd = TurnEvent & { readonly type: "tool-end" };

/** A read of the domain's data that could be carried out; earlier turns are none of it. */
function isRead(event: TurnEvent): event is ToolEnd {
  return (
    event.type === "tool-end" && event.effect === "read" && event.ok && event.tool !== "recall"
  );
}

function readsTable(counts: readonly ConversationReads[]): ResultTable {
  const reading = counts.filter(({ told, untold }) => asked(told) + asked(untold) > 0);
  const all = (pick: (count: ConversationReads) => Reads): Reads =>
    reading.map(pick).reduce(
      (sum, one) => ({
        turns: sum.turns + one.turns,
        ran: sum.ran + one.ran,
        suppressed: sum.suppressed + one.suppressed,
      }),
      { turns: 0, ran: 0, suppressed: 0 },
    );
  return {
    title: "Reads of the database in conversations",
    columns: [
      "conversation",
      "turns",
      "reads",
      "without suppression",
      "reads a turn",
      "without, a turn",
      "reads, Think not told",
      "not told, without suppression",
    ],
    rows: [
      ...reading.map(rowOf),
      rowOf({
        conversation: "all",
        told: all(({ told }) => told),
        untold: all(({ untold }) => untold),
      }),
    ],
    notes: [
      "Without suppression: a read that was answered from the registry counts as one that runs.",
      "Think not told: the registry table and `## Last Turn Summary` are left out of its prompt. It then plans from less, not only more reads.",
      "Conversations without a read are left out.",
    ],
  };
}

function rowOf({ conversation, told, untold }: ConversationReads): Cell[] {
  return [
    conversation,
    told.turns,
    told.ran,
    asked(told),
    perTurn(told.ran, told),
    perTurn(asked(told), told),
    untold.ran,
    asked(untold),
  ];
}

function asked({ ran, suppressed }: Reads): number {
  return ran + suppressed;
}

function perTurn(reads: number, { turns }: Reads): number | null {
  return turns === 0 ? null : Math.round((100 * reads) / turns) / 100;
}
