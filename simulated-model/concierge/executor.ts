import { HEADINGS } from "../../prompts/headings.ts";
import { fill, lowerFirst, quoteWords } from "../phrase.ts";
import { asksAdvice } from "../plan/sentences.ts";
import type { Instance } from "./instance.ts";
import { describeTask, inline, listLimits, readItems, renderNotedLimits } from "./read-notes.ts";
import {
  findBlocker,
  finishedSteps,
  isReady,
  listUnread,
  readStepWishes,
  reopenedSteps,
  REPORTS,
} from "./read-person.ts";
import { STEPS, TASKS, TOPIC, type TopicStep } from "./topic.ts";

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance): string[] {
  const { first, now, message, exchanges } = instance;
  if (first(HEADINGS.task) !== "" && exchanges.length === 0) return writePlan(instance);
  const steps = listShownSteps(instance);
  const current = steps.find(({ mark }) => mark === ">") ?? null;
  const finished = finishedSteps(message);
  const report =
    REPORTS.test(message) && !message.includes("?")
      ? "I recorded nothing as done. To record a step, say “step 1 is done”."
      : "";
  // What has become of the plan is said by code.
  const isChanged = now(HEADINGS.changedJustNow) !== "";
  const unread = listUnread(message);
  const refusal =
    unread.length === 0
      ? ""
      : `I did not understand ${quoteWords(unread)}, so nothing ${isChanged ? "else " : ""}was changed.`;
  const answer = isChanged ? null : answerQuestion(message, steps);
  if (answer !== null) return [refusal, answer];
  const place = `The step you are on is Step ${current?.number}: ${current?.title}.`;
  if (refusal !== "" && !isChanged && finished.length === 0)
    return [refusal, current === null ? "" : place];
  if (now(HEADINGS.stepBrief) !== "" && current !== null && finished.length === 0) {
    const question = "Are you ready to start, or what would you like to adjust?";
    return [
      refusal || (isChanged ? "" : report || answerShortly(message)),
      describeStep(current),
      question,
    ];
  }
  const named = [...finished, ...readStepWishes(message).flatMap((wish) => wish.steps)];
  if (named.length > 0 || isChanged) return [refusal, ...describeProgress(named, steps)];
  if (now(HEADINGS.stepHelpBrief) !== "") {
    const points = listPoints(TOPIC.help.claims.map(({ text }) => text));
    return [report, `For what held you up:\n${points}`, "Which of these do you try first?"];
  }
  const blocker = findBlocker(message);
  if (blocker !== null) {
    const { title } = current ?? { title: TOPIC.goal };
    return [fill(TOPIC.held_up, { step: title }), askExperts(title, blocker, instance)];
  }
  const asked = findAsked(message, steps);
  if (asked !== undefined && !asksAdvice(message)) return [report, describeStep(asked)];
  if (
    asked === undefined &&
    /\b(?:plan|steps?|where (?:are|were) we|back to|next|now)\b/i.test(message)
  ) {
    const lines = steps.map(
      (step) => `${step.number}. ${step.title}${step === current ? " ← you are here" : ""}`,
    );
    return [report, `This is the plan:\n${lines.join("\n")}`];
  }
  return [report || answerShortly(message), current === null ? "" : place];
}

/** The step that a message names, or the one behind it. */
function findAsked(message: string, steps: readonly ShownStep[]): ShownStep | undefined {
  const [, behind, number] = /(\bafter )?\bstep (\d+)\b/i.exec(message) ?? [];
  return steps.find((step) => step.number === Number(number) + (behind === undefined ? 0 : 1));
}

const MARKS: Readonly<Record<string, string>> = { x: "done", "-": "skipped" };

/** Answers what is asked about the steps; null where nothing is that the plan shows. */
function answerQuestion(message: string, steps: readonly ShownStep[]): string | null {
  const asked = findAsked(message, steps);
  if (/\bhow many steps\b/i.test(message)) {
    const open = steps.filter(({ mark }) => !(mark in MARKS)).length;
    return `The plan has ${steps.length} steps; ${open} of them ${open === 1 ? "is" : "are"} still open.`;
  }
  if (asked === undefined) return null;
  const status = `Step ${asked.number} is ${MARKS[asked.mark] ?? "not done yet"}`;
  if (/^\W*(?:is|was) step \d+ \w+\W*$/i.test(message)) return `${status}.`;
  if (reopenedSteps(message).includes(asked.number)) return `${status}, so nothing was changed.`;
  return /^\W*(?:what|how|show|tell|explain|describe)\b/i.test(message)
    ? describeStep(asked)
    : null;
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
    message === "" || isReady(message) ? "" : answerShortly(message),
    `Here is the plan.${limits === "" ? "" : ` You told me: ${limits}. Without a language model I cannot fit the steps to that, so check them against it.`}`,
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
    /^(?:yes|ok|okay|sure|(?:that )?looks? good|sounds? good|great|fine|perfect|good|ready|let'?s (?:do|go|start|begin|try))\b/i;
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
    return step === undefined ? [] : [{ ...step, mark, number: Number(number) }];
  });
  if (shown.length > 0) return shown;
  return STEPS.map((step, index) => Object.assign({}, step, { mark: index === 0 ? ">" : " " }));
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
