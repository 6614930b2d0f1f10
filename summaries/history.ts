import { describeRefs, parseRefs } from "../registry/refs.ts";
import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { History, LedgerLine } from "../state/turn-summary.ts";
import { describeStored } from "./effects.ts";
import { describeGoal, NOTHING_STORED } from "./ledger.ts";
import { oneLine } from "../text/fence.ts";

interface FoldOptions {
  readonly limits: Pick<Limits, "historyTokens" | "messagesHeld">;
  readonly countTokens: CountTokens;
}

/**
 * Folds the lines of a full ledger into the history. A line that only looked something up goes, but
 * the first one stays: it says how the conversation began. Beyond `historyTokens` the oldest of the
 * others go; `recall` still finds them, and what the person said in them is kept for the messages
 * that touch it. No model is asked, so no old turn is changed by words. Pure.
 */
export function foldIntoHistory(
  history: History,
  lines: readonly LedgerLine[],
  { limits, countTokens }: FoldOptions,
): History {
  const [first, ...others] = [...history.lines, ...lines];
  const throughTurn = Math.max(history.throughTurn, ...lines.map(({ turn }) => turn));
  if (first === undefined) return { ...history, throughTurn };
  let kept = others.filter(hasDoneSomething);
  const fits = (tail: readonly LedgerLine[]): boolean =>
    countTokens(renderHistory({ lines: [first, ...tail] })) <= limits.historyTokens;
  while (kept.length > 0 && !fits(kept)) kept = kept.slice(1);
  const folded = fits(kept) ? [first, ...kept] : kept;
  const gone = [first, ...others].filter((line) => !folded.includes(line));
  const messages = dropRepeated([...history.messages, ...gone.flatMap(readMessage)]);
  return { lines: folded, messages: messages.slice(-limits.messagesHeld), throughTurn };
}

/** Keeps the newest of what was said in the same words. */
function dropRepeated(messages: History["messages"]): History["messages"] {
  const newest = new Map(messages.map((message) => [message.words, message]));
  return messages.filter((message) => newest.get(message.words) === message);
}

function readMessage({ turn, stated, asked }: LedgerLine): History["messages"] {
  const words = stated ?? asked;
  return words === undefined ? [] : [{ turn, words }];
}

function hasDoneSomething({ stored, drafted, decided, blocked, stated }: LedgerLine): boolean {
  return (
    stated !== undefined ||
    stored.length > 0 ||
    [drafted, decided, blocked].some((text) => text !== "")
  );
}

/**
 * Renders the history by what became of things. A row that was made and deleted again stands under
 * "Tried and removed" alone. Empty without lines. Pure.
 */
export function renderHistory({ lines }: Pick<History, "lines">): string {
  const removed = listRemoved(lines);
  const [first] = lines;
  const stated = lines.flatMap(({ turn, stated: words }) =>
    words === undefined ? [] : [`- turn ${turn}: ${oneLine(words)}`],
  );
  const sections = [
    section("Stored", lines, ({ stored }) => describeStored(withoutRefs(stored, removed))),
    removed.size === 0 ? [] : [`Tried and removed: ${describeRefs([...removed])}`],
    section("Decided", lines, ({ decided }) => decided),
    section("Drafted", lines, ({ drafted }) => drafted),
    section("Not possible", lines, ({ blocked }) => blocked),
    ...(stated.length === 0 ? [] : [["Told:", ...stated]]),
  ].flat();
  const began =
    first === undefined
      ? []
      : [`Began with: ${oneLine(first.goal)} (turn ${first.turn}${noteUnstored(first)})`];
  return [...began, ...sections].join("\n");
}

/** A goal may read as if it were reached. */
function noteUnstored({ storedNothing }: LedgerLine): string {
  return storedNothing ? `; ${NOTHING_STORED}` : "";
}

/** Refs of rows that were created and later deleted. */
function listRemoved(lines: readonly LedgerLine[]): ReadonlySet<string> {
  const stored = lines.flatMap((line) => line.stored);
  const listRefs = (wanted: string): string[] =>
    stored.flatMap(({ action, refs }) => (action === wanted ? parseRefs(refs) : []));
  const created = new Set(listRefs("created"));
  return new Set(listRefs("deleted").filter((ref) => created.has(ref)));
}

function withoutRefs(
  stored: LedgerLine["stored"],
  removed: ReadonlySet<string>,
): LedgerLine["stored"] {
  return stored
    .map(({ action, refs }) => ({
      action,
      refs: describeRefs(parseRefs(refs).filter((ref) => !removed.has(ref))),
    }))
    .filter(({ refs }) => refs !== "");
}

function section(
  heading: string,
  lines: readonly LedgerLine[],
  describe: (line: LedgerLine) => string,
): string[] {
  const items = lines.flatMap((line) => {
    const text = describe(line);
    if (text === "") return [];
    const goal = line.goal === "" ? "" : ` (${describeGoal(line.goal)})`;
    return [oneLine(`- turn ${line.turn}${goal}: ${text}`)];
  });
  return items.length === 0 ? [] : [`${heading}:`, ...items];
}
