import { renderExecutionBlock } from "../../../signals/render.ts";
import type { ExecutionHandover } from "../../../state/handover.ts";
import type { Instance } from "./instance.ts";
import { personLimits } from "./person-limits.ts";
import { readLabel } from "./read-notes.ts";
import {
  decisionsOf,
  isReady,
  isUnderstood,
  limitsOf,
  prioritiesOf,
  revealsOf,
  unquoted,
} from "./read-person.ts";
import {
  asSentence,
  contentStems,
  inline,
  lowered,
  mirrored,
  sharedStems,
  shortened,
} from "./sayings.ts";
import { heard, paragraphs } from "./starter.ts";

/** Explores with the person, and asks for a plan once they show that they are ready. */
export function speakAsExplorer(instance: Instance): string {
  const notes = readIntent(instance);
  const said = unquoted(instance.message);
  const owed = /\bblock could not be read\b/.test(instance.wrapper);
  // "Write the block again … and nothing else": the person sees nothing of it.
  if (owed && instance.message === "" && notes.goal !== "") return planBlock(instance, notes);
  if (notes.goal !== "" && (isReady(said) || (owed && wasReady(instance)))) {
    const answer = readyAnswer(instance, executionOf(instance, notes));
    return `${answer}\n\n${planBlock(instance, notes)}`;
  }
  return explore(instance, { notes, said });
}

function planBlock(instance: Instance, notes: Intent): string {
  const handover = executionOf(instance, notes);
  return renderExecutionBlock({ handover, prompt: planPrompt(handover) });
}

function wasReady({ exchanges }: Instance): boolean {
  return isReady(exchanges.at(-1)?.person ?? "");
}

/** What the explorer was handed, as its first prompt shows it. */
interface Intent {
  readonly findings: readonly string[];
  readonly tensions: readonly string[];
  readonly gaps: readonly string[];
  readonly asked: string;
  readonly responded: string;
  readonly replied: string;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly resisted: string;
  readonly volunteered: readonly string[];
  readonly unclear: readonly string[];
}

function readIntent({ first }: Instance): Intent {
  const learned = first("What Was Learned");
  const exchange = first("The Exchange So Far");
  const read = first("Your Read");
  return {
    findings: readLabel(learned, "Key findings").items,
    tensions: readLabel(learned, "Tensions").items,
    gaps: readLabel(learned, "Gaps").items,
    asked: readLabel(exchange, "They asked").text,
    responded: readLabel(exchange, "You responded").text,
    replied: readLabel(exchange, "They replied").text,
    goal: readLabel(read, "Goal").text,
    constraints: readLabel(read, "Constraints").items,
    resisted: readLabel(read, "Resisted").text,
    volunteered: readLabel(read, "Volunteered").items,
    unclear: readLabel(read, "Unclear").items,
  };
}

interface Exploring {
  readonly notes: Intent;
  readonly said: string;
}

/** Says back what was heard, names what it costs, and asks one open question. */
function explore(instance: Instance, { notes, said }: Exploring): string {
  if (!isUnderstood(said)) {
    return paragraphs([
      heard(instance).join(" "),
      `I did not understand that. ${nextQuestion(instance, notes)}`,
    ]);
  }
  return paragraphs([
    [...heard(instance), ...reflection(instance, { notes, said })].join(" "),
    tradeoffLine(instance, { notes, said }),
    // Once is enough: what it has said, its thread keeps.
    instance.exchanges.length === 0 ? personLimits(instance, `${notes.asked} ${notes.goal}`) : "",
    /\bexplor/i.test(instance.wrapper) ? nextQuestion(instance, notes) : "",
  ]);
}

function reflection({ exchanges }: Instance, { notes, said }: Exploring): string[] {
  const wantsPicture =
    /\b(?:what (?:would|does|could|might|will)|how (?:would|does|could|do|will)|like what|for example|an example)\b/i;
  const wish = /\b(?:can|could|may|might) (?:we|i) (?:please )?([^?.!]{3,120})/i.exec(said)?.[1];
  if (wish !== undefined) return [`So: ${shortened(lowered(mirrored(wish)), 240)}.`];
  if (wantsPicture.test(said) || said.endsWith("?")) {
    // "What would that look like?" points at what was spoken of before.
    const about = `${exchanges.at(-1)?.person ?? ""} ${said}`;
    const fitting = fittingOf(notes.findings, about);
    const frame = notes.constraints.slice(0, 2).map(mirrored).join("; ");
    return [
      fitting === ""
        ? "I have no picture of that yet."
        : `It could look like this: ${lowered(inline(fitting))}.`,
      ...(frame === "" ? [] : [`It would have to hold with this: ${lowered(frame)}.`]),
    ];
  }
  if (objectionIn(said) !== null) return ["I hear two things in that."];
  const limits = limitsOf(said).map(mirrored);
  const heardWords = limits.length > 0 ? limits.join("; ") : mirrored(said);
  return [`So: ${shortened(lowered(heardWords), 240)}.`];
}

/** The finding that has most to do with what was said; else the first. */
function fittingOf(findings: readonly string[], said: string): string {
  const stems = contentStems(said);
  return (
    findings.toSorted(
      (a, b) => sharedStems(contentStems(b), stems) - sharedStems(contentStems(a), stems),
    )[0] ?? ""
  );
}

