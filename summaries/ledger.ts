import type { Limits } from "../state/limits.ts";
import type {
  History,
  LedgerLine,
  StepExecutionSummary,
  TurnExecutionSummary,
} from "../state/turn-summary.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { oneLine } from "../text/fence.ts";
import { clip } from "../registry/shorten.ts";
import { describeRefs } from "../registry/refs.ts";
import { describeStored, groupEffects } from "./effects.ts";
import { endedBadly } from "./step-outcome.ts";

/** A line stays within about 45 tokens. */
const PART_CHARACTERS = 60;
const LINE_CHARACTERS = 180;

/** Makes the ledger line of a turn summary that leaves the last N: its goal, what it stored, left out and drafted, with refs. */
export function ledgerLine(record: TurnExecutionSummary): LedgerLine {
  const drafts = record.steps
    .filter((step) => step.stepType === "generate")
    .flatMap((step) => step.entitiesAffected);
  return {
    turn: record.turnNumber,
    ...keepWords(record),
    goal: shorten(record.goal),
    stored: groupEffects(record.effects),
    storedNothing: record.effects.length === 0 && !record.steps.some(mayHaveStored),
    drafted: describeRefs([...new Set(drafts)]),
    decided: shorten(record.curationSummary ?? ""),
    blocked: shorten(record.blockedReason ?? ""),
  };
}

/** A service or a table that no type describes leaves no effect. */
function mayHaveStored(step: StepExecutionSummary): boolean {
  return step.stepType === "write" && !endedBadly(step);
}

/** Words of the person that are kept as they are. */
const TOLD_CHARACTERS = 160;
/** Shorter messages are remarks. */
const TOLD_WORDS = 5;
const TOLD_LETTERS = 24;

/** The words of the person: what they stated where nothing was done, what they asked to be done; nothing of a question and a remark. */
function keepWords({
  userMessage,
  steps,
  effects,
  decision,
}: TurnExecutionSummary): Pick<LedgerLine, "stated" | "asked"> {
  const text = oneLine(userMessage).trim();
  const isWork =
    steps.length > 0 || effects.length > 0 || !(decision === null || decision === "answer");
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isRemark = words.length < TOLD_WORDS && words.join("").length < TOLD_LETTERS;
  const isQuestion = endsAsQuestion(text);
  if (isRemark || isQuestion) return {};
  const quoted = clip(text, TOLD_CHARACTERS);
  return isWork ? { asked: quoted } : { stated: quoted };
}

function shorten(text: string): string {
  return clip(oneLine(text), PART_CHARACTERS);
}

/** The words for a turn that has changed no row. */
export const NOTHING_STORED = "nothing stored";

/**
 * Renders a line of the ledger: "wanted: Plan the soup; created meal_7; Demoted recipe_1 (contains cod)",
 * or "Told: “Greta comes on Saturday”". A goal is a model's, and may read as if it were reached: code says beside it what was stored, or that nothing was.
 */
export function renderLedgerLine(line: LedgerLine): string {
  const { goal, stored, storedNothing, drafted, decided, blocked, stated } = line;
  const isWanted = stated === undefined && goal !== "";
  const parts = [
    stated === undefined ? describeGoal(goal) : `Told: “${stated}”`,
    isWanted && storedNothing ? NOTHING_STORED : describeStored(stored),
    drafted === "" ? "" : `drafted ${drafted}`,
    decided,
    blocked === "" ? "" : `blocked: ${blocked}`,
  ];
  const most = stated === undefined ? LINE_CHARACTERS : LINE_CHARACTERS + PART_CHARACTERS;
  return clip(parts.filter((part) => part !== "").join("; "), most);
}

/** Says whose words a goal is: "wanted: Plan the soup". */
export function describeGoal(goal: string): string {
  return goal === "" ? "" : `wanted: ${goal}`;
}

/** The ledger as lines of a prompt, oldest first. */
export function renderLedger(ledger: readonly LedgerLine[]): string {
  return ledger
    .map((line) => ({ turn: line.turn, text: oneLine(renderLedgerLine(line)) }))
    .filter(({ text }) => text !== "")
    .map(({ turn, text }) => `- Turn ${turn}: ${text}`)
    .join("\n");
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
