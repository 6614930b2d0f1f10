import { buildActPrompt } from "../../prompts/act.ts";
import { describeRefs } from "../../registry/refs.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import type { NamedSchema, PromptMessage } from "../../state/model.ts";
import { judgesRows } from "../../state/plan.ts";
import type { CallResult } from "../../state/step.ts";
import { renderPriorContext } from "../../summaries/prior-context.ts";
import type { Question } from "../ask/question.ts";
import { summarizeCurrentTurn } from "../current-turn.ts";
import type { ActRound, OpenStep } from "./round.ts";
import { requireRun } from "../require-run.ts";
import { listRefsForEnd } from "./step-checks.ts";
import { renderStepRows } from "./step-rows.ts";

/** Builds the question to the model of a step: the step, all it may use, and its own calls so far. */
export function stepQuestion(open: OpenStep): Question {
  const { step, result, round } = open;
  const { state, view, services, plan } = round;
  const input = {
    view,
    goal: plan.goal,
    step,
    position: { index: result.step, of: plan.steps.length },
    rows: "",
    priorContext: judgesRows(step)
      ? renderPriorContext({
          records: state.turnExecutionSummaries,
          current: summarizeCurrentTurn(state, view),
          types: services.domain.entityTypes,
        })
      : "",
    profile: round.profile.text,
    before: linesBefore(round, step.group),
    sentBack: result.repairs,
  };
  const beside = besideRows(buildActPrompt(input, services), open);
  const rows = renderStepRows(step, { state, view, services, beside });
  return {
    node: "act",
    role: "act",
    run: requireRun(state),
    turn: state.turn,
    parts: buildActPrompt({ ...input, rows }, services),
    required: ["rules", "message", "step"],
    ids: { ref: listRefsForEnd(open) },
    thread: buildToolMessages(result.calls),
    maxOutputTokens: services.limits.actOutputTokens,
  };
}

/** Lists the tools that a step's model is offered. */
export function listStepTools({ step, round }: OpenStep): readonly NamedSchema[] {
  const { tier = "full" } = round.services;
  return round.tools.list({ ...step, tier });
}

/** Tokens of the tools and of a prompt's parts. */
function besideRows(parts: readonly EnvelopePart[], open: OpenStep): number {
  const { services } = open.round;
  const texts = [JSON.stringify(listStepTools(open)), ...parts.map(({ text }) => text)];
  return services.countTokens(texts.join("\n\n"));
}

/** Refs of a step are named to the steps after it as long as they take no more than this. */
const REFS_CHARACTERS = 160;

/** Outcomes, refs and notes of the groups before: what one of them drafted, the next can save. */
function linesBefore({ state, plan }: ActRound, group: number): string[] {
  return state.stepResults
    .filter(({ step, status }) => status !== "open" && (plan.steps[step]?.group ?? 0) < group)
    .map(({ step, status, outcome, note, refs }) => {
      const ended = status === "done" ? "" : ` (${status})`;
      const named = describeRefs(refs);
      const touched = named === "" || named.length > REFS_CHARACTERS ? "" : ` → ${named}`;
      const noted = note === null ? "" : ` Note: ${note}`;
      return `Step ${step + 1}${ended}: ${outcome}${touched}${noted}`;
    });
}

/** The step's own calls and what they came to, as its model's message history. */
function buildToolMessages(calls: readonly CallResult[]): PromptMessage[] {
  return calls.flatMap((call) => [
    {
      role: "assistant",
      text: "",
      toolCalls: [{ id: call.callId, name: call.tool, args: call.args, argsError: null }],
    },
    { role: "tool", callId: call.callId, name: call.tool, text: call.text },
  ]);
}
