import { HEADINGS, planHeading } from "../../prompts/headings.ts";
import { type ParsedPrompt, readFenced, readSections } from "../prompt/read-prompt.ts";
import { withoutQuotes } from "./read-person.ts";

/** One instance of a concierge, as its transcript shows it. */
export interface Instance {
  readonly phase: "starter" | "explorer" | "executor";
  /** Returns a section of the first prompt. */
  readonly first: (heading: string) => string;
  /** Returns a section of the last prompt. */
  readonly now: (heading: string) => string;
  /** The plan as it was shown last; empty where it was not. */
  readonly plan: string;
  /** The request of the last prompt, without the person's words. */
  readonly wrapper: string;
  /** The person's words, without what they quote; empty where they wrote nothing. */
  readonly message: string;
  /** Earlier exchanges, oldest first. */
  readonly exchanges: readonly { readonly person: string; readonly concierge: string }[];
}

const PLAN_NOW = planHeading(1).replace(/ \d+$/u, "");
const PREFACE = new RegExp(
  `^(?:What was done meanwhile:|Said before |## (?:${HEADINGS.changedJustNow}|${PLAN_NOW}))`,
);
const FENCED = /^<message>\n([\s\S]*?)\n?<\/message>$/gm;

/** Takes a concierge's transcript apart: its first prompt, the exchanges, the present prompt. */
export function readInstance({ transcript, section }: ParsedPrompt): Instance {
  const prompts = transcript.filter(({ role }) => role === "user").map(({ text }) => text);
  const last = prompts.at(-1) ?? "";
  const [, ownPart] = /^The concierge's part: ["“](.*)["”]\. It is yours;/m.exec(last) ?? [];
  const sections = readSections(last);
  const answered = readFenced("answer", section(HEADINGS.answered));
  const question = readFenced("message", section(HEADINGS.query));
  // A rebuilt instance repeats the question that was answered before it.
  const earlier =
    answered === "" || prompts.length > 1
      ? []
      : [{ person: withoutQuotes(question), concierge: answered }];
  const exchanges = transcript.flatMap(({ role, text }, index) => {
    const before = transcript[index - 1];
    if (role !== "assistant" || before === undefined) return [];
    return [
      {
        person: readMessage(before.text, index > 1),
        concierge: text.split("<<<")[0]?.trim() ?? "",
      },
    ];
  });
  const isExecutor =
    section(HEADINGS.capabilities) !== "" || /\bworkflow\b/.test(section(HEADINGS.task));
  return {
    phase: section(HEADINGS.role) !== "" ? "explorer" : isExecutor ? "executor" : "starter",
    first: section,
    now: (heading) => sections.get(heading) ?? "",
    plan:
      prompts
        .flatMap((prompt) => [...readSections(prompt)])
        .findLast(([heading]) => heading.startsWith(PLAN_NOW))?.[1] ?? section(HEADINGS.activePlan),
    wrapper: last.replaceAll(FENCED, ""),
    message: last.startsWith("Your block ")
      ? ""
      : ownPart === undefined
        ? readMessage(last, prompts.length > 1)
        : withoutQuotes(ownPart),
    exchanges: [...earlier, ...exchanges],
  };
}

/** The person's words in a prompt: the last that are delimited, else all of a message that was passed on as it is. */
function readMessage(prompt: string, isLater: boolean): string {
  const fenced = [...prompt.matchAll(FENCED)].map(([, body = ""]) => body);
  const [preface = "", ...passed] = prompt.split("\n---\n\n");
  const hasPreface = PREFACE.test(preface);
  if (hasPreface && passed.length > 0 && !/^<message>$/m.test(passed.join()))
    return withoutQuotes(passed.join("\n---\n\n"));
  return withoutQuotes(fenced.at(-1) ?? (isLater ? prompt : ""));
}
