/** What is looked at of an event: an object of any kind. */
interface EventLike {
  readonly type?: unknown;
  readonly node?: unknown;
}

/**
 * Where a turn is once an event was told: in a node, or after it, when what it came to is stored;
 * null where the event says nothing of it.
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

/** Where a turn is at a statement that stands outside the graph: taking the message in, or done with it. */
export function placeAtStatement(text: string): string | null {
  if (text.startsWith("insert into threads")) return "inbox";
  return text.startsWith("update inbox set outcome") ? "end" : null;
}
