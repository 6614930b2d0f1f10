import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { History, LedgerLine, TurnExecutionSummary } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { clip } from "../registry/shorten.ts";
import { describeRefs } from "../registry/refs.ts";
import { describeEffectRefs } from "./effects.ts";

/** A line stays within about 45 tokens. */
const GOAL_CHARACTERS = 60;
const DECISIONS_CHARACTERS = 60;
const LINE_CHARACTERS = 180;

/** One line for a record that leaves the last N: its goal, what it stored, excluded and drafted, with refs. */
export function ledgerLine(record: TurnExecutionSummary): LedgerLine {
  const drafts = record.steps
    .filter((step) => step.stepType === "generate")
    .flatMap((step) => step.entitiesAffected);
  const parts = [
    clip(oneLine(record.goal), GOAL_CHARACTERS),
    describeEffectRefs(record.effects),
    drafts.length === 0 ? "" : `drafted ${describeRefs([...new Set(drafts)])}`,
    clip(oneLine(record.curationSummary ?? ""), DECISIONS_CHARACTERS),
    record.blockedReason === null ? "" : `blocked: ${oneLine(record.blockedReason)}`,
  ].filter((part) => part !== "");
  return { turn: record.turnNumber, text: clip(parts.join("; "), LINE_CHARACTERS) };
}

/** The ledger as lines of a prompt, oldest first. */
export function renderLedger(ledger: readonly LedgerLine[]): string {
  return ledger.map(({ turn, text }) => `- Turn ${turn}: ${oneLine(text)}`).join("\n");
}

interface KeptTurns {
  readonly summaries: readonly TurnExecutionSummary[];
  readonly ledger: readonly LedgerLine[];
}

/**
 * Records and ledger after a turn. The record that leaves the last N becomes a ledger line; when
 * the ledger is full all its lines are due for folding at once, and the ledger is empty again.
 *
 * Contract: every record is in exactly one of summaries, ledger and fold. A record of a turn that is
 * already there takes its place.
 */
export function rollUp(
  before: KeptTurns,
  record: TurnExecutionSummary,
  limits: Pick<Limits, "recordTurns" | "ledgerLines">,
): { summaries: TurnExecutionSummary[]; ledger: LedgerLine[]; fold: LedgerLine[] | null } {
  const others = before.summaries.filter((one) => one.turnNumber !== record.turnNumber);
  const all = [...others, record];
  const summaries = all.slice(-limits.recordTurns);
  const lines = all.slice(0, all.length - summaries.length).map(ledgerLine);
  const ledger = [...before.ledger, ...lines];
  return ledger.length >= limits.ledgerLines
    ? { summaries, ledger: [], fold: ledger }
    : { summaries, ledger, fold: null };
}

interface FoldState {
  readonly ledger: readonly LedgerLine[];
  readonly history: History;
}

/** Returns true where the ending turn has folded its ledger into the history. */
export function hasJustFolded(state: FoldState): boolean {
  return state.ledger.length === 0 && state.history.throughTurn > 0;
}

interface FoldByCodeOptions {
  readonly limits: Pick<Limits, "historyTokens">;
  readonly countTokens: CountTokens;
}

/** The history with the lines added by code: of both, the newest sentences that fit the budget. */
export function foldByCode(
  history: History,
  lines: readonly LedgerLine[],
  options: FoldByCodeOptions,
): History {
  const sentences = [...splitSentences(history.text), ...lines.map(lineText)];
  let kept = sentences;
  while (kept.length > 0 && options.countTokens(kept.join("\n")) > options.limits.historyTokens) {
    kept = kept.slice(1);
  }
  return { text: kept.join("\n"), throughTurn: lastTurn(history, lines) };
}

interface AcceptFoldOptions {
  readonly text: string;
  readonly limits: Pick<Limits, "historyTokens">;
  readonly countTokens: CountTokens;
}

/** A model's fold as the new history; null where it is empty or does not fit the budget. */
export function acceptFold(
  history: History,
  lines: readonly LedgerLine[],
  fold: AcceptFoldOptions,
): History | null {
  const text = fold.text.trim();
  if (text === "" || fold.countTokens(text) > fold.limits.historyTokens) return null;
  return { text, throughTurn: lastTurn(history, lines) };
}

function lineText({ turn, text }: LedgerLine): string {
  return `Turn ${turn}: ${oneLine(text)}`;
}

function splitSentences(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?。！？])\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

function lastTurn(history: History, lines: readonly LedgerLine[]): number {
  return Math.max(history.throughTurn, ...lines.map((line) => line.turn));
}
