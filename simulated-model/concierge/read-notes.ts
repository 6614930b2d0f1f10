import { HEADINGS } from "../../prompts/headings.ts";
import { neutralise } from "../../text/fence.ts";
import { type Answer, answerValue } from "../answer.ts";
import { type ParsedPrompt, readBullets, readFenced } from "../prompt/read-prompt.ts";
import { readLimits } from "./read-person.ts";

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

/** Takes a brief apart. */
export function readBrief(text: string): Brief {
  const bullets = (title: string): string[] =>
    readBullets(
      new RegExp(`^### ${title}\\n([\\s\\S]*?)(?=^### |$(?![\\s\\S]))`, "m").exec(text)?.[1] ?? "",
    );
  return {
    core: bullets("Core claims").map((line) =>
      inline(line.replace(/ \((?:contested|said by few|a guess)[^()]*\)$/, "")),
    ),
    tensions: bullets("Tensions and tradeoffs").map((line) =>
      inline(line.replace(/: [^“”]*$/, "")),
    ),
    gaps: bullets("Gaps").map(inline),
  };
}

/** Reads `**Label:** text`, and the bullets below it; empty where there is nothing. */
export function readLabel(
  section: string,
  label: string,
): { readonly text: string; readonly items: string[] } {
  const lines = section.split("\n");
  const at = lines.findIndex((line) => line.replace(/^- /, "").startsWith(`**${label}:**`));
  const text = (lines[at] ?? "").replace(/^.*?:\*\*\s*/, "").replace(/^"(.*)"$/s, "$1");
  const rest = at === -1 ? [] : lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s*- (?!\*\*)/.test(line));
  const items = rest
    .slice(0, end === -1 ? rest.length : end)
    .map((line) => line.replace(/^\s*- /, "").trim());
  const isNothing =
    /^(?:not (?:clear|known)|nothing(?: yet)?|none(?: yet| named| identified)?)$/i.test(text);
  return { text: isNothing ? "" : text, items };
}

/** A numbered step as a plan writes it. */
export interface PlanStep {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly doneWhen: string;
  readonly done: boolean;
}

const STEP = /^\s*(\d{1,2})[.)]\s+(\[[ x]\]\s+)?\**(.+?)\**(?:\s+[—–-]+\s+(.*)|\s*:\s+(.*)|)$/;

/** The numbered steps of a plan, in order. Total. */
export function readSteps(plan: string): PlanStep[] {
  const steps: PlanStep[] = [];
  for (const line of plan.split("\n")) {
    const [, number, mark = "", title = "", afterDash, afterColon = ""] =
      STEP.exec(line.slice(0, 600)) ?? [];
    const [, doneWhen] = /^\s*(?:[-*]\s*)?[_*]*done when:?[_*]*:?\s*(.+?)[_*]*$/i.exec(line) ?? [];
    const last = steps.at(-1);
    if (number !== undefined) {
      const body = (afterDash ?? afterColon).replace(/\s*← current step$/, "");
      const [description = "", within = ""] = body.split(/\s*\(?\bdone when:\s*/i);
      const texts = { title: inline(title.replaceAll("**", "")), description: description.trim() };
      steps.push({
        number: Number(number),
        ...texts,
        doneWhen: inline(within.replace(/\)$/, "")),
        done: mark.includes("x"),
      });
    } else if (doneWhen !== undefined && last !== undefined) {
      steps[steps.length - 1] = { ...last, doneWhen: inline(doneWhen) };
    }
  }
  return steps;
}

/** Reads the steps out of a plan. */
export function extractSteps({ section }: ParsedPrompt): Answer {
  const found = readSteps(readFenced("plan", section(HEADINGS.plan)));
  const steps = found.map(({ title, description, doneWhen }) => ({ title, description, doneWhen }));
  return answerValue({ goal: inline(section(HEADINGS.goal)) || "Carry out the plan", steps });
}

/** Brings the notes of an exploration up to date: of the messages since, only the limits are new. */
export function patchNotes({ section }: ParsedPrompt): Answer {
  const notes = section(HEADINGS.notes).toLowerCase();
  const messages = section(HEADINGS.messagesSince).matchAll(
    /^Person:\n<said>\n([\s\S]*?)\n?<\/said>$/gm,
  );
  const limits = [...messages].flatMap(([, body = ""]) => readLimits(body)).map(inline);
  const fresh = [...new Set(limits)].filter((limit) => !notes.includes(limit.toLowerCase()));
  const lists = {
    keyFindings: [],
    tensions: [],
    gaps: [],
    unpromptedReveals: [],
    stillUnclear: [],
    noLongerHolds: [],
  };
  const readings = {
    impliedGoal: null,
    acceptedFraming: null,
    resistedFraming: null,
    effectiveStance: null,
  };
  return answerValue({ ...lists, ...readings, revealedConstraints: fresh.slice(-8) });
}
