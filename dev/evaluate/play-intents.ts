import * as fc from "fast-check";
import type { Models } from "../../app/open-models.ts";
import { conversations, type MadeUpConversation } from "../simulation/intents.ts";
import { playConversation, type PlayWatcher } from "../simulation/play.ts";
import { rewordMessage } from "../simulation/wordings.ts";
import { judgeItem, readJudgedRows, type RowsBefore } from "./judge-item.ts";
import { CallRecorder } from "./recorded-model.ts";
import type { Item } from "./report.ts";

/** The name of the set that comes with the program. */
export const INTENTS = "intents";

/** Turns of a conversation, at the most. */
const TURNS = 12;

/** The numbers that decide which conversations are played. */
export interface DrawnNumbers {
  readonly limit: number;
  readonly seed: number;
}

/** Draws the conversations of the set: the same for the same numbers. */
export function drawConversations({ limit, seed }: DrawnNumbers): readonly MadeUpConversation[] {
  return fc.sample(conversations(TURNS, { lies: false }), { numRuns: limit, seed });
}

/** Returns the way to say a message, so that all ways are used alike. */
export function chooseWording(conversation: number, message: string, turn: number): string {
  return rewordMessage(message, conversation + turn - 1);
}

interface PlayedSet {
  readonly conversations: readonly MadeUpConversation[];
  /** Opens the models of a conversation, by its name: `intents 3`. */
  readonly open: (conversation: string) => Models;
  /** Conversations that are played side by side. */
  readonly atOnce: number;
  /** Called after each conversation. Default: nobody. */
  readonly onPlayed?: () => void;
}

/** Plays whole conversations over the nodes and routes, and judges every turn of theirs. */
export async function playIntents(set: PlayedSet): Promise<readonly Item[]> {
  const items: Item[][] = [];
  const open = [...set.conversations.entries()];
  const playNext = async (): Promise<void> => {
    const next = open.shift();
    if (next === undefined) return;
    const [index, conversation] = next;
    items[index] = await playOne(conversation, { number: index + 1, open: set.open });
    set.onPlayed?.();
    return playNext();
  };
  await Promise.all(Array.from({ length: set.atOnce }, playNext));
  return items.flat();
}

interface PlayedOne {
  readonly number: number;
  readonly open: PlayedSet["open"];
}

async function playOne(
  conversation: MadeUpConversation,
  { number, open }: PlayedOne,
): Promise<Item[]> {
  const recorder = new CallRecorder();
  const items: Item[] = [];
  let before: RowsBefore | null = null;
  const watcher: PlayWatcher = {
    begin(moment) {
      before = readJudgedRows(moment);
    },
    end(end) {
      if (before === null) throw new RangeError("Cannot judge a turn that has not begun");
      const judged = judgeItem({ end, before, calls: recorder.take() });
      items.push({ set: INTENTS, id: `${number}.${end.turn}`, ...judged });
    },
  };
  await playConversation(conversation, {
    models: recorder.wrap(open(`${INTENTS} ${number}`)),
    reword: (message, turn) => chooseWording(number - 1, message, turn),
    watcher,
  });
  return items;
}
