import type { Advice, View } from "../advice/advice.ts";
import { opinionsOn, stepNamed, topicOf } from "../advice/consult.ts";
import type { Answer } from "../answer.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { isUnderstood } from "./read-person.ts";
import { asSentence, inline, mirrored, shortened } from "./sayings.ts";

/** Gives one expert's judgement: an opinion, the steps of a plan, or help with a step. */
export function adviseAsExpert(prompt: ParsedPrompt, advice: Advice): Answer {
  const request = prompt.thread.findLast(({ role }) => role === "user")?.text ?? "";
  const task = labelledLine(request, "Task");
  const view = viewOf(prompt.section("Your View"));
  const ask = { request, task: task === "" ? request : task, view, advice };
  if (/\bstep\b/i.test(task) && /\b(?:carry|carrying|carried|help|stuck|do)\b/i.test(task)) {
    return text(helpWithStep(ask));
  }
  if (/\b(?:plan|steps|workflow)\b/i.test(task)) return text(planFor(ask));
  return text(opinionOn(ask));
}

interface Ask {
  readonly request: string;
  /** The task's line; the whole request where it has none. */
  readonly task: string;
  readonly view: View;
  readonly advice: Advice;
}

function text(lines: readonly string[]): Answer {
  return { kind: "text", text: lines.join("\n") };
}

/** Words of a lens by which it is known; the craft is what is left. */
const LENSES: readonly (readonly [View, RegExp])[] = [
  ["cost", /\b(?:money|costs?|price|hours|budget|afford|expensive|takes)\b/gi],
  ["risk", /\b(?:risks?|wrong|fails?|danger|undone|guard|worst case|safe\w*)\b/gi],
  ["person", /\b(?:person|user|live with|worst day|wear\w*|feel\w*|wants?|customer|family)\b/gi],
  ["craft", /\b(?:practice|practical|living|craft|trade|expert|done|beginners?)\b/gi],
];

function viewOf(lens: string): View {
  const counted = LENSES.map(([view, words]) => ({ view, count: lens.match(words)?.length ?? 0 }));
  const most = Math.max(...counted.map(({ count }) => count));
  return most === 0 ? "craft" : (counted.find(({ count }) => count === most)?.view ?? "craft");
}

function opinionOn({ request, view, advice }: Ask): string[] {
  if (!isUnderstood(request)) {
    return ["I do not know what is asked here."];
  }
  return opinionsOn(request, { view, advice });
}

/** The steps are common knowledge; each view adds what it looks at. */
function planFor({ request, task, view, advice }: Ask): string[] {
  const { steps } = topicOf(task, advice);
  const limits = contextOf(request, /^(?:constraints?|limits?)\b/i);
  return [
    ...steps.map(
      ({ title, description, time, doneWhen }, index) =>
        `Step ${index + 1}: ${title} (${time}) — ${description} Done when: ${doneWhen}.`,
    ),
    ...(limits.length === 0
      ? []
      : [`Every step has to fit this: ${shortened(limits.join("; "), 150)}.`]),
    ...steps.flatMap(({ pitfall }, index) =>
      VIEWS[index % VIEWS.length] === view ? [`Watch out: ${pitfall}`] : [],
    ),
  ];
}

const VIEWS: readonly View[] = ["risk", "cost", "person", "craft"];

function helpWithStep({ request, task, view, advice }: Ask): string[] {
  const known = stepNamed(task, advice);
  const blocker = labelledLine(request, "Blocker") || contextOf(request, /^blocker\b/i)[0] || "";
  const limits = contextOf(request, /^(?:constraints?|limits?)\b/i);
  const title = inline(/“([^”]+)”|"([^"]+)"/.exec(task)?.slice(1).find(Boolean) ?? "this step");
  return [
    ...(blocker === ""
      ? []
      : [
          `Because of this: ${shortened(inline(blocker), 120)}, do half of the step now and the rest on another day.`,
          ...(view === "risk" ? ["Find out first what exactly stops you, in one sentence."] : []),
        ]),
    ...(known?.actions ?? [
      `Set a fixed hour for ${shortened(title, 80)} and begin with the part that others wait for.`,
      "Do the smallest version first and look at the result before you go on.",
    ]),
    ...(limits[0] === undefined
      ? []
      : [`Keep within this: ${shortened(mirrored(limits[0]), 120)}.`]),
    ...(view === "risk" || view === "person"
      ? [`Watch out: ${known?.pitfall ?? "a step that is too large is put off."}`]
      : []),
    asSentence(`Done when: ${known?.doneWhen ?? "you can show the result to somebody"}`),
  ];
}

/** What stands behind a label at the beginning of a line: "Task: …", "**Task** — …"; empty for none. */
function labelledLine(request: string, label: string): string {
  const line = new RegExp(`^[\\s#>*\\d.-]*${label}\\b\\**\\s*[:—–-]?\\**\\s*(.+)$`, "im").exec(
    request,
  );
  return inline(line?.[1] ?? "");
}

/** The context's bullets whose label fits, without it. */
function contextOf(request: string, label: RegExp): string[] {
  return request.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = BULLET.exec(line) ?? [];
    return label.test(name) ? [inline(value)] : [];
  });
}

const BULLET = /^\s*[-*•]\s+\**([\w ]{1,40}?)\**\s*:\**\s*(.+)$/;
