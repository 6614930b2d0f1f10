import { countTokens } from "../../models/tokens.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { Narrative } from "../../state/turn-summary.ts";
import type { WorkflowProgress } from "../../state/workflow.ts";
import { type Answer, answerValue } from "../answer.ts";
import { finishedSteps, reopenedSteps } from "../concierge/read-person.ts";
import {
  nonEmptyLines,
  type ParsedPrompt,
  readBullets,
  readFenced,
} from "../prompt/read-prompt.ts";

/** Says what a turn came to, from what was asked, done, decided and replied. */
export function summarize({ section, message }: ParsedPrompt): Answer {
  const outcomes = readBullets(section(HEADINGS.done)).filter((line) => !line.startsWith("Goal: "));
  const decided = section(HEADINGS.decided);
  const text = readFenced("reply", section(HEADINGS.reply));
  const found = outcomes.flatMap(
    (line) => /: (\d+ [\w ]+ (?:fit|remain)\b.*)$/.exec(line)?.[1] ?? [],
  );
  const [first] = outcomes;
  const lines = nonEmptyLines(text);
  const items = lines.filter((line) => /^(?:\d+\.|-) /.test(line)).length;
  const plan = section(HEADINGS.planProgress);
  const done = first === undefined ? "Answered" : `Reported: ${first}`;
  const narrative: Partial<Narrative> = {
    analysisConclusions: found.length === 0 ? null : found.join("; "),
    responseSummary: items > 1 ? `Listed ${items} things` : clip(lines[0] ?? "Nothing"),
    whatWeAcknowledged: clip(decided === "" ? done : `Confirmed: ${decided}`),
    naturalNext: text.endsWith("?") ? "User answers the question" : "User asks for more",
  };
  return answerValue(
    plan === "" ? narrative : { ...narrative, workflow: readProgress(message, plan) },
  );
}

/** The steps that the message says are done, and those that it takes up again. */
function readProgress(message: string, plan: string): WorkflowProgress {
  const steps = [...plan.matchAll(/^- (step_\d+) \((\w+)\): /gm)];
  const findStep = (number: number): string[] => {
    // "That is done" speaks of the step they are on.
    const step = number === 0 ? steps.find(([, , each]) => each === "active") : steps[number - 1];
    return step?.[1] === undefined ? [] : [step[1]];
  };
  const complete = new Set(steps.filter(([, , each]) => each === "complete").map(([, id]) => id));
  const reopened = reopenedSteps(message)
    .flatMap(findStep)
    .filter((id) => complete.has(id));
  const completed = finishedSteps(message).flatMap(findStep);
  return { completed: completed.filter((id) => !reopened.includes(id)), reopened };
}

function clip(text: string): string {
  const points = Array.from(text);
  return points.length <= 120 ? text : `${points.slice(0, 119).join("")}…`;
}

const KEPT =
  /\b(?:created|updated|deleted|drafted|Demoted|Restored|Dropped|blocked|saved|wish|rule)\b/;

/** Folds new lines into the history: what was done or decided stays, what was only looked at goes. */
export function fold({ section }: ParsedPrompt): Answer {
  const fresh = section(HEADINGS.newLines);
  const budget = Number(/At most (\d+) tokens in all/.exec(fresh)?.[1] ?? 400);
  const history = nonEmptyLines(section(HEADINGS.history)).filter(
    (line) => !/^<\/?\w+>$/.test(line),
  );
  // The first turn is how the conversation began: it is always worth a line.
  let kept = [...history, ...readBullets(fresh)].filter(
    (line) => line.startsWith("Turn 1: ") || KEPT.test(line),
  );
  while (kept.length > 1 && countTokens(kept.join("\n")) > budget) kept = kept.toSpliced(1, 1);
  return { kind: "text", text: kept.length === 0 ? "Nothing was changed." : kept.join("\n") };
}
