import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { fittingLines } from "../registry/fit-lines.ts";
import { describeRefs } from "../registry/refs.ts";
import { shorten } from "../registry/shorten.ts";
import { describeEffects } from "./effects.ts";
import { quoteLine, quoteMessage } from "./quote.ts";

/** A turn as the archive gives it back. */
export interface RecalledTurn {
  readonly turn: number;
  readonly userMessage: string;
  readonly replies: readonly string[];
  /** Null for a turn that left no record. */
  readonly record: TurnExecutionSummary | null;
}

interface RecallOptions {
  /** The number of all turns that matched. */
  readonly total: number;
  readonly limits: Pick<Limits, "recallTurns" | "recentMessageTokens">;
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/**
 * Earlier turns as the `recall` tool answers them, in the given order: what was said, done, decided
 * and why, with all refs. What does not fit the limit or the budget is counted.
 */
export function renderRecalledTurns(
  turns: readonly RecalledTurn[],
  options: RecallOptions,
): string {
  if (turns.length === 0) return "No earlier turn matches.";
  const { total, limits, budget, countTokens } = options;
  const blocks = turns.slice(0, limits.recallTurns).map((turn) => turnBlock(turn, options));
  const all = Math.max(total, turns.length);
  const ending = (left: number): string => {
    const shown = blocks.length - left;
    return shown === all ? "" : `${shown} shown, ${all - shown} more`;
  };
  const { text, fitting } = fittingLines(blocks, { budget, countTokens, ending });
  if (fitting > 0) return text;
  return shorten(blocks[0] ?? "", { tokens: budget, countTokens });
}

function turnBlock(turn: RecalledTurn, options: RecallOptions): string {
  const { record } = turn;
  const facts = record === null ? [] : recordLines(record);
  const said = turn.replies.map((reply) => {
    const tokens = options.limits.recentMessageTokens;
    return `Answer: ${shorten(oneLine(reply), { tokens, countTokens: options.countTokens })}`;
  });
  const head = `Turn ${turn.turn}: User said ${quoteMessage(turn.userMessage)}`;
  return [head, ...[...facts, ...said].map((line) => `  ${line}`)].join("\n");
}

function recordLines(record: TurnExecutionSummary): string[] {
  const steps = record.steps.map((step) => {
    const refs = describeRefs(step.entitiesAffected);
    return `- ${oneLine(step.description)}: ${quoteLine(step.outcome)}${refs === "" ? "" : ` → ${refs}`}`;
  });
  return [
    ...named("Goal", record.goal),
    ...named("Why", record.reasoning),
    ...steps,
    ...named("Stored", describeEffects(record.effects)),
    ...named("Decided", record.curationSummary),
    ...named("Concluded", record.analysisConclusions),
    ...named("Blocked", record.blockedReason),
  ];
}

function named(name: string, content: string | null): string[] {
  return content === null || content === "" ? [] : [`${name}: ${quoteLine(content)}`];
}