function tradeoffLine({ exchanges }: Instance, { notes, said }: Exploring): string {
  const divided = objectionIn(said);
  if (divided !== null) {
    const [wish, objection] = divided.map((part) => lowered(mirrored(part)));
    return `The tradeoff is in your own words: ${wish}; against it, ${objection}.`;
  }
  const { tensions } = notes;
  const tension = tensions[exchanges.length % Math.max(1, tensions.length)];
  if (tension !== undefined) return `The tradeoff I see: ${inline(sides(tension))}.`;
  const [limit] = notes.constraints;
  return limit === undefined
    ? "The tradeoff I see: what saves effort now mostly costs freedom later."
    : `The tradeoff I see: the more strictly this holds (${inline(mirrored(limit))}), the less room there is for a bad day.`;
}

/** "A. — against: B. (why)" as one sentence. */
function sides(tension: string): string {
  const [one = "", other] = tension.split(/ — (?:against|costs): /);
  return other === undefined
    ? tension
    : `“${inline(one)}” against “${inline(other.replace(/ \([^()]*\)$/, ""))}”`;
}

/** The two sides of "…, but …"; null where there are none. */
function objectionIn(said: string): readonly [string, string] | null {
  const [, wish, objection] = /^(.{8,300}?),?\s+but\s+(.{4,})$/is.exec(inline(said)) ?? [];
  return wish === undefined || objection === undefined ? null : [wish, objection];
}

const STALLED =
  "Nothing new is coming up. Mostly that means the question is answered, or the decision is being put off. What would tip it for you?";

/** An open question that has not been asked yet. */
function nextQuestion({ exchanges }: Instance, { unclear, gaps }: Intent): string {
  const asked = exchanges.map(({ concierge }) => concierge).join("\n");
  const questions = [
    ...[...new Set([...unclear, ...gaps])].map(
      (open) => `What can you tell me about this: ${lowered(inline(open))}?`,
    ),
    "What would you not give up at any price?",
    "On which day would this break first, and why?",
    "What would have to happen for you to change your mind?",
  ];
  return questions.find((question) => !asked.includes(question)) ?? STALLED;
}

function executionOf({ exchanges, message }: Instance, notes: Intent): ExecutionHandover {
  const said = [...exchanges.map(({ person }) => person), message].map(unquoted);
  const all = said.join(". ");
  const constraints = [...notes.constraints, ...limitsOf(all)];
  const volunteered = [...notes.volunteered, ...revealsOf(all)];
  const priorities = [...prioritiesOf(notes.replied), ...prioritiesOf(all)];
  return {
    goal: goalWith(notes.goal, message),
    problemSummary: [
      asSentence(mirrored(notes.asked)),
      asSentence(mirrored(notes.replied)),
      notes.resisted === "" ? "" : `What does not fit: ${inline(mirrored(notes.resisted))}.`,
    ]
      .filter((text) => text !== "")
      .join(" "),
    situation: shortened(volunteered.slice(0, 3).map(mirrored).join("; "), 240),
    constraints: distinct(constraints).slice(0, 10),
    priorities: distinct(priorities).slice(0, 4),
    decisionsMade: distinct(decisionsOf(all)).slice(0, 5),
    openQuestions: notes.unclear.slice(0, 2),
    explorationHighlights: distinct(
      said.slice(0, -1).map((text) => shortened(mirrored(text), 120)),
    ).slice(-4),
  };
}

/** "Make me a plan for prepping" says more exactly what the plan is for. */
function goalWith(goal: string, message: string): string {
  const [, what] = /\bplan (?:for|to|about) ([^.!?,;]{3,80})/i.exec(unquoted(message)) ?? [];
  return what === undefined ? inline(goal) : `${inline(goal)} (${mirrored(what)})`;
}

function distinct(items: readonly string[]): string[] {
  const seen = new Map(items.map((item) => [inline(item).toLowerCase(), inline(item)]));
  return [...seen.values()].filter((item) => item !== "");
}

function readyAnswer(instance: Instance, { goal, constraints }: ExecutionHandover): string {
  const kept = constraints.slice(0, 3).map(mirrored).join("; ");
  return paragraphs([
    heard(instance).join(" "),
    kept === ""
      ? "Good. I put the plan together now."
      : `Good. I put the plan together now, and it keeps to this: ${lowered(kept)}.`,
    `What it is for: ${lowered(mirrored(goal))}.`,
  ]);
}

/** What the experts are asked: they see nothing else. */
function planPrompt(handover: ExecutionHandover): string {
  const { goal, situation, constraints, priorities, decisionsMade, openQuestions } = handover;
  return [
    `Role: You are a practitioner with fifteen years of experience in exactly this: ${lowered(goal)}.`,
    `Task: Write the plan, in steps, for this goal: ${goal}.`,
    "Context:",
    ...labelled("Situation", [situation]),
    ...labelled("Constraint", constraints),
    ...labelled("Priority", priorities),
    ...labelled("Decided", decisionsMade),
    ...labelled("Open", openQuestions),
    'Output: Numbered steps, each with a title, what to do, a time and "Done when: …"; then the pitfalls.',
    "Quality: Specific before generic, actions before concepts, decisions before options.",
  ].join("\n");
}

function labelled(label: string, items: readonly string[]): string[] {
  return items.filter((item) => item !== "").map((item) => `- ${label}: ${item}`);
}
