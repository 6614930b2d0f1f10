/** The fields of an event that decide; it may be an object of any kind. */
interface EventLike {
  readonly type?: unknown;
  readonly node?: unknown;
}

/**
 * Returns the place of a turn once an event was emitted: a node, or after it, while its result is
 * stored; null where the event does not decide.
 */
export function placeAfterEvent({ type, node }: EventLike): string | null {
  switch (type) {
    case "node-start":
      return String(node);
    case "node-end":
      return `after ${String(node)}`;
    case "expert-start":
      return "expert";
    case "expert-end":
      return "after expert";
    default:
      return null;
  }
}

/** Returns the place of a turn at a statement outside the graph, which accepts or finishes its message. */
export function placeAtStatement(text: string): string | null {
  if (text.startsWith("insert into threads")) return "inbox";
  return text.startsWith("update inbox set outcome") ? "end" : null;
}
