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
  /**
   * What the run has told before, from its first event on: the sequence goes on after it, and the
   * whole tells every reply with all its pieces. Default: nobody knows.
   */
  readonly told?: readonly TurnEvent[];
  /** Replies that whoever listens has been told whole, by an earlier try: they are not told again. */
  readonly said?: readonly string[];
}

/**
 * The events of one run, stamped and kept in order. One that goes on after what was told first ends
 * what is open there and takes back replies that were told in part.
 */
export interface EventSequence {
  /** Stamps an event; one that needs others before it (a reset, a missing end) comes with them. */
  next(body: EventBody): TurnEvent[];
  /** The whole text of a reply that may have been told in part; that part is taken back. */
  restate(reply: { readonly reply: string; readonly text: string }): TurnEvent[];
  /** Durable replies that a run, of which all is known, has not told: a process died between the two. */
  tellRest(replies: readonly { readonly id: string; readonly text: string }[]): TurnEvent[];
  /** The last event, with everything that is still open ended before it. */
  end(body: EventBody & { readonly type: "turn-end" | "error" }): TurnEvent[];
  /** Whether the last event was told: nothing comes after it. */
  isEnded(): boolean;
}

/** Keeps the order that consumers rely on, whatever happens in between. */
export function createEventSequence(options: EventSequenceOptions): EventSequence {
  const { thread, turn, run, now, resumed, told: before = [] } = options;
  const isKnown = options.told !== undefined;
  const known = readTold(before);
  const { open, partial } = known;
  const told = new Set([...known.told, ...(options.said ?? [])]);
  let { seq, ended } = known;
  /** Where nothing is known of what an earlier run told, a reply is taken back before its first piece. */
  const mayBeShown = resumed && before.length === 0;
  const begun = new Set<string>();
  let isJoined = before.length === 0;
  const stamp = (body: EventBody): TurnEvent => {
    seq += 1;
    return { thread, turn, run, seq, time: now().toISOString(), ...body };
  };
  const endOpen = (): TurnEvent[] => {
    const ends = [...open.values()].toReversed();
    open.clear();
    return ends.map(stamp);
  };
  /** What lies between what was told and what comes now. */
  const join = (): TurnEvent[] => {
    if (isJoined) return [];
    isJoined = true;
    const replies = [...partial.keys()];
    partial.clear();
    return [...endOpen(), ...replies.map((reply) => stamp({ type: "reply-reset", reply }))];
  };
  const tell = (body: EventBody): TurnEvent[] => {
    const opening = startedBy(body);
    if (opening !== null) open.set(opening.key, opening.end);
    const closing = endedBy(body);
    // A step that a resumed run closes was started by the run before it.
    if (closing !== null && !open.delete(closing.key) && closing.start !== null) {
      return [stamp(closing.start), stamp(body)];
    }
    if (body.type === "turn-start" && before.length > 0) return [];
    if (body.type === "reply") {
      // A node that had to run again says once more what is durable.
      const { reply, text } = body;
      if (told.has(reply)) return [];
      const shown = partial.get(reply) ?? "";
      const rest =
        isKnown && shown !== text
          ? [
              ...(shown === "" ? [] : tell({ type: "reply-reset", reply })),
              ...tell({ type: "text-delta", reply, text }),
            ]
          : [];
      told.add(reply);
      partial.delete(reply);
      return [...rest, stamp(body)];
    }
    if (body.type === "reply-reset") partial.delete(body.reply);
    if (body.type !== "text-delta") return [stamp(body)];
    const { reply } = body;
    if (told.has(reply)) return [];
    const isReset = mayBeShown && !begun.has(reply);
    begun.add(reply);
    partial.set(reply, `${partial.get(reply) ?? ""}${body.text}`);
    return isReset ? [stamp({ type: "reply-reset", reply }), stamp(body)] : [stamp(body)];
  };
  const next = (body: EventBody): TurnEvent[] => (ended ? [] : [...join(), ...tell(body)]);
  const restate: EventSequence["restate"] = ({ reply, text }) => [
    ...(ended ? [] : join()),
    ...(partial.has(reply) ? next({ type: "reply-reset", reply }) : []),
    ...next({ type: "text-delta", reply, text }),
  ];
  return {
    next,
    restate,
    tellRest: (replies) =>
      isKnown ? replies.flatMap(({ id: reply, text }) => next({ type: "reply", reply, text })) : [],
    end: (body) => {
      if (ended) return [];
      const last = [...join(), ...endOpen(), stamp(body)];
      ended = true;
      return last;
    },
    isEnded: () => ended,
  };
}

/** Where the events of a run stand. */
interface ToldSoFar {
  readonly seq: number;
  readonly ended: boolean;
  /** What was started, and how it is ended when nothing else ends it. */
  readonly open: Map<string, EventBody>;
  /** Replies that were not told as durable, and what of them was told. */
  readonly partial: Map<string, string>;
  /** Replies that were told as durable. */
  readonly told: ReadonlySet<string>;
}

function readTold(events: readonly TurnEvent[]): ToldSoFar {
  const open = new Map<string, EventBody>();
  const partial = new Map<string, string>();
  const told = new Set<string>();
  for (const event of events) {
    const opening = startedBy(event);
    if (opening !== null) open.set(opening.key, opening.end);
    const closing = endedBy(event);
    if (closing !== null) open.delete(closing.key);
    if (event.type === "text-delta") {
      partial.set(event.reply, `${partial.get(event.reply) ?? ""}${event.text}`);
    }
    if (event.type === "reply") told.add(event.reply);
    if (event.type === "reply" || event.type === "reply-reset") partial.delete(event.reply);
  }
  const last = events.at(-1);
  const ended = last?.type === "turn-end" || last?.type === "error";
  return { seq: last?.seq ?? 0, ended, open, partial, told };
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
