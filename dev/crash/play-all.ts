import { chooseKills } from "./choose-kills.ts";
import { CONVERSATIONS } from "./conversations.ts";
import type { KitchenCopies } from "./kitchen-copies.ts";
import { playKill, playUndisturbed, type Kill, type KillReport, type Undisturbed } from "./play.ts";

/** Plays every conversation undisturbed, several at once. */
export async function playAllUndisturbed(
  kitchens: KitchenCopies,
  atOnce: number,
): Promise<readonly Undisturbed[]> {
  return inParallel(CONVERSATIONS, atOnce, (conversation) =>
    playUndisturbed(kitchens, conversation),
  );
}

interface KillsOptions {
  readonly undisturbed: readonly Undisturbed[];
  readonly count: number;
  readonly atOnce: number;
  readonly onReport?: (report: KillReport) => void;
}

/** Plays `count` kills, several at once; calls `onReport` after each. */
export async function playKills(
  kitchens: KitchenCopies,
  options: KillsOptions,
): Promise<readonly KillReport[]> {
  const { undisturbed, count, atOnce, onReport } = options;
  return inParallel(chooseKills(undisturbed, count), atOnce, async (kill) => {
    const report = await playKill(kitchens, {
      kill,
      undisturbed: findUndisturbed(undisturbed, kill),
    });
    onReport?.(report);
    return report;
  });
}

/** Finds the undisturbed conversation of a kill. */
export function findUndisturbed(all: readonly Undisturbed[], { position }: Kill): Undisturbed {
  const found = all.find(({ conversation }) => conversation === position.conversation);
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot compare "${position.conversation.id}": it was not played undisturbed`,
  );
}

/** Describes a kill on one line. */
export function describeKill({ position, moment, twice }: Kill): string {
  const { conversation, turn, place, kind, number, text } = position;
  const where = `${conversation.lane} "${conversation.id}" turn ${turn}, ${place}`;
  return `${where}: ${moment}, ${kind} ${number} (${text})${twice ? ", twice" : ""}`;
}

async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
