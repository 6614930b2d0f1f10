import type { TurnEvent } from "../../driver/events.ts";
import type { ArchivedReply } from "./read-outcome.ts";

/** What a person who follows every run of a conversation has before them. */
interface Screen {
  /** The text that stands there, by reply. */
  readonly shown: Map<string, string>;
  /** What was told as durable, in the order of its first telling. */
  readonly told: Map<string, string>;
  readonly problems: string[];
}

/**
 * What is wrong with the replies of a conversation whose program died between the runs, a sentence
 * each: in the end exactly what the archive holds has been told and stands on the screen. What was
 * shown before a death is taken back before it is said anew.
 */
export function checkReplies(
  runs: readonly (readonly TurnEvent[])[],
  archived: readonly ArchivedReply[],
): string[] {
  const screen: Screen = { shown: new Map(), told: new Map(), problems: [] };
  for (const events of runs) followRun(events, screen);
  return [...screen.problems, ...checkTold(screen, archived), ...checkShown(screen, archived)];
}

function followRun(events: readonly TurnEvent[], { shown, told, problems }: Screen): void {
  /** Replies that this run has begun, or taken back, itself. */
  const own = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case "reply-reset":
        shown.delete(event.reply);
        own.add(event.reply);
        break;
      case "text-delta":
        if (!own.has(event.reply) && shown.has(event.reply)) {
          problems.push(`Reply ${event.reply} goes on in another run without being taken back`);
        }
        own.add(event.reply);
        shown.set(event.reply, `${shown.get(event.reply) ?? ""}${event.text}`);
        break;
      case "reply": {
        const before = told.get(event.reply) ?? event.text;
        if (before !== event.text) {
          problems.push(`Reply ${event.reply} was told as "${before}", then as "${event.text}"`);
        }
        const standing = shown.get(event.reply) ?? event.text;
        if (standing !== event.text) {
          problems.push(`Reply ${event.reply} is "${event.text}", shown was "${standing}"`);
        }
        told.set(event.reply, event.text);
        shown.set(event.reply, event.text);
        break;
      }
      default:
    }
  }
}

function checkTold({ told }: Screen, archived: readonly ArchivedReply[]): string[] {
  const found = [...told].map(([id, text]) => `${id}: ${text}`);
  const expected = archived.map(({ id, text }) => `${id}: ${text}`);
  if (found.join("\n") === expected.join("\n")) return [];
  return [`Told were [${found.join(" | ")}], archived are [${expected.join(" | ")}]`];
}

function checkShown({ shown }: Screen, archived: readonly ArchivedReply[]): string[] {
  return [...shown].flatMap(([id, text]) => {
    const stored = archived.find((reply) => reply.id === id);
    if (stored === undefined)
      return [`Reply ${id} stands on the screen and is not stored: "${text}"`];
    return stored.text === text ? [] : [`Reply ${id} stands on the screen as "${text}"`];
  });
}
