import type { TurnEvent } from "../../state/event.ts";
import type { ArchivedReply } from "./read-outcome.ts";

/** The screen of a person who follows every run of a conversation. */
interface Screen {
  /** The visible text, by reply. */
  readonly shown: Map<string, string>;
  /** Replies that were sent as durable, in the order of their first `reply` event. */
  readonly sent: Map<string, string>;
  readonly problems: string[];
}

/**
 * Returns the faults in the replies of a conversation whose program died between the runs, one
 * sentence each: in the end exactly the archived replies have been sent and are visible. Text that
 * was visible before a death is reset before it is sent again.
 */
export function checkReplies(
  runs: readonly (readonly TurnEvent[])[],
  archived: readonly ArchivedReply[],
): string[] {
  const screen: Screen = { shown: new Map(), sent: new Map(), problems: [] };
  for (const events of runs) followRun(events, screen);
  return [...screen.problems, ...checkSent(screen, archived), ...checkShown(screen, archived)];
}

function followRun(events: readonly TurnEvent[], { shown, sent, problems }: Screen): void {
  /** Replies that this run has begun or reset itself. */
  const own = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case "reply-reset":
        shown.delete(event.reply);
        own.add(event.reply);
        break;
      case "text-delta":
        if (!own.has(event.reply) && shown.has(event.reply)) {
          problems.push(`Reply ${event.reply} goes on in another run without a reset`);
        }
        own.add(event.reply);
        shown.set(event.reply, `${shown.get(event.reply) ?? ""}${event.text}`);
        break;
      case "reply": {
        const before = sent.get(event.reply) ?? event.text;
        if (before !== event.text) {
          problems.push(`Reply ${event.reply} was sent as "${before}", then as "${event.text}"`);
        }
        const standing = shown.get(event.reply) ?? event.text;
        if (standing !== event.text) {
          problems.push(`Reply ${event.reply} is "${event.text}", shown was "${standing}"`);
        }
        sent.set(event.reply, event.text);
        shown.set(event.reply, event.text);
        break;
      }
      default:
    }
  }
}

function checkSent({ sent }: Screen, archived: readonly ArchivedReply[]): string[] {
  const found = [...sent].map(([id, text]) => `${id}: ${text}`);
  const expected = archived.map(({ id, text }) => `${id}: ${text}`);
  if (found.join("\n") === expected.join("\n")) return [];
  return [`Sent were [${found.join(" | ")}], archived are [${expected.join(" | ")}]`];
}

function checkShown({ shown }: Screen, archived: readonly ArchivedReply[]): string[] {
  return [...shown].flatMap(([id, text]) => {
    const stored = archived.find((reply) => reply.id === id);
    if (stored === undefined) return [`Reply ${id} is visible but not stored: "${text}"`];
    return stored.text === text ? [] : [`Reply ${id} is visible as "${text}"`];
  });
}
