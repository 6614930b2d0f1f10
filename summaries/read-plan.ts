import type { PlannedPlan, PlannedStep } from "../state/journey-plan.ts";
import { oneLine } from "../text/fence.ts";

const STEP = /^\s{0,3}(?:#{1,6}\s+)?(?:\*\*)?(?:step\s+)?(\d{1,2})[.):]\s*(.+)$/i;
const HEADING = /^\s{0,3}#{1,6}\s+(.+)$/;
const FIELDS = [
  ["doneWhen", /^\s*(?:[-*]\s+)?\**done when\**\s*:?\**\s*(.+)$/i],
  [
    "time",
    /^\s*(?:[-*]\s+)?\**(?:time|duration|takes)(?: (?:estimate|needed))?\**\s*:\**\s*(.+)$/i,
  ],
  ["pitfall", /^\s*(?:[-*]\s+)?\**(?:avoid|pitfalls?|watch out(?: for)?)\**\s*:\**\s*(.+)$/i],
] as const;
/** Brackets at the end of a title, or at the beginning of what follows it. */
const TITLE_BRACKETS = /^([^()]+)\(([^()]*)\)$/;
const LEADING_BRACKETS = /^\(([^()]*)\)[\s—–:,-]*(.*)$/;
const DURATION = /\d.*\b(?:min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?)\b/i;

/** A step of which lines are still read. */
interface StepRead {
  words: PlannedStep;
  readonly description: string[];
}

/**
 * Reads the numbered steps of a plan written as text: title, what follows it, its heading, time, what to
 * avoid, and "Done when". Their relations and decisions are not read. Linear, total, English.
 */
export function readPlan(plan: string): PlannedPlan {
  const steps: StepRead[] = [];
  let phase = "";
  for (const line of plan.split("\n")) {
    const [, , head] = STEP.exec(line) ?? [];
    const current = steps.at(-1);
    if (head !== undefined) {
      const { title, rest } = splitHead(head);
      const words = { title, description: "", doneWhen: "", phase, time: "", pitfall: "" };
      steps.push({ words, description: rest === "" ? [] : [rest] });
      continue;
    }
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading !== undefined) phase = plain(heading);
    if (current === undefined || line.trim() === "" || /^\s*#/.test(line)) continue;
    const field = readField(line);
    if (field !== null) current.words = { ...current.words, ...field };
    // What is indented belongs to the step; what stands at the margin is the plan's again.
    else if (/^\s/.test(line)) current.description.push(plain(line));
  }
  return {
    goal: "",
    steps: steps.map(finishStep),
    decisions: [],
  };
}

function finishStep({ words, description }: StepRead): PlannedPlan["steps"][number] {
  return {
    ...takeEstimate({ ...words, description: description.join(" ") }),
    restsOnSteps: [],
    restsOnDecisions: [],
    restsOnMade: [],
  };
}

function readField(line: string): Partial<PlannedStep> | null {
  for (const [name, pattern] of FIELDS) {
    const [, text] = pattern.exec(line) ?? [];
    if (text !== undefined) return { [name]: plain(text) };
  }
  return null;
}

/** Takes the time out of the brackets behind the title, where no line of its own names it. */
function takeEstimate(words: PlannedStep): PlannedStep {
  if (words.time !== "") return words;
  const [, title = "", afterTitle = ""] = TITLE_BRACKETS.exec(words.title) ?? [];
  if (DURATION.test(afterTitle)) return { ...words, title: title.trim(), time: afterTitle };
  const [, leading = "", description = ""] = LEADING_BRACKETS.exec(words.description) ?? [];
  return DURATION.test(leading) ? { ...words, description, time: leading } : words;
}

/** `**Title** — what to do` or `Title: what to do`. */
function splitHead(head: string): { readonly title: string; readonly rest: string } {
  const [, bold, after] = /^\**([^*]+)\*\*\s*[—–:-]*\s*(.*)$/.exec(head) ?? [];
  if (bold !== undefined) return { title: plain(bold), rest: plain(after ?? "") };
  const cut = head.search(/\s[—–]\s|:\s/);
  if (cut < 0) return { title: plain(head), rest: "" };
  return {
    title: plain(head.slice(0, cut)),
    rest: plain(head.slice(cut).replace(/^\s*[—–:]\s*/, "")),
  };
}

function plain(text: string): string {
  return oneLine(text.replaceAll("**", "").replace(/^\s*[-*]\s+/, ""));
}
