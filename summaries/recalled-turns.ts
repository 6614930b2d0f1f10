import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { ArchivedTurn } from "../state/archive.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { fittingLines } from "../registry/fit-lines.ts";
import { describeRefs } from "../registry/refs.ts";
import { shorten } from "../registry/shorten.ts";
import { describeEffects } from "./effects.ts";
import { quoteLine, quoteMessage } from "./quote.ts";

/** The parts of an archived turn that are recalled. */
type RecalledTurn = Pick<ArchivedTurn, "turn" | "userMessage" | "replies" | "summary">;

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
  const { summary } = turn;
  const facts = summary === null ? [] : summaryLines(summary);
  const answers = turn.replies.map((reply) => {
    const tokens = options.limits.recentMessageTokens;
    return `Answer: ${shorten(oneLine(reply.text), { tokens, countTokens: options.countTokens })}`;
  });
  const head = `Turn ${turn.turn}: User said ${quoteMessage(turn.userMessage)}`;
  return [head, ...[...facts, ...answers].map((line) => `  ${line}`)].join("\n");
}

function summaryLines(summary: TurnExecutionSummary): string[] {
  const steps = summary.steps.map((step) => {
    const refs = describeRefs(step.entitiesAffected);
    return `- ${oneLine(step.description)}: ${quoteLine(step.outcome)}${refs === "" ? "" : ` → ${refs}`}`;
  });
  return [
    ...named("Goal", summary.goal),
    ...named("Why", summary.reasoning),
    ...steps,
    ...named("Stored", describeEffects(summary.effects)),
    ...named("Decided", summary.curationSummary),
    ...named("Concluded", summary.analysisConclusions),
    ...named("Blocked", summary.blockedReason),
  ];
}

function named(name: string, content: string | null): string[] {
  return content === null || content === "" ? [] : [`${name}: ${quoteLine(content)}`];
}
