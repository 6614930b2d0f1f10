import { fitLongest } from "../registry/shorten.ts";
import { parseRefs } from "../registry/refs.ts";
import { replaceRefs } from "../registry/replace-refs.ts";
import { scoreSharedWords } from "../registry/shared-words.ts";
import type { CountTokens } from "../state/model.ts";
import type { Registry } from "../state/registry.ts";
import type { History, LedgerLine } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";

interface EarlierTurnsOptions {
  readonly registry: Pick<Registry, "entries">;
  /** The message that is answered: turns that have a word of it come first. */
  readonly message: string;
  /** True for the turns alone in which the person stated something. */
  readonly statedOnly: boolean;
  /** The most turns that stand there without touching the message. */
  readonly newest: number;
  /** Tokens. */
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/** The turns that are older than the turn summaries. */
interface OlderTurns {
  readonly history: Pick<History, "lines" | "messages">;
  readonly ledger: readonly LedgerLine[];
}

/** An older turn, in words. */
interface TurnText {
  readonly turn: number;
  /** Empty where a turn has nothing to tell unless a message touches it. */
  readonly text: string;
  /** The same for a message that touches it. */
  readonly touched: string;
  /** True where it stored something, or the person stated something. */
  readonly matters: boolean;
}

/** Turns that are shown because the message touches them. */
const MOST_TOUCHED = 4;

/**
 * Renders what was said and done in turns that are older than the turn summaries, a line a turn, oldest
 * first, with labels in place of refs. Those that the message touches most come first, then the newest
 * that stored or stated something, then the newest of the rest, as far as number and budget go; the
 * others are counted. Empty where nothing is older. Pure.
 */
export function renderEarlierTurns(
  turns: OlderTurns,
  { registry, message, statedOnly, newest, budget, countTokens }: EarlierTurnsOptions,
): string {
  const texts = listTurns(turns, { registry, statedOnly });
  const touched = findTouched(texts, message);
  const latest = texts.filter((turn) => turn.text !== "" && !touched.includes(turn));
  const newestFirst = latest.toReversed();
  const last = [true, false].flatMap((matters) =>
    newestFirst.filter((turn) => turn.matters === matters),
  );
  const order = [...touched, ...last.slice(0, newest)];
  const render = (count: number): string => {
    const kept = order.slice(0, count).toSorted((one, other) => one.turn - other.turn);
    const hidden = touched.length + latest.length - kept.length;
    return [
      ...kept.map(
        (turn) => `- Turn ${turn.turn}: ${touched.includes(turn) ? turn.touched : turn.text}`,
      ),
      ...(hidden === 0 ? [] : [`- and ${hidden} more turns`]),
    ].join("\n");
  };
  return fitLongest(order.length, render, { tokens: budget, countTokens })?.text ?? "";
}

/** The turns that the message touches, those it touches most first, of equal ones the newest. */
function findTouched(turns: readonly TurnText[], message: string): TurnText[] {
  const scores = scoreSharedWords(
    turns.map(({ touched }) => touched),
    message,
  );
  return turns
    .map((turn, at) => ({ turn, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toReversed()
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_TOUCHED)
    .map(({ turn }) => turn);
}

/** Returns the older turns, oldest first. */
function listTurns(
  { history, ledger }: OlderTurns,
  { registry, statedOnly }: Pick<EarlierTurnsOptions, "registry" | "statedOnly">,
): TurnText[] {
  const gone = history.messages.map(({ turn, words }) => ({
    turn,
    text: "",
    touched: quote(words),
    matters: true,
  }));
  const lines = [...history.lines, ...ledger].map((line) => {
    const { turn, stated, asked } = line;
    if (stated !== undefined)
      return { turn, text: quote(stated), touched: quote(stated), matters: true };
    const text = statedOnly || line.goal === "" ? "" : describeTurn(line, registry);
    const parts = [text, asked === undefined ? "" : quote(asked)];
    const matters = line.stored.length > 0;
    return { turn, text, touched: parts.filter((part) => part !== "").join("; "), matters };
  });
  const turns = [...gone, ...lines].toSorted((one, other) => one.turn - other.turn);
  return statedOnly ? keepNewest(turns) : turns;
}

/** Keeps the newest of the turns with the same words: an older one tells nothing more, unlike a deed done twice. */
function keepNewest(turns: readonly TurnText[]): TurnText[] {
  const newest = new Map(turns.map((turn) => [turn.touched, turn]));
  return turns.filter((turn) => turn.touched === "" || newest.get(turn.touched) === turn);
}

function quote(words: string): string {
  return `the person said “${oneLine(words)}”`;
}

/** The outcome of a turn. Its goal is a model's: beside it stands what was stored. */
function describeTurn(
  { goal, stored, drafted }: LedgerLine,
  registry: Pick<Registry, "entries">,
): string {
  const changes = stored.map(({ action, refs }) => `${action} ${nameRefs(refs, registry)}`);
  return [
    withoutRefs(replaceRefs(oneLine(goal), registry)),
    ...(changes.length > 0 ? changes : ["nothing was stored"]),
    ...(drafted === "" ? [] : [`drafted ${nameRefs(drafted, registry)}`]),
  ].join("; ");
}

/** The labels of refs; those that are no longer known are counted. */
function nameRefs(refs: string, { entries }: Pick<Registry, "entries">): string {
  const all = parseRefs(refs);
  const labels = entries.filter(({ ref }) => all.includes(ref)).map(({ label }) => oneLine(label));
  const shown = labels.slice(0, NAMED);
  const more = all.length - shown.length;
  if (shown.length === 0) return `${more}`;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMED = 4;

/** A ref that nobody knows says nothing to a person. */
function withoutRefs(text: string): string {
  return text.replaceAll(/\s*\(?\b(?:[a-z]+_)+[1-9]\d*\b\)?/gu, "");
}
