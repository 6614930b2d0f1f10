import { HEADINGS } from "../../prompts/headings.ts";
import type { Answer } from "../answer.ts";
import { fill, joinParagraphs, quoteWords } from "../phrase.ts";
import { NO_ADVICE } from "../plan/sentences.ts";
import { readFenced, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { speakAsExecutor } from "./executor.ts";
import { type Instance, readInstance } from "./instance.ts";
import { inline, listLimits, readItems, renderNotedLimits } from "./read-notes.ts";
import { isReady } from "./read-person.ts";
import { isTopicQuestion, TASKS, TOPIC } from "./topic.ts";

const SPEAKERS = { starter: speakAsStarter, explorer: speakAsExplorer, executor: speakAsExecutor };

/** Speaks as the concierge that the transcript's first prompt describes. */
export function converse(prompt: ParsedPrompt): Answer {
  const instance = readInstance(prompt);
  return { kind: "text", text: joinParagraphs(SPEAKERS[instance.phase](instance)) };
}

/** Answers the demonstrated question, and hands over when it is asked to. */
function speakAsStarter({ first, wrapper, exchanges, message }: Instance): string[] {
  const query = readFenced("message", first(HEADINGS.query)) || (exchanges[0]?.person ?? message);
  const isTopic = isTopicQuestion(query);
  if (!wrapper.includes("<<<HANDOVER>>>")) {
    const isUnchecked = isTopic && first(HEADINGS.openingBrief) === "" && exchanges.length === 0;
    const advice = exchanges.length === 0 ? TOPIC.opening : TOPIC.taking_up;
    return [
      isTopic ? advice.trim() : NO_ADVICE,
      isUnchecked ? "This is general knowledge, not more." : "",
    ];
  }
  const later = exchanges.slice(1).map(({ person }) => person);
  const limits = listLimits([], [query, ...later, message]);
  const handover = fill(TOPIC.handover, {
    shape: /^shape: ([a-z]+)$/m.exec(wrapper)?.[1] ?? "null",
    query: JSON.stringify(inline(query)),
    reply: JSON.stringify(inline(message)),
    goal: isTopic ? TOPIC.goal : "Find what would help",
    listed: JSON.stringify(limits),
  });
  return [isTopic ? TOPIC.taking_up.trim() : NO_ADVICE, handover];
}

/** Explores with the person, and asks for the plan once they show that they are ready. */
function speakAsExplorer({ first, message, wrapper, exchanges }: Instance): string[] {
  const read = first(HEADINGS.read);
  // Where the plan is asked for at once, the handover is of code, in the person's words.
  if (!read.includes(TOPIC.goal) && !isTopicQuestion(read)) return [NO_ADVICE];
  const messages = [...exchanges.map(({ person }) => person), message];
  const limits = listLimits(readItems(read, "Constraints"), messages);
  const block = fill(TOPIC.workflow, {
    listed: JSON.stringify(limits),
    limits: renderNotedLimits(limits),
    task: TASKS.plan,
  });
  const isOwed = /^Your block\b/m.test(wrapper);
  // "Write the block again … and nothing else": the person sees nothing of it.
  if (isOwed && message === "") return [block];
  if (isReady(message) || (isOwed && isReady(exchanges.at(-1)?.person ?? ""))) {
    const quoted = quoteWords(limits.slice(0, 3));
    const kept = quoted === "" ? "" : `. You told me: ${quoted}`;
    return [fill(TOPIC.triggering, { kept }), block];
  }
  return [TOPIC.exploring[exchanges.length] ?? TOPIC.exploring.at(-1) ?? ""];
}
