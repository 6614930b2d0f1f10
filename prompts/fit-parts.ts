import type { EnvelopePart } from "../state/envelope.ts";
import type { CountTokens } from "../state/model.ts";

/**
 * Kinds of parts in the order in which they give way to a narrow window: what is oldest or can be
 * looked up again first. What is not listed never does: rules, wishes, the message and what it answers.
 */
const GIVING_WAY = [
  "ledger",
  "records",
  "recent-turns",
  "snapshot",
  "profile",
  "prior-context",
  "registry",
  "listed",
  "drafts",
  "outside",
  "conversation-flow",
  "answers",
  "brief",
  "choices",
  "rows",
  "last-turn-summary",
] as const;

/** The room that a prompt has. */
export interface PromptRoom {
  readonly tokens: number;
  readonly countTokens: CountTokens;
}

/** Said in place of lines that gave way. */
export const LEFT_OUT = "(Some lines are left out here for want of room.)";

/** Parts of fewer lines are not halved. */
const LEAST_LINES = 4;

/**
 * Shortens parts until they fit: each kind first loses its older half, then everything, one kind after
 * the other. Null where that is not enough. Parts that fit are returned as they are. Pure.
 *
 * Source: models.md §1, "Window".
 */
export function fitParts(
  parts: readonly EnvelopePart[],
  { tokens, countTokens }: PromptRoom,
): readonly EnvelopePart[] | null {
  const count = (list: readonly EnvelopePart[]): number =>
    list.reduce((sum, { text }) => sum + countTokens(text), 0);
  let fitted = parts;
  for (const shorten of [halve, empty]) {
    for (const kind of GIVING_WAY) {
      if (count(fitted) <= tokens) return fitted;
      fitted = fitted.map((part) => (part.kind === kind ? shorten(part) : part));
    }
  }
  return count(fitted) <= tokens ? fitted : null;
}

/** Headings and the ends of untrusted text: what stands between them may go, they may not. */
const STRUCTURE = /^(?:#+ |<\/?data>|$)/;

/** Leaves out the older half of a part's lines, which stand first. */
function halve(part: EnvelopePart): EnvelopePart {
  const lines = part.text.split("\n");
  const content = lines.filter((line) => !STRUCTURE.test(line)).length;
  if (content < LEAST_LINES) return part;
  let left = Math.ceil(content / 2);
  let isMarked = false;
  const kept = lines.flatMap((line) => {
    if (STRUCTURE.test(line) || left === 0) return [line];
    left -= 1;
    if (isMarked) return [];
    isMarked = true;
    return [LEFT_OUT];
  });
  return { ...part, text: kept.join("\n") };
}

function empty(part: EnvelopePart): EnvelopePart {
  return { ...part, text: "" };
}
