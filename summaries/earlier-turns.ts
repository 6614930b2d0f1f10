import { fitLongest } from "../registry/shorten.ts";
import { parseRefs } from "../registry/refs.ts";
import { replaceRefs } from "../registry/replace-refs.ts";
import { sharesTellingWord } from "../registry/shared-words.ts";
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
  /** Tokens. */
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/** The turns that are older than the turn summaries. */
interface OlderTurns {
  readonly history: Pick<History, "lines">;
  readonly ledger: readonly LedgerLine[];
}

/**
 * Renders what was said and done in turns that are older than the turn summaries, a line a turn, oldest
 * first, with labels in place of refs. Over the budget those that touch the message stay, then the
 * newest; the others are counted. Empty where nothing is older. Pure.
 */
export function renderEarlierTurns(
  { history, ledger }: OlderTurns,
  { registry, message, statedOnly, budget, countTokens }: EarlierTurnsOptions,
): string {
  const turns = [...history.lines, ...ledger].filter(
    ({ stated, goal }) => stated !== undefined || (!statedOnly && goal !== ""),
  );
  const lines = turns.map((line) => `- Turn ${line.turn}: ${describeTurn(line, registry)}`);
  const order = [...lines.keys()].toSorted((a, b) => {
    const [one, other] = [a, b].map((at) => sharesTellingWord(lines[at] ?? "", message));
    return Number(other) - Number(one) || b - a;
  });
  const render = (count: number): string => {
    const kept = new Set(order.slice(0, count));
    const hidden = lines.length - count;
    return [
      ...lines.filter((_, at) => kept.has(at)),
      ...(hidden === 0 ? [] : [`- and ${hidden} more turns`]),
    ].join("\n");
  };
  return fitLongest(lines.length, render, { tokens: budget, countTokens })?.text ?? "";
}

/** The outcome of a turn. Its goal is a model's: beside it stands what was stored. */
function describeTurn(
  { stated, goal, stored, drafted }: LedgerLine,
  registry: Pick<Registry, "entries">,
): string {
  if (stated !== undefined) return `the person said “${oneLine(stated)}”`;
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
