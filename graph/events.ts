import { z } from "zod";
import { EventBodySchema, type EventBody } from "../state/event.ts";

/** What every event carries besides its body. */
const EventStampSchema = z.object({
  thread: z.string(),
  turn: z.number().int().nonnegative(),
  run: z.string(),
  /** Counts the events of a run from 1, without gaps. */
  seq: z.number().int().positive(),
  /** ISO 8601 with milliseconds, UTC. */
  time: z.string(),
});

/**
 * One event of a turn: what the terminal prints with `--json` and the endpoint streams.
 *
 * Contract: one `turn-start` first, one `turn-end` or `error` last; every started node, step and
 * tool ends; the `text-delta`s of a reply since its last `reply-reset` add up to its one `reply`.
 */
export const TurnEventSchema = z.intersection(EventStampSchema, EventBodySchema);
export type TurnEvent = z.infer<typeof TurnEventSchema>;

export interface EventSequenceOptions {
  readonly thread: string;
  readonly turn: number;
  readonly run: string;
  /** Wall clock, for the stamps. */
  readonly now: () => Date;
  /** The turn was begun before: what it says now replaces what may have been shown. */
  readonly resumed: boolean;
}

/** The events of one run, stamped and kept in order. */
export interface EventSequence {
  /** Stamps an event; one that needs others before it (a reset, a missing end) comes with them. */
  next(body: EventBody): TurnEvent[];
  /** The whole text of a reply that may have been told in part; that part is taken back. */
  restate(reply: { readonly reply: string; readonly text: string }): TurnEvent[];
  /** The last event, with everything that is still open ended before it. */
  end(body: EventBody & { readonly type: "turn-end" | "error" }): TurnEvent[];
}

/** Keeps the order that consumers rely on, whatever happens in between. */
export function createEventSequence(options: EventSequenceOptions): EventSequence {
  const { thread, turn, run, now, resumed } = options;
  let seq = 0;
  const open = new Map<string, EventBody>();
  const spoken = new Set<string>();
  const told = new Set<string>();
  const stamp = (body: EventBody): TurnEvent => {
    seq += 1;
    return { thread, turn, run, seq, time: now().toISOString(), ...body };
  };
  const next = (body: EventBody): TurnEvent[] => {
    const opening = startedBy(body);
    if (opening !== null) open.set(opening.key, opening.end);
    const closing = endedBy(body);
    if (closing !== null) {
      // A step that a resumed run closes was started by the run before it.
      if (!open.delete(closing.key)) {
        return closing.start === null ? [stamp(body)] : [stamp(closing.start), stamp(body)];
      }
    }
    if (body.type === "reply") {
      // A node that had to run again says once more what is durable.
      if (told.has(body.reply)) return [];
      told.add(body.reply);
    }
    if (body.type === "text-delta" && !spoken.has(body.reply)) {
      spoken.add(body.reply);
      if (resumed) return [stamp({ type: "reply-reset", reply: body.reply }), stamp(body)];
    }
    return [stamp(body)];
  };
  return {
    next,
    restate: ({ reply, text }) => [
      ...(spoken.has(reply) ? next({ type: "reply-reset", reply }) : []),
      ...next({ type: "text-delta", reply, text }),
    ],
    end: (body) => {
      const ends = [...open.values()].toReversed();
      open.clear();
      return [...ends, body].map(stamp);
    },
  };
}

/** What an event opens, and how it is ended when nothing else ends it. */
function startedBy(body: EventBody): { readonly key: string; readonly end: EventBody } | null {
  switch (body.type) {
    case "node-start":
      return { key: `node/${body.node}`, end: { type: "node-end", node: body.node, ms: 0 } };
    case "step-start":
      return {
        key: `step/${body.index}`,
        end: {
          type: "step-end",
          index: body.index,
          status: "skipped",
          outcome: "Not finished",
          refs: [],
        },
      };
    case "expert-start": {
      const { batch, purpose, expert } = body;
      return {
        key: `expert/${batch}/${expert}`,
        end: {
          type: "expert-end",
          batch,
          purpose,
          expert,
          outcome: "failed",
          reason: "not finished",
          ms: 0,
        },
      };
    }
    case "tool-start": {
      const { step, call, tool, table } = body;
      return {
        key: `tool/${step}/${call}`,
        end: {
          type: "tool-end",
          step,
          call,
          tool,
          table,
          effect: "read",
          ok: false,
          count: 0,
          suppressed: false,
          ms: 0,
        },
      };
    }
    default:
      return null;
  }
}

function endedBy(
  body: EventBody,
): { readonly key: string; readonly start: EventBody | null } | null {
  switch (body.type) {
    case "node-end":
      return { key: `node/${body.node}`, start: { type: "node-start", node: body.node } };
    case "step-end":
      return {
        key: `step/${body.index}`,
        start: { type: "step-start", index: body.index, description: "" },
      };
    case "expert-end":
      return { key: `expert/${body.batch}/${body.expert}`, start: null };
    case "tool-end":
      return { key: `tool/${body.step}/${body.call}`, start: null };
    default:
      return null;
  }
}
