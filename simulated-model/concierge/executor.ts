import { renderStepHelpBlock } from "../../control-blocks/render.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { Instance } from "./instance.ts";
import { inline, type PlanStep, readBrief, readLabel, readSteps } from "./read-notes.ts";
import { findBlocker, finishedSteps } from "./read-person.ts";
import { TASKS, TOPIC } from "./topic.ts";

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance): string[] {
  const { first, now, message, exchanges } = instance;
  if (first(HEADINGS.task) !== "" && exchanges.length === 0) return writePlan(instance);
  // At a roll-over the plan stands in the first prompt, else in what this instance wrote.
  const written = exchanges
    .map(({ concierge }) => readSteps(concierge))
    .find(({ length }) => length > 1);
  const steps = written ?? readSteps(first(HEADINGS.workflow));
  const [start] = steps;
  const finished = finishedSteps(message);
  const guidance = now(HEADINGS.stepBrief);
  if (guidance !== "" && start !== undefined && finished.length === 0) {
    const step = describeStep(start, readBrief(guidance).core);
    return [
      answerShortly(message),
      step,
      "Are you ready to start, or what would you like to adjust?",
    ];
  }
  const current = findCurrent(instance, steps);
  if (finished.length > 0) {
    if (current === null) return ["Well done. That was the last step: the plan is carried out."];
    return ["Well done. Next is this:", describeStep(current, []), "When do you begin with it?"];
  }
  const { core } = readBrief(now(HEADINGS.stepHelpBrief));
  if (core.length > 0)
    return [
      `For what held you up:\n${listPoints(core.slice(0, 4))}`,
      "Which of these do you try first?",
    ];
  const blocker = findBlocker(message);
  const { title = TOPIC.goal } = current ?? {};
  if (blocker !== null) {
    const advice = `That is a real obstacle. Do the smallest part of “${title}” today and leave the rest; I look into it and come back to it with your next message.`;
    return [advice, askExperts(title, blocker, instance)];
  }
  const named = steps.find(({ number }) => number === Number(/\bstep (\d+)\b/i.exec(message)?.[1]));
  if (named !== undefined) return [describeStep(named, [])];
  if (/\b(?:plan|steps?|where (?:are|were) we|next|now)\b/i.test(message) && steps.length > 0) {
    const lines = steps.map(
      ({ number, title: name }) =>
        `${number}. ${name}${number === current?.number ? " ← you are here" : ""}`,
    );
    return [`This is the plan:\n${lines.join("\n")}`];
  }
  return [
    answerShortly(message),
    current === null ? "" : `The step you are on is Step ${current.number}: ${current.title}.`,
  ];
}

function writePlan(instance: Instance): string[] {
  const { first, message, wrapper } = instance;
  const limits = readLabel(first(HEADINGS.user), "Constraints")
    .items.slice(0, 4)
    .map((limit) => `“${inline(limit)}”`);
  const lines = TOPIC.steps.map(
    ({ title, description, time, doneWhen }, index) =>
      `${index + 1}. **${title}** — ${inline(description)} (${time}).\n   Done when: ${doneWhen}.`,
  );
  const half = Math.ceil(lines.length / 2);
  return [
    message === "" ? "" : answerShortly(message),
    `Here is the plan.${limits.length === 0 ? "" : ` It keeps to what you told me: ${limits.join(", ")}.`}`,
    `### Prepare\n\n${lines.slice(0, half).join("\n")}`,
    `### Carry it out\n\n${lines.slice(half).join("\n")}`,
    "What would you like to adjust, or shall we begin with Step 1?",
    /\bblock\b/.test(wrapper) ? askExperts(TOPIC.steps[0]?.title ?? "", null, instance) : "",
  ];
}

/** Writes the block that asks the experts about a step: they see nothing else. */
function askExperts(title: string, blocker: string | null, { first }: Instance): string {
  const limits = readLabel(first(HEADINGS.user), "Constraints").items.map(inline);
  return renderStepHelpBlock({
    step: inline(title),
    blocker: blocker === null ? null : inline(blocker),
    context: limits.length === 0 ? TOPIC.goal : limits.join("; "),
    prompt: [
      "Role: You are a practitioner who has done this very step many times.",
      `Task: ${blocker === null ? TASKS.step : TASKS.blocker} “${inline(title)}”.`,
      "Context:",
      `- Goal: ${TOPIC.goal}`,
      ...(blocker === null ? [] : [`- Blocker: ${inline(blocker)}`]),
      ...limits.map((limit) => `- Constraint: ${limit}`),
      "Output: Concrete actions in order, what to watch out for, how to know that it is done.",
      "Quality: Specific before generic, actions before concepts, decisions before options.",
    ].join("\n"),
  });
}

/** Takes up a message that needs no thought, and says so where it would. */
function answerShortly(message: string): string {
  const agrees =
    /^(?:yes|ok|okay|sure|(?:that )?looks? good|sounds? good|great|fine|perfect|good|ready|let'?s)\b/i;
  if (/\b(?:thanks|thank you)\b/i.test(message)) return "You are welcome.";
  if (agrees.test(message) && !/\?|\bbut\b/i.test(message)) return "Good, then it stays as it is.";
  return "I cannot weigh that without a language model. You can tell me which step is done, or that you are stuck on one.";
}

/** The first step that nobody has called done, in this instance or before it. */
function findCurrent(
  { exchanges, message }: Instance,
  steps: readonly PlanStep[],
): PlanStep | null {
  const done = new Set(steps.filter((step) => step.done).map(({ number }) => number));
  for (const number of [...exchanges.map(({ person }) => person), message].flatMap(finishedSteps)) {
    done.add(number > 0 ? number : (steps.find((step) => !done.has(step.number))?.number ?? 0));
  }
  return steps.find((step) => !done.has(step.number)) ?? null;
}

function describeStep(
  { number, title, description, doneWhen }: PlanStep,
  points: readonly string[],
): string {
  const known = TOPIC.steps.find((step) => step.title === title);
  const pitfall = inline(known?.pitfall ?? "");
  const actions = (points.length > 0 ? points : (known?.actions ?? []))
    .map(inline)
    .filter((text) => text !== pitfall);
  return [
    `**Step ${number}: ${title}**`,
    description,
    listPoints(actions.slice(0, 5)),
    pitfall === "" ? "" : `Watch out: ${pitfall.slice(0, 1).toLowerCase()}${pitfall.slice(1)}.`,
    doneWhen === "" ? "" : `Done when: ${doneWhen}.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function listPoints(points: readonly string[]): string {
  return points.map((point) => `- ${inline(point)}.`).join("\n");
}
