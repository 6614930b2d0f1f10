import type { StepType } from "../../state/plan.ts";
import type { Curation } from "../../state/registry.ts";
import type { ScriptedAnswer } from "./scripted-model.ts";

/** Understand's answer: a task that leaves everything as it is, but for what is given. */
export function understood(wanted: {
  readonly demote?: readonly string[];
  readonly quick?: string;
}): ScriptedAnswer {
  const demote = (wanted.demote ?? []).map((ref) => ({ ref, reason: "not wanted" }));
  const curation: Curation = {
    retain: [],
    demote,
    restore: [],
    drop: [],
    clearAll: false,
    summary: null,
  };
  return {
    json: {
      reasoning: "It says so.",
      lane: "task",
      journey: "continue",
      references: [],
      curation,
      constraints: [],
      expressed: "Wants to plan meals",
      quick: wanted.quick === undefined ? null : { subdomain: wanted.quick, intent: "the fridge" },
      clarification: null,
      answersPending: null,
      meta: false,
    },
  };
}

/** Think's answer: these steps as type, subdomain and group; to answer where there are none. */
export function planned(steps: readonly (readonly [StepType, string, number])[]): ScriptedAnswer {
  return {
    json: {
      reasoning: "It is needed.",
      goal: "Show what there is",
      decision: steps.length === 0 ? "answer" : "plan",
      steps: steps.map(([stepType, subdomain, group]) => ({
        description: `${stepType} ${subdomain}`,
        stepType,
        subdomain,
        group,
        refs: [],
      })),
      proposal: null,
      questions: [],
    },
  };
}

/** Summarize's answer, the same for every turn. */
export const NARRATED: ScriptedAnswer = {
  json: {
    analysisConclusions: null,
    responseSummary: "Listed options",
    conversationPhase: "narrowing",
    tone: "collaborative",
    whatUserExpressed: "Wishes",
    whatWeAcknowledged: "Them",
    naturalNext: "Plan",
  },
};
