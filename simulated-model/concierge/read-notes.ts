import { HEADINGS } from "../../prompts/headings.ts";
import { neutralise } from "../../text/fence.ts";
import { type Answer, answerValue } from "../answer.ts";
import { type ParsedPrompt, readBullets } from "../prompt/read-prompt.ts";
import { readLimits } from "./read-person.ts";
import { STEPS, type TopicStep } from "./topic.ts";

/** A text for a sentence: on one line, no end mark, nothing that could open a block. */
export function inline(text: string): string {
  return neutralise(text.replace(/[\s\p{Cc}]+/gu, " ").trim()).replace(/[\s.!?;:,]+$/, "");
}

/** The parts of a brief, in its words. Total: a missing part is empty. */
export interface Brief {
  readonly core: readonly string[];
  readonly tensions: readonly string[];
  readonly gaps: readonly string[];
}

/** Takes a brief apart; what it says about a claim or a tension is left out. */
export function readBrief(brief: string): Brief {
  const read = (title: string, remark: RegExp): string[] => {
    const [, part = ""] = brief.split(new RegExp(`^### ${title}\n`, "m"));
    const [own = ""] = part.split(/^### /m);
    return readBullets(own).map((line) => inline(line.replace(remark, "")));
  };
  return {
    core: read("Core claims", / \((?:contested|said by few|a guess)[^()]*\)$/),
    tensions: read("Tensions and tradeoffs", /: [^“”]*$/),
    gaps: read("Gaps", /$/),
  };
}

/** Reads `**Label:** text`; empty where there is nothing. */
export function readNoteLabel(section: string, label: string): string {
  const [, text = ""] = new RegExp(`^(?:- )?\\*\\*${label}:\\*\\* *(.*)$`, "m").exec(section) ?? [];
  const isNothing = /^(?:not (?:clear|known)|nothing(?: yet)?|none(?: yet| named| identified)?)$/i;
  return isNothing.test(text) ? "" : text.replace(/^"(.*)"$/, "$1");
}

/** Reads the bullets below `**Label:**`. */
export function readItems(section: string, label: string): string[] {
  const [, below = ""] =
    new RegExp(`^(?:- )?\\*\\*${label}:\\*\\*.*\n((?: *- (?!\\*\\*).*(?:\n|$))*)`, "m").exec(
      section,
    ) ?? [];
  return [...below.matchAll(/^ *- (.*)$/gm)].map(([, item = ""]) => item.trim());
}

/** A step's task and the time that it takes. */
export function describeTask({ description, time }: TopicStep): string {
  return `${inline(description)} (${time}).`;
}

/** Reads the steps out of a plan. */
export function extractSteps({ section }: ParsedPrompt): Answer {
  const named = STEPS.filter(({ title }) => section(HEADINGS.plan).includes(title));
  const steps = named.map((step) => {
    return { title: step.title, description: describeTask(step), doneWhen: step.doneWhen };
  });
  return answerValue({ goal: inline(section(HEADINGS.goal)) || "Carry out the plan", steps });
}

/** Brings the notes of an exploration up to date: of the messages since, only the limits are new. */
export function patchNotes({ section }: ParsedPrompt): Answer {
  const notes = section(HEADINGS.notes).toLowerCase();
  const said = section(HEADINGS.messagesSince).matchAll(
    /^Person:\n<said>\n([\s\S]*?)\n?<\/said>$/gm,
  );
  const limits = new Set([...said].flatMap(([, body = ""]) => readLimits(body)).map(inline));
  const fresh = [...limits].filter((limit) => !notes.includes(limit.toLowerCase()));
  return answerValue({
    keyFindings: [],
    tensions: [],
    gaps: [],
    unpromptedReveals: [],
    stillUnclear: [],
    noLongerHolds: [],
    impliedGoal: null,
    acceptedFraming: null,
    resistedFraming: null,
    effectiveStance: null,
    revealedConstraints: fresh.slice(-8),
  });
}
