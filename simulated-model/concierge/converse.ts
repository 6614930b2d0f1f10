import { renderExecutionBlock, renderIntentHandover } from "../../control-blocks/render.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { ExecutionHandover } from "../../state/handover.ts";
import type { Answer } from "../answer.ts";
import { joinParagraphs, lowerFirst, quoteWords } from "../phrase.ts";
import { NO_ADVICE } from "../plan/sentences.ts";
import { readFenced, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { speakAsExecutor } from "./executor.ts";
import { type Instance, readInstance } from "./instance.ts";
import { inline, readBrief, readItems, readNoteLabel } from "./read-notes.ts";
import { isReady, readLimits } from "./read-person.ts";
import { isTopicQuestion, TASKS, TOPIC } from "./topic.ts";

const SPEAKERS = { starter: speakAsStarter, explorer: speakAsExplorer, executor: speakAsExecutor };

/** Speaks as the concierge that the transcript's first prompt describes. */
export function converse(prompt: ParsedPrompt): Answer {
  const instance = readInstance(prompt);
  return { kind: "text", text: joinParagraphs(SPEAKERS[instance.phase](instance)) };
}

/** Answers the demonstrated question from its brief, and hands over when it is asked to. */
function speakAsStarter(instance: Instance): string[] {
  const { first, wrapper, exchanges, message } = instance;
  const query = readFenced("message", first(HEADINGS.query)) || (exchanges[0]?.person ?? message);
  const { core, tensions, gaps } = readBrief(first(HEADINGS.openingBrief));
  const points = core.length > 0 ? core : TOPIC.question.claims.map(({ text }) => inline(text));
  const question = gaps[0] === undefined ? "What would you give up last?" : `${gaps[0]}?`;
  const isTopic = isTopicQuestion(query);
  if (exchanges.length === 0) {
    const advice = `Here is what I would do. ${points.slice(0, 3).join(". ")}.`;
    const unchecked = core.length > 0 ? "" : "This is general knowledge, not more.";
    const [tension = ""] = tensions.map((each) => `Two things pull against each other. ${each}.`);
    return isTopic ? [advice, unchecked, tension, question] : [NO_ADVICE];
  }
  const begin = `Thank you, that helps. I would begin here: ${lowerFirst(points[0] ?? "")}.`;
  const answer = isTopic ? [begin, question] : [NO_ADVICE];
  if (!wrapper.includes("<<<HANDOVER>>>")) return answer;
  const handover = renderIntentHandover({
    shape: /^shape: ([a-z]+)$/m.exec(wrapper)?.[1]?.replace(/^null$/, "") ?? "",
    keyFindings: core.slice(0, 4),
    tensions: tensions.slice(0, 3),
    gaps: gaps.slice(0, 3),
    userQuery: inline(query),
    starterResponse: inline(exchanges[0]?.concierge ?? "").slice(0, 200),
    userReply: inline(message),
    impliedGoal: isTopic ? TOPIC.goal : "Find what would help",
    revealedConstraints: listLimits([], [query, ...listMessages(instance).slice(1)]),
    acceptedFraming: "Answered with the facts of their own situation",
    resistedFraming: null,
    unpromptedReveals: [],
    stillUnclear: gaps.length > 0 ? gaps.slice(0, 2) : ["what weighs most"],
    effectiveStance: "explore",
  });
  return [...answer, handover];
}

/** Explores with the person, and asks for the plan once they show that they are ready. */
function speakAsExplorer(instance: Instance): string[] {
  const { first, message, wrapper, exchanges } = instance;
  const handover = readHandover(instance);
  const asked = readNoteLabel(first(HEADINGS.exchange), "They asked");
  if (!isTopicQuestion(asked) && handover.goal !== TOPIC.goal) return [NO_ADVICE];
  const isOwed = /\bblock could not be read\b/.test(wrapper);
  const block = renderExecutionBlock({ handover, prompt: writePlanPrompt(handover) });
  // "Write the block again … and nothing else": the person sees nothing of it.
  if (isOwed && message === "") return [block];
  if (isReady(message) || (isOwed && isReady(exchanges.at(-1)?.person ?? ""))) {
    const limits = quoteWords(handover.constraints.slice(0, 3));
    const kept = limits === "" ? "" : `, and it keeps to what you told me: ${limits}`;
    return [`Good. I put the plan together now${kept}.`, block];
  }
  return [TOPIC.exploring[exchanges.length] ?? TOPIC.exploring.at(-1) ?? ""];
}

function readHandover(instance: Instance): ExecutionHandover {
  const { first } = instance;
  const read = first(HEADINGS.read);
  return {
    goal: readNoteLabel(read, "Goal") || TOPIC.goal,
    problemSummary:
      "Takeout on weeknights costs more than it should, and evenings lack the time to cook.",
    situation: inline(readNoteLabel(first(HEADINGS.exchange), "They replied")).slice(0, 240),
    constraints: listLimits(readItems(read, "Constraints"), listMessages(instance)),
    priorities: [],
    decisionsMade: [],
    openQuestions: readItems(read, "Unclear").slice(0, 2),
    explorationHighlights: [],
  };
}

function listMessages({ exchanges, message }: Instance): string[] {
  return [...exchanges.map(({ person }) => person), message];
}

/** Limits that are known, and those that messages name, each once. */
function listLimits(known: readonly string[], messages: readonly string[]): string[] {
  const limits = [...known, ...messages.flatMap(readLimits)].map(inline);
  return [...new Set(limits)].filter((limit) => limit !== "").slice(0, 10);
}

/** Writes what the experts are asked: they see nothing else. */
function writePlanPrompt({ goal, situation, constraints }: ExecutionHandover): string {
  return [
    "Role: You are a practitioner with fifteen years of experience in family kitchens.",
    `Task: ${TASKS.plan}`,
    "Context:",
    `- Goal: ${goal}`,
    ...(situation === "" ? [] : [`- Situation: ${situation}`]),
    ...constraints.map((limit) => `- Constraint: ${limit}`),
    'Output: Numbered steps, each with a title, what to do, a time and "Done when: …"; then the pitfalls.',
    "Quality: Specific before generic, actions before concepts, decisions before options.",
  ].join("\n");
}
