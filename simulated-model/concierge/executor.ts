import { HEADINGS } from "../../prompts/headings.ts";
import { fill, lowerFirst, quoteWords } from "../phrase.ts";
import type { Instance } from "./instance.ts";
import { describeTask, inline, listLimits, readItems, renderNotedLimits } from "./read-notes.ts";
import { findBlocker, finishedSteps, readStepWishes } from "./read-person.ts";
import { STEPS, TASKS, TOPIC, type TopicStep } from "./topic.ts";

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance): string[] {
  const { first, now, message, exchanges } = instance;
  if (first(HEADINGS.task) !== "" && exchanges.length === 0) return writePlan(instance);
  const steps = listShownSteps(instance);
  const current = steps.find(({ mark }) => mark === ">") ?? null;
  const finished = finishedSteps(message);
  // What has become of the plan is said by code.
  const isChanged = now(HEADINGS.changedJustNow) !== "";
  if (now(HEADINGS.stepBrief) !== "" && current !== null && finished.length === 0) {
    const question = "Are you ready to start, or what would you like to adjust?";
    return [isChanged ? "" : answerShortly(message), describeStep(current), question];
  }
  const named = [...finished, ...readStepWishes(message).flatMap((wish) => wish.steps)];
  if (named.length > 0 || isChanged) return describeProgress(named, steps);
  if (now(HEADINGS.stepHelpBrief) !== "") {
    const points = listPoints(TOPIC.help.claims.map(({ text }) => text));
    return [`For what held you up:\n${points}`, "Which of these do you try first?"];
  }
  const blocker = findBlocker(message);
  if (blocker !== null) {
    const { title } = current ?? { title: TOPIC.goal };
    return [fill(TOPIC.held_up, { step: title }), askExperts(title, blocker, instance)];
  }
  const number = Number(/\bstep (\d+)\b/i.exec(message)?.[1]);
  const asked = steps.find((step) => step.number === number);
  const isReport = /\b(?:done|did|finished|completed?)\b/i.test(message) && !message.includes("?");
  const report = isReport
    ? "I recorded nothing as done. To record a step, say “step 1 is done”."
    : "";
  if (asked !== undefined) return [report, describeStep(asked)];
  if (/\b(?:plan|steps?|where (?:are|were) we|next|now)\b/i.test(message)) {
    const lines = steps.map(
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

/** A step with its place and its mark: `x` done, `>` current, `-` skipped, a space open. */
interface ShownStep extends TopicStep {
  readonly mark: string;
}

/** The steps as the plan was shown last; as they were written where it was not. */
function listShownSteps({ plan }: Instance): readonly ShownStep[] {
  const lines = plan.matchAll(/^(\d+)\. \[(.)\] \*\*(.+?)\*\*/gm);
  const shown = [...lines].flatMap(([, number, mark = "", title]) => {
    const step = STEPS.find((each) => each.title === title);
    return step === undefined ? [] : [markStep(step, mark, Number(number))];
  });
  if (shown.length > 0) return shown;
  return STEPS.map((step, index) => markStep(step, index === 0 ? ">" : " "));
}

function markStep(step: TopicStep, mark: string, number = step.number): ShownStep {
  return { ...step, mark, number };
}

/** Says which steps are left behind, and what comes next: what has changed, code has said. */
function describeProgress(named: readonly number[], steps: readonly ShownStep[]): string[] {
  const sentences = named
    .filter((number) => number > steps.length)
    .map(
      (number) =>
        `The plan has ${steps.length} steps; there is no step ${number}, so nothing was recorded for it.`,
    );
  const current = steps.find(({ mark }) => mark === ">");
  if (current === undefined)
    return [...sentences, "No step is left open: the plan is carried out."];
  const left = steps.filter(({ number, mark }) => number < current.number && mark === " ");
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
