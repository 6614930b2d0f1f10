import {
  createReplyEvent,
  createReplyParts,
  type EventBody,
  type TurnEvent,
} from "../state/event.ts";
import type { Reply } from "../state/turn.ts";

export interface EventSequenceOptions {
  readonly thread: string;
  readonly turn: number;
  readonly run: string;
  /** Wall clock, for the stamps. */
  readonly now: () => Date;
  /** True if the turn was started before: its replies replace parts that may have been shown. */
  readonly resumed: boolean;
  /**
   * Events the run has already sent, from its first on: the sequence continues after them, and
   * together they hold every reply in full. Default: unknown.
   */
  readonly sentEvents?: readonly TurnEvent[];
  /** Ids of replies that an earlier attempt sent in full to the same listener; they are not sent again. */
  readonly sentReplies?: readonly string[];
}

/**
 * The events of one run, stamped and kept in order. One that continues after sent events first ends
 * what is open there and resets replies that were sent in part.
 */
export interface EventSequence {
  /** Stamps an event; one that needs others before it (a reset, a missing end) comes with them. */
  next(body: EventBody): TurnEvent[];
  /** Emits a whole reply that may have been sent in part; that part is reset. */
  resend(reply: Reply): TurnEvent[];
  /** Emits durable replies that were stored but not sent, because a process died between the two. */
  emitMissingReplies(replies: readonly Reply[]): TurnEvent[];
  /** The last event, with everything that is still open ended before it. */
  end(body: EventBody & { readonly type: "turn-end" | "error" }): TurnEvent[];
  /** Returns true once the last event was emitted; no event follows it. */
  isEnded(): boolean;
}

/** Keeps the order that consumers rely on, whatever happens in between. */
export function createEventSequence(options: EventSequenceOptions): EventSequence {
  const { thread, turn, run, now, resumed, sentEvents: before = [] } = options;
  const isKnown = options.sentEvents !== undefined;
  const known = readSequenceState(before);
  const { open, partial } = known;
  const durable = new Set([...known.durable, ...(options.sentReplies ?? [])]);
  let { seq, ended } = known;
  /** If the events of an earlier attempt are unknown, a reply is reset before its first piece. */
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
  /** Emits the ends and resets that connect the sent events to the next one. */
  const join = (): TurnEvent[] => {
    if (isJoined) return [];
    isJoined = true;
    const replies = [...partial.keys()];
    partial.clear();
    return [...endOpen(), ...replies.map((reply) => stamp({ type: "reply-reset", reply }))];
  };
  const emit = (body: EventBody): TurnEvent[] => {
    const opening = findOpening(body);
    if (opening !== null) open.set(opening.key, opening.end);
    const closing = findClosing(body);
    // A step that a resumed run closes was started by the run before it.
    if (closing !== null && !open.delete(closing.key) && closing.start !== null) {
      return [stamp(closing.start), stamp(body)];
    }
    if (body.type === "turn-start" && before.length > 0) return [];
    if (body.type === "reply") {
      // A node that runs again repeats its durable replies.
      const { reply, text } = body;
      if (durable.has(reply)) return [];
      const shown = partial.get(reply) ?? "";
      const rest =
        isKnown && shown !== text
          ? [
              ...(shown === "" ? [] : emit({ type: "reply-reset", reply })),
              ...emit({ type: "text-delta", reply, text }),
            ]
          : [];
      durable.add(reply);
      partial.delete(reply);
      return [...rest, stamp(body)];
    }
    if (body.type === "reply-reset") partial.delete(body.reply);
    if (body.type !== "text-delta" && body.type !== "receipts") return [stamp(body)];
    const { reply } = body;
    if (durable.has(reply)) return [];
    const isReset = mayBeShown && !begun.has(reply);
    begun.add(reply);
    const added = body.type === "text-delta" ? body.text : "";
    partial.set(reply, `${partial.get(reply) ?? ""}${added}`);
    return isReset ? [stamp({ type: "reply-reset", reply }), stamp(body)] : [stamp(body)];
  };
  const next = (body: EventBody): TurnEvent[] => (ended ? [] : [...join(), ...emit(body)]);
  const resend: EventSequence["resend"] = (reply) => [
    ...(ended ? [] : join()),
    ...(partial.has(reply.id) ? next({ type: "reply-reset", reply: reply.id }) : []),
    ...createReplyParts(reply).flatMap(next),
  ];
  return {
    next,
    resend: resend,
    emitMissingReplies: (replies) =>
      isKnown ? replies.flatMap((reply) => next(createReplyEvent(reply))) : [],
    end: (body) => {
      if (ended) return [];
      const last = [...join(), ...endOpen(), stamp(body)];
      ended = true;
      return last;
    },
    isEnded: () => ended,
  };
}

/** State of a run's event sequence. */
interface SequenceState {
  readonly seq: number;
  readonly ended: boolean;
  /** Open events by key, each with the event that closes it by default. */
  readonly open: Map<string, EventBody>;
  /** Text sent so far of replies that are not durable yet. */
  readonly partial: Map<string, string>;
  /** Ids of replies that were sent as durable. */
  readonly durable: ReadonlySet<string>;
}

function readSequenceState(events: readonly TurnEvent[]): SequenceState {
  const open = new Map<string, EventBody>();
  const partial = new Map<string, string>();
  const durable = new Set<string>();
  for (const event of events) {
    const opening = findOpening(event);
    if (opening !== null) open.set(opening.key, opening.end);
    const closing = findClosing(event);
    if (closing !== null) open.delete(closing.key);
    if (event.type === "text-delta") {
      partial.set(event.reply, `${partial.get(event.reply) ?? ""}${event.text}`);
    }
    if (event.type === "reply") durable.add(event.reply);
    if (event.type === "reply" || event.type === "reply-reset") partial.delete(event.reply);
  }
  const last = events.at(-1);
  const ended = last?.type === "turn-end" || last?.type === "error";
  return { seq: last?.seq ?? 0, ended, open, partial, durable: durable };
}

/** Returns the key an event opens and the event that closes it by default. */
function findOpening(body: EventBody): { readonly key: string; readonly end: EventBody } | null {
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
          warnings: [],
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

function findClosing(
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
