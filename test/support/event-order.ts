import type { TurnEvent } from "../../state/event.ts";

/** One turn's events, from its `turn-start` on. */
type Segment = TurnEvent[];

/**
 * Lists the faults in the order of events, a sentence each; empty for events that keep the law:
 * each turn begins with its one `turn-start` and ends with its one `turn-end` or `error`, its `seq`
 * counts from 1, everything started has ended, and the `text-delta`s of a reply add up to it.
 *
 * `resumed`: the events are those of a turn that an earlier run began, so that the pieces of a
 * reply may have been told there.
 */
export function checkEventOrder(
  events: readonly TurnEvent[],
  { resumed = false }: { readonly resumed?: boolean } = {},
): string[] {
  const segments = splitTurns(events);
  const texts = new Map<string, string>();
  return segments.flatMap((segment) =>
    checkFrame(segment).concat(checkPairs(segment), checkReplies(segment, { texts, resumed })),
  );
}

function splitTurns(events: readonly TurnEvent[]): Segment[] {
  const segments: Segment[] = [];
  for (const event of events) {
    const current = segments.at(-1);
    if (event.type === "turn-start" || current === undefined) segments.push([event]);
    else current.push(event);
  }
  return segments;
}

function checkFrame(segment: Segment): string[] {
  const problems: string[] = [];
  const [first] = segment;
  const last = segment.at(-1);
  if (first === undefined || last === undefined) return problems;
  const name = nameEvent(first);
  if (first.type !== "turn-start") problems.push(`${name} begins with ${first.type}`);
  const ends = segment.filter(({ type }) => type === "turn-end" || type === "error");
  if (ends.length !== 1) problems.push(`${name} ends ${ends.length} times`);
  if (last.type !== "turn-end" && last.type !== "error") {
    problems.push(`${name} ends with ${last.type}`);
  }
  if (last.type === "turn-end" && last.summary.turnNumber !== first.turn) {
    problems.push(`${name} ends with the record of turn ${last.summary.turnNumber}`);
  }
  for (const [index, event] of segment.entries()) {
    if (event.seq !== index + 1) problems.push(`${name} has seq ${event.seq} at ${index + 1}`);
    const same =
      event.thread === first.thread && event.turn === first.turn && event.run === first.run;
    if (!same) problems.push(`${name} holds an event of ${nameEvent(event)}`);
  }
  return problems;
}

function checkPairs(segment: Segment): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const event of segment) {
    const { started, ended } = describePair(event);
    if (started !== null) {
      if (open.has(started)) problems.push(`${nameEvent(event)}: ${started} is started twice`);
      open.add(started);
    }
    if (ended !== null && !open.delete(ended)) {
      problems.push(`${nameEvent(event)}: ${ended} ends without a start`);
    }
  }
  const [first] = segment;
  for (const key of open)
    problems.push(`${first === undefined ? "" : nameEvent(first)}: ${key} never ends`);
  return problems;
}

function describePair(event: TurnEvent): {
  readonly started: string | null;
  readonly ended: string | null;
} {
  switch (event.type) {
    case "node-start":
      return { started: `node ${event.node}`, ended: null };
    case "node-end":
      return { started: null, ended: `node ${event.node}` };
    case "step-start":
      return { started: `step ${event.index}`, ended: null };
    case "step-end":
      return { started: null, ended: `step ${event.index}` };
    case "tool-start":
      return { started: `tool ${event.step}/${event.call}`, ended: null };
    case "tool-end":
      return { started: null, ended: `tool ${event.step}/${event.call}` };
    default:
      return { started: null, ended: null };
  }
}

function checkReplies(
  segment: Segment,
  { texts, resumed }: { readonly texts: Map<string, string>; readonly resumed: boolean },
): string[] {
  const problems: string[] = [];
  const begun = new Set<string>();
  const ended = new Set<string>();
  for (const event of segment) {
    if (event.type === "reply-reset") {
      texts.delete(`${event.thread}/${event.reply}`);
    }
    if (event.type === "text-delta") {
      const key = `${event.thread}/${event.reply}`;
      if (ended.has(key))
        problems.push(`${nameEvent(event)}: reply ${event.reply} goes on after its end`);
      begun.add(key);
      texts.set(key, (texts.get(key) ?? "") + event.text);
    }
    if (event.type === "reply") {
      const key = `${event.thread}/${event.reply}`;
      ended.add(key);
      const text = texts.get(key);
      const known = text !== undefined || !resumed;
      if (known && text !== event.text) {
        problems.push(
          `${nameEvent(event)}: the pieces of reply ${event.reply} do not add up to it`,
        );
      }
    }
  }
  const whole = segment.at(-1)?.type === "turn-end";
  for (const key of begun) {
    if (whole && !ended.has(key)) problems.push(`Reply ${key} has pieces and no end`);
  }
  return problems;
}

function nameEvent(event: TurnEvent): string {
  return `Turn ${event.turn} of thread ${event.thread}`;
}
