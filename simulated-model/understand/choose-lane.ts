import { HEADINGS } from "../../prompts/headings.ts";
import { EMPTY_ADVICE, type GivenUnderstandAnswer, type Lane } from "../../state/understanding.ts";
import {
  BEGINS_AS_COMMAND,
  dropsPlan,
  findBlocker,
  finishedSteps,
  isReady,
  readStepWishes,
  reopenedSteps,
} from "../concierge/read-person.ts";
import { isTopicQuestion } from "../concierge/topic.ts";
import { readMessage } from "../language/read-message.ts";
import { isTalk, type Reading } from "../language/request.ts";
import { type ParsedPrompt, readFenced } from "../prompt/read-prompt.ts";
import type { Scene } from "../prompt/scene.ts";

type Extras = NonNullable<GivenUnderstandAnswer["extras"]>;

/** The lane of a message, and its relation to the concierge's journey. */
interface Way extends Pick<Extras, "advice"> {
  readonly lane: Lane;
}

const ABOUT_PLAN =
  /\bwhat(?:'s| is)? (?:now|next)\b|\bhow many steps\b|\b(?:done|finished) with (?:all|everything)\b|\bsteps? (?:\d+|one|two|three)\b|\b(?:first|second|third|next|last) step\b|\bwhere (?:are|were) we\b/i;

/** The words with which code says how to go back to a journey, and others for it. */
const BACK_TO =
  /^\W*(?:let'?s )?(?:(?:go |get )?back to|(?:talk|speak) about(?=.* again\W*$)) (.+?)(?: again)?\W*$/iu;

/** Words that the explorer suggests: as a command they would show the planned meals. */
const ASKS_FOR_PLAN = /\bgive me (?:a|the) plan\b/i;

/** Chooses the lane of a message, and how it stands to the journey that is under way. */
export function chooseLane(prompt: ParsedPrompt, scene: Scene, reading: Reading): Way {
  const { section } = prompt;
  const fixed = /\b(Nothing|Everything) needs `advise`/.exec(section(HEADINGS.rules))?.[1];
  const { message, pending, lastReply } = scene;
  const phase = readFenced("data", section(HEADINGS.phase)).trim();
  const back = BACK_TO.exec(message)?.[1];
  const isElsewhere = section(HEADINGS.journeys) !== "" || reading.kind === "unknown";
  if (back !== undefined && isElsewhere && (phase !== "" || section(HEADINGS.journeys) !== "")) {
    return {
      lane: "concierge",
      advice: { ...EMPTY_ADVICE, journey: "resume", journeyTo: back },
    };
  }
  const question = readFenced("data", section(HEADINGS.conciergeAsked)).trim();
  const isOpen = phase !== "";
  const hasPlan = readStepLines(phase).length > 0;
  const isTopic = isTopicQuestion(message);
  const isAnswer =
    isOpen && pending === null && question !== "" && lastReply.includes(question.slice(-30));
  // Half a command is no talk: it is refused, not answered by the concierge.
  const talks =
    reading.kind === "understood"
      ? reading.request.clauses.every((clause) => isTalk(clause) && clause.kind !== "report")
      : !BEGINS_AS_COMMAND.test(message);
  const isUnknown = (part: string): boolean =>
    readMessage(part, scene.lexicon).kind === "unknown" || ASKS_FOR_PLAN.test(part);
  // The person may have had something else done since the explorer spoke.
  const concerns = (part: string): boolean =>
    isTopicQuestion(part) ||
    (isOpen && dropsPlan(part)) ||
    (hasPlan
      ? finishedSteps(part).length > 0 || findBlocker(part) !== null || ABOUT_PLAN.test(part)
      : isOpen && isReady(part) && isUnknown(part));
  const isTask = (part: string): boolean => !concerns(part) && asksForWork(part, scene);
  const conciergePart = fixed === undefined ? findConciergePart(message, concerns, isTask) : null;
  if (conciergePart !== null) {
    const inner = readMessage(conciergePart, scene.lexicon);
    const { advice } = chooseLane(prompt, { ...scene, message: conciergePart }, inner);
    if (advice !== null) return { lane: "task", advice: { ...advice, conciergePart } };
  }
  const advises = concerns(message) || (isAnswer && talks);
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

const CUTS = /(?:(?<=[.!?;])\s+|,\s*|\s+(?=(?:and|also|then)\s))(?:(?:and|also|then)\s+)*/giu;

/** Finds the one half of a message that is the concierge's, where the other is the task's; null for any other message. */
function findConciergePart(
  message: string,
  concerns: (part: string) => boolean,
  isTask: (part: string) => boolean,
): string | null {
  const isWork = message.split(CUTS).map(isTask);
  const halves = [...message.matchAll(CUTS)].flatMap(({ 0: cut, index }, at) => {
    const [first, last] = [message.slice(0, index), message.slice(index + cut.length)];
    return [
      { part: first, rest: last, isMixed: isWork.slice(0, at + 1).includes(true) },
      { part: last, rest: first, isMixed: isWork.slice(at + 1).includes(true) },
    ];
  });
  return (
    halves.find(({ part, rest, isMixed }) => !isMixed && concerns(part) && isTask(rest))?.part ??
    null
  );
}

/** Kinds of clauses that are certainly meant for what is stored. */
const WORK: ReadonlySet<string> = new Set("add remove clear mark change plan show".split(" "));

/** Tells whether a part of a message is a command; half a one is refused by the task lane. */
function asksForWork(part: string, { lexicon }: Scene): boolean {
  const reading = readMessage(part, lexicon);
  return reading.kind === "understood"
    ? reading.request.hasVerb && reading.request.clauses.every(({ kind }) => WORK.has(kind))
    : BEGINS_AS_COMMAND.test(part);
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
  const current = readStepLines(phase).find(([, , status]) => status === "current")?.[1];
  return readStepWishes(message).flatMap(({ kind, steps, beside, isBefore, text }) => {
    const named = steps.flatMap((number) => ids[number - 1] ?? []);
    const wanted = kind === "focus" ? named.filter((id) => id !== current) : named;
    const others = ids.filter((id) => !wanted.includes(id));
    const found = beside === null ? -1 : others.indexOf(ids[beside - 1] ?? "");
    if (beside !== null && found === -1) return [];
    const after = isBefore ? (others[found - 1] ?? "start") : (others[found] ?? null);
    return wanted.map((step) => ({ kind, step, after, text, words: message }));
  });
}

function markStep(kind: "done" | "open", step: string, words: string) {
  return { kind, step, after: null, text: null, words };
}
