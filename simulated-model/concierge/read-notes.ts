import { HEADINGS } from "../../prompts/headings.ts";
import { neutralise } from "../../text/fence.ts";
import { type Answer, answerValue } from "../answer.ts";
import type { PlannedPlan } from "../../state/journey-plan.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { readLimits } from "./read-person.ts";
import { STEPS, type TopicStep } from "./topic.ts";

/** A text for a sentence: on one line, no end mark, nothing that could open a block. */
export function inline(text: string): string {
  return neutralise(text.replace(/[\s\p{Cc}]+/gu, " ").trim()).replace(/[\s.!?;:,]+$/, "");
}

/** Reads the bullets below `**Label:**`. */
export function readItems(section: string, label: string): string[] {
  const [, below = ""] =
    new RegExp(`^(?:- )?\\*\\*${label}:\\*\\*.*\n((?: *- (?!\\*\\*).*(?:\n|$))*)`, "m").exec(
      section,
    ) ?? [];
  return [...below.matchAll(/^ *- (.*)$/gm)].map(([, item = ""]) => item.trim());
}

/** Limits that are known, and those that messages name, each once and for a sentence. */
export function listLimits(known: readonly string[], messages: readonly string[]): string[] {
  const limits = [...known, ...messages.flatMap(readLimits)].map(inline);
  return [...new Set(limits)].filter((limit) => limit !== "").slice(0, 10);
}

/** Limits as the lines of a prompt. */
export function renderNotedLimits(limits: readonly string[]): string {
  return limits.map((limit) => `\n- Constraint: ${limit}`).join("");
}

/** A step's task and the time that it takes. */
export function describeTask({ description, time }: TopicStep): string {
  return `${inline(description)} (${time}).`;
}

/** Reads the steps out of a plan. */
export function extractSteps({ section }: ParsedPrompt): Answer {
  const text = section(HEADINGS.plan);
  const named = STEPS.filter(({ title }) => text.includes(title));
  const answer: PlannedPlan = {
    goal: inline(section(HEADINGS.goal)) || "Carry out the plan",
    steps: named.map(({ title, description, time, doneWhen }) => ({
      title,
      description: inline(description),
      doneWhen,
      phase: /[^]*^### (.+)$/m.exec(text.slice(0, text.indexOf(title)))?.[1] ?? "",
      time,
      pitfall: "",
      restsOnSteps: [],
      restsOnDecisions: [],
      restsOnMade: [],
    })),
    decisions: [],
  };
  return answerValue(answer);
}

/** Brings the notes of an exploration up to date: of the messages since, only the limits are new. */
export function patchNotes({ section }: ParsedPrompt): Answer {
  const notes = section(HEADINGS.notes).toLowerCase();
  const messages = section(HEADINGS.messagesSince).matchAll(
    /^Person:\n<said>\n([\s\S]*?)\n?<\/said>$/gm,
  );
  const limits = listLimits(
    [],
    [...messages].map(([, body = ""]) => body),
  );
  const fresh = limits.filter((limit) => !notes.includes(limit.toLowerCase()));
  return answerValue({
    keyFindings: [],
    tensions: [],
    gaps: [],
    unpromptedReveals: [],
    stillUnclear: [],
    noLongerHolds: [],
    impliedGoal: null,
    acceptedFraming: null,
    resistedFraming: null,
    effectiveStance: null,
    revealedConstraints: fresh.slice(-8),
  });
}
