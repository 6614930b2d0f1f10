import { renderStepHelpBlock } from "../../control-blocks/render.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import { lowerFirst, quoteWords } from "../phrase.ts";
import type { Instance } from "./instance.ts";
import { describeTask, inline, readBrief, readItems } from "./read-notes.ts";
import { findBlocker, finishedSteps } from "./read-person.ts";
import { STEPS, TASKS, TOPIC, type TopicStep } from "./topic.ts";

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance): string[] {
  const { first, now, message, exchanges } = instance;
  if (first(HEADINGS.task) !== "" && exchanges.length === 0) return writePlan(instance);
  const [start] = STEPS;
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
  const current = findCurrent(instance);
  if (finished.length > 0) {
    if (current === null) return ["Well done. That was the last step: the plan is carried out."];
    return ["Well done. Next is this:", describeStep(current), "When do you begin with it?"];
  }
  const { core } = readBrief(now(HEADINGS.stepHelpBrief));
  if (core.length > 0)
    return [
      `For what held you up:\n${listPoints(core.slice(0, 4))}`,
      "Which of these do you try first?",
    ];
  const blocker = findBlocker(message);
  if (blocker !== null) {
    const { title } = current ?? { title: TOPIC.goal };
    const advice = `That is a real obstacle. Do the smallest part of “${title}” today and leave the rest; I look into it and come back to it with your next message.`;
    return [advice, askExperts(title, blocker, instance)];
  }
  const named = STEPS.find(({ number }) => number === Number(/\bstep (\d+)\b/i.exec(message)?.[1]));
  if (named !== undefined) return [describeStep(named)];
  if (/\b(?:plan|steps?|where (?:are|were) we|next|now)\b/i.test(message)) {
    const lines = STEPS.map(
      (step) => `${step.number}. ${step.title}${step === current ? " ← you are here" : ""}`,
    );
    return [`This is the plan:\n${lines.join("\n")}`];
  }
  const place = `The step you are on is Step ${current?.number}: ${current?.title}.`;
  return [answerShortly(message), current === null ? "" : place];
}

/** The limits that the person named, as the executor's prompt has them. */
function readConstraints({ first }: Instance): string[] {
  return readItems(first(HEADINGS.user), "Constraints").map(inline);
}

function writePlan(instance: Instance): string[] {
  const { message, wrapper } = instance;
  const limits = quoteWords(readConstraints(instance).slice(0, 4));
  const lines = STEPS.map(
    (step) =>
      `${step.number}. **${step.title}** — ${describeTask(step)}\n   Done when: ${step.doneWhen}.`,
  );
  const half = Math.ceil(lines.length / 2);
  return [
    message === "" ? "" : answerShortly(message),
    `Here is the plan.${limits === "" ? "" : ` It keeps to what you told me: ${limits}.`}`,
    `### Prepare\n\n${lines.slice(0, half).join("\n")}`,
    `### Carry it out\n\n${lines.slice(half).join("\n")}`,
    "What would you like to adjust, or shall we begin with Step 1?",
    /\bblock\b/.test(wrapper) ? askExperts(STEPS[0]?.title ?? "", null, instance) : "",
  ];
}

/** Writes the block that asks the experts about a step: they see nothing else. */
function askExperts(title: string, blocker: string | null, instance: Instance): string {
  const limits = readConstraints(instance);
  return renderStepHelpBlock({
    step: title,
    blocker: blocker === null ? null : inline(blocker),
    context: limits.length === 0 ? TOPIC.goal : limits.join("; "),
    prompt: [
      "Role: You are a practitioner who has done this very step many times.",
      `Task: ${blocker === null ? TASKS.step : TASKS.blocker} “${title}”.`,
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
function findCurrent({ first, exchanges, message }: Instance): TopicStep | null {
  const marked = first(HEADINGS.workflow).matchAll(/^ *(\d+)\. \[x\]/gm);
  const done = new Set([...marked].map(([, number]) => Number(number)));
  const isOpen = ({ number }: TopicStep): boolean => !done.has(number);
  for (const number of [...exchanges.map(({ person }) => person), message].flatMap(finishedSteps))
    done.add(number > 0 ? number : (STEPS.find(isOpen)?.number ?? 0));
  return STEPS.find(isOpen) ?? null;
}

/** Says what a step asks for; `points` are what the experts said about it. */
function describeStep(step: TopicStep, points: readonly string[] = []): string {
  const pitfall = inline(step.pitfall);
  const actions = (points.length > 0 ? points : step.actions).map(inline);
  return [
    `**Step ${step.number}: ${step.title}**`,
    describeTask(step),
    listPoints(actions.filter((text) => text !== pitfall).slice(0, 5)),
    `Watch out: ${lowerFirst(pitfall)}.`,
    `Done when: ${step.doneWhen}.`,
  ].join("\n");
}

function listPoints(points: readonly string[]): string {
  return points.map((point) => `- ${inline(point)}.`).join("\n");
}
