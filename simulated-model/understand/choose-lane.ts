import { HEADINGS } from "../../prompts/headings.ts";
import { EMPTY_ADVICE, type GivenUnderstandAnswer, type Lane } from "../../state/understanding.ts";
import {
  dropsPlan,
  findBlocker,
  finishedSteps,
  isReady,
  readStepWishes,
  reopenedSteps,
} from "../concierge/read-person.ts";
import { isTopicQuestion } from "../concierge/topic.ts";
import { isTalk, type Reading } from "../language/request.ts";
import { type ParsedPrompt, readFenced } from "../prompt/read-prompt.ts";
import type { Scene } from "../prompt/scene.ts";

type Extras = NonNullable<GivenUnderstandAnswer["extras"]>;

/** The lane of a message, and its relation to the concierge's journey. */
interface Way extends Pick<Extras, "advice"> {
  readonly lane: Lane;
}

const ABOUT_PLAN =
  /\bwhat(?:'s| is)? (?:now|next)\b|\bsteps? (?:\d+|one|two|three)\b|\b(?:first|second|third|next|last) step\b|\bwhere (?:are|were) we\b/i;

const BEGINS_AS_COMMAND =
  /^\W*(?:(?:please|can you|could you|also|and) )*(?:add|put|remove|delete|show|list|clear|mark|plan|buy|take)\b/i;

/** The words with which code says how to go back to a journey. */
const BACK_TO = /^\W*(?:go )?back to (.+?)\W*$/iu;

/** Words that the explorer suggests: as a command they would show the planned meals. */
const ASKS_FOR_PLAN = /\bgive me (?:a|the) plan\b/i;

/** Chooses the lane of a message, and how it stands to the journey that is under way. */
export function chooseLane({ section }: ParsedPrompt, scene: Scene, reading: Reading): Way {
  const fixed = /\b(Nothing|Everything) needs `advise`/.exec(section(HEADINGS.rules))?.[1];
  const { message, pending, lastReply } = scene;
  const phase = readFenced("data", section(HEADINGS.phase)).trim();
  const back = BACK_TO.exec(message)?.[1];
  if (back !== undefined && section(HEADINGS.journeys) !== "") {
    return {
      lane: "concierge",
      advice: { ...EMPTY_ADVICE, journey: "resume", journeyTo: back },
    };
  }
  const question = readFenced("data", section(HEADINGS.conciergeAsked)).trim();
  const isOpen = phase !== "";
  const hasPlan = readStepLines(phase).length > 0;
  const isTopic = isTopicQuestion(message);
  const isAboutPlan =
    finishedSteps(message).length > 0 || findBlocker(message) !== null || ABOUT_PLAN.test(message);
  const isAnswer =
    isOpen && pending === null && question !== "" && lastReply.includes(question.slice(-30));
  // Half a command is no talk: it is refused, not answered by the concierge.
  const talks =
    reading.kind === "understood"
      ? reading.request.clauses.every((clause) => isTalk(clause) && clause.kind !== "report")
      : !BEGINS_AS_COMMAND.test(message);
  // The person may have had something else done since the explorer spoke.
  const wantsPlan =
    isOpen &&
    !hasPlan &&
    isReady(message) &&
    (reading.kind === "unknown" || ASKS_FOR_PLAN.test(message));
  const advises =
    isTopic ||
    wantsPlan ||
    (isOpen && dropsPlan(message)) ||
    (hasPlan && isAboutPlan) ||
    (isAnswer && talks);
  if (fixed === "Nothing" || (fixed === undefined && !advises))
    return { lane: "task", advice: null };
  const isOver = phase.includes("The plan is complete");
  const reopens = hasPlan && !isOver && dropsPlan(message);
  // Small talk opens no question.
  const isNew = isOpen ? isOver && isTopic : reading.kind !== "understood" || !talks;
  const journey = isNew ? "new" : reopens ? "reopen" : "continue";
  const planActions = [...readMarks(message, phase), ...readWishes(message, phase)];
  const asksForPlan = hasPlan ? null : (ASKS_FOR_PLAN.exec(message)?.[0] ?? null);
  return { lane: "concierge", advice: { ...EMPTY_ADVICE, journey, planActions, asksForPlan } };
}

type Advice = NonNullable<Extras["advice"]>;

/** Reads the plan's steps, in the order in which people count them: the id, and the status where one is shown. */
function readStepLines(phase: string) {
  return [...phase.matchAll(/^\d+\. .* \((step_\d+)(?: (\w+))?\)$/gm)];
}

/** The steps that the message says are done, and those that it takes up again. */
function readMarks(message: string, phase: string): Advice["planActions"] {
  const steps = readStepLines(phase);
  const findStep = (number: number): string[] => {
    // "That is done" speaks of the step they are on.
    const step =
      number === 0 ? steps.find(([, , status]) => status === "current") : steps[number - 1];
    return step?.[1] === undefined ? [] : [step[1]];
  };
  const complete = new Set(steps.filter(([, , status]) => status === "done").map(([, id]) => id));
  const reopened = reopenedSteps(message)
    .flatMap(findStep)
    .filter((id) => complete.has(id));
  const done = finishedSteps(message)
    .flatMap(findStep)
    .filter((id) => !reopened.includes(id));
  return [
    ...done.map((step) => markStep("done", step, message)),
    ...reopened.map((step) => markStep("open", step, message)),
  ];
}

/** The steps that the message wants out of the plan, skipped, or at another place. */
function readWishes(message: string, phase: string): Advice["planActions"] {
  const ids = readStepLines(phase).flatMap(([, id]) => id ?? []);
  return readStepWishes(message).flatMap(({ kind, steps, beside, isBefore }) => {
    const wanted = steps.flatMap((number) => ids[number - 1] ?? []);
    const others = ids.filter((id) => !wanted.includes(id));
    const found = beside === null ? -1 : others.indexOf(ids[beside - 1] ?? "");
    if (beside !== null && found === -1) return [];
    const after = isBefore ? (others[found - 1] ?? "start") : (others[found] ?? null);
    return wanted.map((step) => ({ kind, step, after, text: null, words: message }));
  });
}

function markStep(kind: "done" | "open", step: string, words: string) {
  return { kind, step, after: null, text: null, words };
}
