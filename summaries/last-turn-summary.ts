import type { EntityType } from "../state/entity.ts";
import type { StepType } from "../state/plan.ts";
import type { Effect } from "../state/step.ts";
import type { StepExecutionSummary, TurnExecutionSummary } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { describeRefs } from "../registry/refs.ts";
import { countInWords } from "../registry/types.ts";
import { describeRemaining, type CurrentTurn } from "./current-turn.ts";
import { describeEffects } from "./effects.ts";
import { quoteLine, quoteMessage, quoteNamed } from "./quote.ts";
import { refsByType } from "./refs-by-type.ts";
import { endedBadly } from "./step-outcome.ts";

/** The heading of the section that this file renders. */
export const LAST_TURN_SUMMARY_HEADING = "Last Turn Summary";

const VERBS = {
  read: "Read",
  analyze: "Analyze",
  generate: "Generate",
  write: "Write",
} as const satisfies Record<StepType, string>;

interface RenderLastTurnSummaryInput {
  readonly records: readonly TurnExecutionSummary[];
  /** Null where only the records are wanted. */
  readonly current: CurrentTurn | null;
  readonly types: readonly EntityType[];
}

/**
 * The section `## Last Turn Summary` for Think (seed 003): the records, older first, then what
 * Understand made of the current turn. Lines without content are left out; empty where nothing is known.
 */
export function renderLastTurnSummary(input: RenderLastTurnSummaryInput): string {
  const { records, current, types } = input;
  const known = records.length > 0 || (current !== null && hasContent(current));
  if (!known) return "";
  const blocks = records.map((record) => recordBlock(record, types));
  const all = current === null ? blocks : [...blocks, currentBlock(current)];
  return `## ${LAST_TURN_SUMMARY_HEADING}\n\n${all.join("\n\n---\n\n")}`;
}

function recordBlock(record: TurnExecutionSummary, types: readonly EntityType[]): string {
  const steps = record.steps.map(
    (step, index) => `${index + 1}. ${stepLine(step, { types, effects: record.effects })}`,
  );
  const head = [
    `**Turn ${record.turnNumber}:** User asked ${quoteMessage(record.userMessage)}`,
    ...line("Goal", quoteLine(record.goal)),
    ...(steps.length === 0 ? [] : ["**Steps executed:**", ...steps]),
  ];
  const tail = [
    ...line("Stored", describeEffects(record.effects)),
    ...line("Understand decisions", oneLine(record.curationSummary ?? "")),
    ...line("Blocked", quoteLine(record.blockedReason ?? "")),
    ...line("Response", quoteLine(record.responseSummary)),
  ];
  return paragraphs(head, tail);
}

interface StepLineOptions {
  readonly types: readonly EntityType[];
  readonly effects: readonly Effect[];
}

/** Renders the result of a step with its refs; stored rows are named by their effects. */
function stepLine(step: StepExecutionSummary, options: StepLineOptions): string {
  const stored = new Set(options.effects.map((effect) => effect.ref));
  const refs =
    step.stepType === "write"
      ? step.entitiesAffected.filter((ref) => !stored.has(ref))
      : step.entitiesAffected;
  const verb = VERBS[step.stepType];
  const outcome = quoteLine(step.outcome);
  if (refs.length === 0) return `${verb} → ${outcome}`;
  if (step.stepType === "read" && !endedBadly(step)) {
    return `Read ${readCounts(step, options.types)} → ${describeRefs(refs)}`;
  }
  if (step.stepType === "analyze" && !endedBadly(step)) {
    const count = `${refs.length} viable ${refs.length === 1 ? "option" : "options"}`;
    return `Analyze → ${count}: ${describeRefs(refs)}`;
  }
  return `${verb} → ${outcome === "" ? "" : `${outcome}: `}${describeRefs(refs)}`;
}

/** Returns the count that the read reported ("9 recipes of 20"), else the number of refs by kind. */
function readCounts(step: StepExecutionSummary, types: readonly EntityType[]): string {
  if (step.outcome.startsWith("Found ")) return quoteLine(step.outcome.slice("Found ".length));
  return refsByType(step.entitiesAffected, types)
    .map(({ type, refs }) => countInWords(type, refs.length))
    .join(", ");
}

function currentBlock(current: CurrentTurn): string {
  const head = [
    `**Turn ${current.turn} (current):** User says ${quoteMessage(current.userMessage)}`,
    ...line("Understand resolved", describeResolved(current)),
  ];
  const tail = [
    ...line("Remaining viable options", describeRemaining(current.remaining)),
    ...(current.held ? ["**DO NOT re-read** — these are already in Recent Context."] : []),
  ];
  return paragraphs(head, tail);
}

function describeResolved({ curated, references }: CurrentTurn): string {
  const decided = [
    ["demoted", curated.demoted],
    ["restored", curated.restored],
    ["retained", curated.retained],
  ] as const;
  const named = references.map(
    ({ text, ...entity }) =>
      `${text === "" ? "it" : `"${quoteLine(text)}"`} = ${quoteNamed([entity])}`,
  );
  return [
    ...decided.flatMap(([what, refs]) =>
      refs.length === 0 ? [] : `${quoteNamed(refs)} → ${what}`,
    ),
    ...(named.length === 0 ? [] : [named.join(", ")]),
  ].join("; ");
}

function hasContent(current: CurrentTurn): boolean {
  return current.held || current.remaining !== null || describeResolved(current) !== "";
}

function line(name: string, content: string): string[] {
  return content === "" ? [] : [`**${name}:** ${content}`];
}

function paragraphs(...parts: readonly string[][]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n");
}
