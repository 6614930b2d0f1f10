import { HEADINGS } from "../../prompts/headings.ts";
import { fill, lowerFirst, quoteWords } from "../phrase.ts";
import type { Instance } from "./instance.ts";
import { describeTask, inline, listLimits, readItems, renderNotedLimits } from "./read-notes.ts";
import { findBlocker, finishedSteps, reopenedSteps } from "./read-person.ts";
import { STEPS, TASKS, TOPIC, type TopicStep } from "./topic.ts";

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance): string[] {
  const { first, now, message, exchanges } = instance;
  if (first(HEADINGS.task) !== "" && exchanges.length === 0) return writePlan(instance);
  const [start] = STEPS;
  const finished = finishedSteps(message);
  const guidance = now(HEADINGS.stepBrief);
  if (guidance !== "" && start !== undefined && finished.length === 0) {
    const question = "Are you ready to start, or what would you like to adjust?";
    return [answerShortly(message), describeStep(start), question];
  }
  const done = findDone(instance);
  const current = findCurrent(done);
  if (finished.length > 0) return describeProgress(finished, done);
  if (now(HEADINGS.stepHelpBrief) !== "") {
    const points = listPoints(TOPIC.help.claims.map(({ text }) => text));
    return [`For what held you up:\n${points}`, "Which of these do you try first?"];
  }
  const blocker = findBlocker(message);
  if (blocker !== null) {
    const { title } = current ?? { title: TOPIC.goal };
    return [fill(TOPIC.held_up, { step: title }), askExperts(title, blocker, instance)];
  }
  const named = NUMBERED[/\bstep (\d+)\b/i.exec(message)?.[1] ?? ""];
  const again = reopenedSteps(message).filter((number) => done.has(number));
  const isReport = /\b(?:done|did|finished|completed?)\b/i.test(message) && !message.includes("?");
  const nothing = isReport
    ? "I recorded nothing as done. To record a step, say “step 1 is done”."
    : "";
  const report = again.length > 0 ? "" : nothing;
  if (named !== undefined) return [report, describeStep(named)];
  if (/\b(?:plan|steps?|where (?:are|were) we|next|now)\b/i.test(message)) {
    const lines = STEPS.map(
      (step) => `${step.number}. ${step.title}${step === current ? " ← you are here" : ""}`,
    );
    return [report, `This is the plan:\n${lines.join("\n")}`];
  }
  const place = `The step you are on is Step ${current?.number}: ${current?.title}.`;
  return [answerShortly(message), current === null ? "" : place];
}

/** The limits that the person named, as the executor's prompt has them. */
function readConstraints({ first }: Instance): string[] {
  return listLimits(readItems(first(HEADINGS.user), "Constraints"), []);
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
function askExperts(step: string, blocker: string | null, instance: Instance): string {
  const limits = renderNotedLimits(readConstraints(instance));
  const held = blocker === null ? "" : `\n- Blocker: ${inline(blocker)}`;
  return fill(TOPIC.step_help, {
    step,
    blocker: blocker === null ? "null" : JSON.stringify(inline(blocker)),
    task: blocker === null ? TASKS.step : TASKS.blocker,
    limits: `${held}${limits}`,
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

/** The numbers of the steps that were called done before this message, in this instance or before it. */
function findDone({ first, exchanges }: Instance): ReadonlySet<number> {
  const marked = first(HEADINGS.activePlan).matchAll(/^ *(\d+)\. \[x\]/gm);
  const done = new Set([...marked].map(([, number]) => Number(number)));
  for (const { person } of exchanges) {
    for (const number of finishedSteps(person))
      done.add(number || (findCurrent(done)?.number ?? 0));
    for (const number of reopenedSteps(person)) done.delete(number);
  }
  return done;
}

/** The first open step after the furthest that is done, else the first open one; null where none is. */
function findCurrent(done: ReadonlySet<number>): TopicStep | null {
  const open = STEPS.filter(({ number }) => !done.has(number));
  const furthest = STEPS.findLast(({ number }) => done.has(number))?.number ?? 0;
  return open.find(({ number }) => number > furthest) ?? open[0] ?? null;
}

const NUMBERED = Object.fromEntries(STEPS.map((step) => [step.number, step]));

/** Says which steps are left behind, and what comes next: what is done now, code has said. */
function describeProgress(finished: readonly number[], before: ReadonlySet<number>): string[] {
  const named = finished.map((number) => number || (findCurrent(before)?.number ?? 0));
  const done = new Set([...before, ...named.filter((number) => number in NUMBERED)]);
  const sentences = named
    .filter((number) => !(number in NUMBERED))
    .map(
      (number) =>
        `The plan has ${STEPS.length} steps; there is no step ${number}, so nothing was recorded for it.`,
    );
  const current = findCurrent(done);
  if (current === null) return [...sentences, "Every step is done: the plan is carried out."];
  const left = STEPS.filter(({ number }) => number < current.number && !done.has(number));
  sentences.push(...left.map(({ number }) => `Step ${number} is still open.`));
  return [
    sentences.join(" "),
    "Next is this:",
    describeStep(current),
    "When do you begin with it?",
  ];
}

/** Says what a step asks for, and how it is done. */
function describeStep(step: TopicStep): string {
  return [
    `**Step ${step.number}: ${step.title}**`,
    describeTask(step),
    listPoints(step.actions),
    `Watch out: ${lowerFirst(inline(step.pitfall))}.`,
    `Done when: ${step.doneWhen}.`,
  ].join("\n");
}

function listPoints(points: readonly string[]): string {
  return points.map((point) => `- ${inline(point)}.`).join("\n");
}
