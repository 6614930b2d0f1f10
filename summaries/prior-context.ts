import type { EntityType } from "../state/entity.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import { describeRefs } from "../registry/refs.ts";
import { describeRemaining, type CurrentTurn } from "./current-turn.ts";
import { describeEffects } from "./effects.ts";
import { capitalised, quoteLine, quoteNamed } from "./quote.ts";
import { refsByType } from "./refs-by-type.ts";

/** The heading of the section that this file renders. */
export const PRIOR_CONTEXT_HEADING = "Prior Context";

/** The latest read of one table, according to a turn summary. */
interface PriorRead {
  readonly type: EntityType;
  readonly refs: readonly string[];
  readonly turn: number;
}

interface RenderPriorContextInput {
  readonly records: readonly TurnExecutionSummary[];
  readonly current: CurrentTurn;
  readonly types: readonly EntityType[];
}

/**
 * The section `## Prior Context` for Act's analyze and generate steps (seed 003): what the last
 * turns read, concluded, drafted and stored, and what of it remains in the current turn. Lines without
 * content are left out; empty where nothing is known.
 */
export function renderPriorContext(input: RenderPriorContextInput): string {
  const { records, current, types } = input;
  const before = section("Last turn results", priorLines(records, types));
  const now = section("Current turn context", currentLines(current));
  if (before === "" && now === "") return "";
  const guidance = "**Use these IDs directly** — don't re-query.";
  return [`## ${PRIOR_CONTEXT_HEADING}`, before, now, guidance]
    .filter((part) => part !== "")
    .join("\n\n");
}

function priorLines(
  records: readonly TurnExecutionSummary[],
  types: readonly EntityType[],
): string[] {
  const last = records.at(-1)?.turnNumber;
  const since = (turn: number): string => (turn === last ? "" : `, turn ${turn}`);
  const reads = latestReads(records, types).map(
    ({ type, refs, turn }) =>
      `${tableWords(type)} read: ${describeRefs(refs)} (${refs.length} total${since(turn)})`,
  );
  const analysis = records.findLast((record) => record.analysisConclusions !== null);
  const drafts = records.flatMap((record) => affectedBy(record, "generate"));
  const effects = describeEffects(records.flatMap((record) => record.effects));
  return [
    ...reads,
    ...named("Analysis", quoteLine(analysis?.analysisConclusions ?? "")),
    ...named("Drafts", describeRefs([...new Set(drafts)])),
    ...named("Stored", effects),
  ];
}

function currentLines({ curated, remaining }: CurrentTurn): string[] {
  return [
    ...named("User excluded", quoteNamed(curated.demoted)),
    ...named("User brought back", quoteNamed(curated.restored)),
    ...named("Remaining candidates", describeRemaining(remaining)),
  ];
}

/** The latest read of every type, in order of appearance. */
function latestReads(
  records: readonly TurnExecutionSummary[],
  types: readonly EntityType[],
): PriorRead[] {
  const reads = records.flatMap((record) =>
    refsByType(affectedBy(record, "read"), types).map(({ type, refs }): [string, PriorRead] => [
      type.type,
      { type, refs: [...new Set(refs)], turn: record.turnNumber },
    ]),
  );
  return [...new Map(reads).values()];
}

function affectedBy(
  record: TurnExecutionSummary,
  stepType: TurnExecutionSummary["steps"][number]["stepType"],
): string[] {
  return record.steps
    .filter((step) => step.stepType === stepType)
    .flatMap((step) => step.entitiesAffected);
}

function tableWords(type: EntityType): string {
  return capitalised(type.table.replaceAll("_", " "));
}

function named(name: string, content: string): string[] {
  return content === "" ? [] : [`${name}: ${content}`];
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return [`**${title}:**`, ...lines.map((text) => `- ${text}`)].join("\n");
}
