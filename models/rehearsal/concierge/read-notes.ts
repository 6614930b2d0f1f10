import { inline } from "./sayings.ts";

/** A brief taken apart, in its words. */
export interface Brief {
  /** Whether there is one at all. */
  readonly given: boolean;
  readonly core: readonly string[];
  readonly tensions: readonly string[];
  readonly gaps: readonly string[];
  /** The question that would help most; empty where none stands there. */
  readonly question: string;
}

/** Takes a brief apart. Total: what is not there is empty. */
export function readBrief(text: string): Brief {
  const parts = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((part) => {
        const [title = "", ...lines] = part.split("\n");
        return [title.trim().toLowerCase(), lines] as const;
      }),
  );
  const bullets = (title: string): string[] =>
    (parts.get(title) ?? []).filter((line) => line.startsWith("- ")).map((line) => line.slice(2));
  const asked = (parts.get("transfer") ?? []).find((line) => line.startsWith("Ask"));
  return {
    given: parts.size > 0,
    core: bullets("core claims").map((line) => line.replace(NOTE, "")),
    tensions: bullets("tensions and tradeoffs").map((line) => line.replace(/: [^“”]*$/, "")),
    gaps: bullets("gaps").map(inline),
    question: asked === undefined ? "" : asked.replace(/^Ask[^:]*:\s*/, "").trim(),
  };
}

const NOTE = / \((?:contested|said by few|a guess)(?:, (?:contested|said by few|a guess))*\)$/;

/** What stands behind a bold label: one text, or the bullets below it. */
interface Labelled {
  readonly text: string;
  readonly items: readonly string[];
}

/** Reads `**Label:** text` and `**Label:**` with bullets; empty where there is nothing. */
export function readLabel(section: string, label: string): Labelled {
  const lines = section.split("\n");
  const at = lines.findIndex((line) => line.replace(/^- /, "").startsWith(`**${label}:**`));
  if (at === -1) return { text: "", items: [] };
  const text = (lines[at] ?? "").replace(/^.*?:\*\*\s*/, "").replace(/^"(.*)"$/s, "$1");
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s*- (?!\*\*)/.test(line));
  const items = rest
    .slice(0, end === -1 ? rest.length : end)
    .map((line) => line.replace(/^\s*- /, "").trim());
  return { text: NOTHING.test(text) ? "" : text, items };
}

const NOTHING = /^(?:not (?:clear|known)|nothing(?: yet)?|none(?: yet| named| identified)?)$/i;

/** A numbered step as a plan writes it. */
export interface PlanStep {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly doneWhen: string;
  readonly done: boolean;
}

const STEP_LINE = /^\s*(\d{1,2})[.)]\s+(\[[ x]\]\s+)?\**(.+?)\**(?:\s+[—–-]+\s+(.*)|\s*:\s+(.*)|)$/;

/** The numbered steps of a plan, in order. Total. */
export function readSteps(plan: string): PlanStep[] {
  const steps: PlanStep[] = [];
  for (const line of plan.split("\n")) {
    const found = STEP_LINE.exec(line.slice(0, 600));
    const last = steps.at(-1);
    const done = /^\s*(?:[-*]\s*)?[_*]*done when:?[_*]*:?\s*(.+?)[_*]*$/i.exec(line)?.[1];
    if (found !== null) steps.push(stepOf(found));
    else if (done !== undefined && last !== undefined) {
      steps[steps.length - 1] = { ...last, doneWhen: inline(done) };
    }
  }
  return steps;
}

function stepOf(found: RegExpExecArray): PlanStep {
  const [, number = "", mark = "", title = "", afterDash, afterColon] = found;
  const body = (afterDash ?? afterColon ?? "").replace(/\s*← current step$/, "");
  const [description = "", doneWhen = ""] = body.split(/\s*\(?\bdone when:\s*/i);
  return {
    number: Number(number),
    title: inline(title.replaceAll("**", "")),
    description: description.trim(),
    doneWhen: inline(doneWhen.replace(/\)$/, "")),
    done: mark.includes("x"),
  };
}
