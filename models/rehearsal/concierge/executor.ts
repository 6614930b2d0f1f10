import { renderStepHelpBlock } from "../../../signals/render.ts";
import type { Advice } from "../advice/advice.ts";
import { opinionsOn, stepNamed, topicOf } from "../advice/consult.ts";
import type { Instance } from "./instance.ts";
import { personLimits } from "./person-limits.ts";
import { type Brief, type PlanStep, readBrief, readLabel, readSteps } from "./read-notes.ts";
import { linesOf } from "../prompt/read-prompt.ts";
import { blockerOf, doneSteps, isUnderstood, plainly, unquoted } from "./read-person.ts";
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

/** Writes the plan, then helps the person to carry it out. */
export function speakAsExecutor(instance: Instance, advice: Advice): string {
  const facts: Facts = { ...readUser(instance), advice };
  const makesPlan = instance.first("Your Task") !== "" && instance.exchanges.length === 0;
  if (makesPlan) return synthesis(instance, facts);
  const steps = stepsOf(instance);
  if (instance.now("Step 1 Expert Guidance") !== "") {
    return presentation(instance, { facts, steps });
  }
  return helping(instance, { facts, steps });
}

/** What the first prompt says of the person and what they want. */
interface User {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly priorities: readonly string[];
  readonly decided: readonly string[];
}

interface Facts extends User {
  readonly advice: Advice;
}

function readUser({ first }: Instance): User {
  const user = first("The User");
  return {
    goal: readLabel(`${first("The Problem")}\n${first("The Goal")}`, "Goal").text,
    constraints: readLabel(user, "Constraints").items,
    priorities: readLabel(user, "Priorities").items,
    decided: readLabel(user, "Decided").items,
  };
}

/** A step as the plan is to say it. */
type DraftStep = Pick<PlanStep, "title" | "description" | "doneWhen"> & { readonly time: string };

const MOST_STEPS = 6;

function synthesis(instance: Instance, facts: Facts): string {
  const brief = readBrief(instance.first("What the Experts Proposed"));
  const steps = draftSteps(brief, facts);
  const kept = [...facts.constraints, ...facts.decided].map(mirrored);
  const pitfalls = brief.core.filter((point) => point.startsWith("Watch out: "));
  const half = Math.ceil(steps.length / 2);
  const written = (from: number, to: number): string =>
    steps
      .slice(from, to)
      .map((step, index) => stepText(step, from + index + 1))
      .join("\n");
  const plan = paragraphs([
    heard(instance).join(" "),
    instance.message === "" ? "" : answerTo(instance, facts),
    facts.goal === ""
      ? "Here is the plan."
      : `Here is the plan, for this: ${lowered(inline(mirrored(facts.goal)))}.`,
    kept.length === 0 ? "" : `It keeps to this: ${shortened(lowered(kept.join("; ")), 300)}.`,
    personLimits(instance, facts.goal),
    `### Prepare\n\n${written(0, half)}`,
    steps.length > half ? `### Carry it out\n\n${written(half, steps.length)}` : "",
    pitfalls.length === 0
      ? ""
      : pitfalls
          .slice(0, 2)
          .map((point) => `- ${inline(point)}.`)
          .join("\n"),
    brief.given ? "" : "This plan comes from general knowledge alone.",
    "What would you like to adjust, or shall we begin with Step 1?",
  ]);
  const [step] = steps;
  if (step === undefined || !/\bblock\b/.test(instance.wrapper)) return plan;
  return `${plan}\n\n${stepHelp(step.title, { facts, blocker: null })}`;
}

function stepText({ title, description, time, doneWhen }: DraftStep, number: number): string {
  const during = time === "" ? "" : ` (${time})`;
  const done = doneWhen === "" ? "" : `\n   Done when: ${inline(doneWhen)}.`;
  return `${number}. **${inline(title)}** — ${asSentence(description).slice(0, -1)}${during}.${done}`;
}

/** From what was proposed; where no step was, from each point; without points, from general knowledge. */
function draftSteps(brief: Brief, { goal, advice }: Facts): DraftStep[] {
  const proposed = brief.core.flatMap(proposedStep).toSorted((a, b) => a.number - b.number);
  const distinct = proposed.filter(
    ({ title }, index) => proposed.findIndex((other) => other.title === title) === index,
  );
  if (distinct.length >= 2) return distinct.slice(0, MOST_STEPS);
  const points = brief.core.filter((point) => !/^(?:Watch out|Every step)\b/.test(point));
  if (points.length >= 2) {
    return points.slice(0, MOST_STEPS).map((point) => ({
      title: titleOf(point),
      description: point,
      time: "",
      doneWhen: "it has been done once and noted",
    }));
  }
  return topicOf(goal, advice).steps.slice(0, MOST_STEPS);
}

function titleOf(point: string): string {
  return inline(point).split(/\s+/).slice(0, 6).join(" ");
}

function proposedStep(point: string): (DraftStep & { readonly number: number })[] {
  const found =
    /^Step (\d+): (.{2,100}?)(?: \(([^()]{1,40})\))?(?: [—–-]+ |: |\. )(.*?)(?:\s*Done when: (.*))?$/.exec(
      point,
    );
  if (found === null) return [];
  const [, number = "", title = "", time = "", description = "", doneWhen = ""] = found;
  return [{ number: Number(number), title, time, description, doneWhen: inline(doneWhen) }];
}

/** What the experts are asked about a step: they see nothing else. */
function stepHelp(
  step: string,
  { facts, blocker }: { readonly facts: Facts; readonly blocker: string | null },
): string {
  const limits = facts.constraints.map(inline);
  return renderStepHelpBlock({
    step: inline(step),
    blocker,
    context: limits.length === 0 ? inline(facts.goal) : limits.join("; "),
    prompt: [
      "Role: You are a practitioner who has done this very step many times.",
      `Task: Help with carrying out the step “${inline(step)}”: what exactly to do.`,
      "Context:",
      `- Goal: ${inline(facts.goal)}`,
      ...(blocker === null ? [] : [`- Blocker: ${inline(blocker)}`]),
      ...limits.map((limit) => `- Constraint: ${limit}`),
      ...facts.priorities.map((priority) => `- Priority: ${inline(priority)}`),
      "Output: Concrete actions in order, what to watch out for, how to know that it is done.",
      "Quality: Specific before generic, actions before concepts, decisions before options.",
    ].join("\n"),
  });
}

/** The plan as it was told in this instance; at a roll-over as the first prompt shows it. */
function stepsOf({ first, exchanges }: Instance): readonly PlanStep[] {
  const told = exchanges.map(({ concierge }) => readSteps(concierge));
  return told.find((steps) => steps.length > 1) ?? readSteps(first("The Workflow"));
}

interface Helping {
  readonly facts: Facts;
  readonly steps: readonly PlanStep[];
}

function presentation(instance: Instance, { facts, steps }: Helping): string {
  const brief = readBrief(instance.now("Step 1 Expert Guidance"));
  const [step] = steps;
  if (doneSteps(unquoted(instance.message)).includes(1)) {
    const lead = heard(instance).join(" ");
    return paragraphs([lead, afterStep(currentStep(instance, steps), { facts, steps })]);
  }
  return paragraphs([
    [...heard(instance), answerTo(instance, facts)].join(" "),
    step === undefined ? "" : stepInDepth(step, { brief, advice: facts.advice }),
    brief.given ? "" : "I have no closer guidance on Step 1 yet; this is from general knowledge.",
    "Are you ready to start, or what would you like to adjust?",
  ]);
}

function stepInDepth(
  step: PlanStep,
  { brief, advice }: { readonly brief: Brief; readonly advice: Advice },
): string {
  const known = stepNamed(step.title, advice);
  const points = brief.core.length > 0 ? brief.core : (known?.actions ?? []);
  const actions = points.filter((point) => !/^(?:Watch out|Done when)\b/.test(point));
  const warned = points.find((point) => point.startsWith("Watch out: "));
  const pitfall = warned?.slice("Watch out: ".length) ?? known?.pitfall ?? "";
  return [
    `**Step ${step.number}: ${step.title}**`,
    ...(step.description === "" ? [] : [asSentence(step.description)]),
    ...actions.slice(0, 5).map((action) => `- ${asSentence(action)}`),
    ...(pitfall === "" ? [] : [`Watch out: ${lowered(inline(pitfall))}.`]),
    ...(step.doneWhen === "" ? [] : [`Done when: ${step.doneWhen}.`]),
  ].join("\n");
}

function helping(instance: Instance, { facts, steps }: Helping): string {
  const said = unquoted(instance.message);
  const lead = heard(instance).join(" ");
  const brief = readBrief(instance.now("What the Experts Said"));
  const current = currentStep(instance, steps);
  if (brief.given) {
    const points = brief.core.slice(0, 4).map((point) => `- ${asSentence(point)}`);
    return paragraphs([
      [lead, answerTo(instance, facts)].filter(Boolean).join(" "),
      `For what held you up:\n${points.join("\n")}`,
      "Which of these do you try first?",
    ]);
  }
  if (doneSteps(said).length > 0) return paragraphs([lead, afterStep(current, { facts, steps })]);
  const last = linesOf(instance.first("What Happened Last")).at(-1)?.replace(/^- /, "") ?? "";
  if (last !== "" && RECALLS.test(plainly(said))) {
    return paragraphs([
      [lead, `Last there was this: ${lowered(inline(last))}.`].filter(Boolean).join(" "),
      current === null ? "" : `The step you are on is Step ${current.number}: ${current.title}.`,
    ]);
  }
  const blocker = blockerOf(said);
  if (blocker !== null && instance.message !== "") {
    const step = current ?? steps.at(-1);
    const answer = paragraphs([
      lead,
      `That is a real obstacle: ${shortened(lowered(mirrored(blocker)), 160)}. Do the smallest part of ${step === undefined ? "the step" : `“${step.title}”`} today and leave the rest; I look into it and come back to it with your next message.`,
    ]);
    return `${answer}\n\n${stepHelp(step?.title ?? facts.goal, { facts, blocker })}`;
  }
  if (/\b(?:plan|steps?|where are we|what now|what next|next)\b/i.test(said) && steps.length > 0) {
    return paragraphs([lead, whereWeAre(instance, { current, steps, facts })]);
  }
  return paragraphs([
    [lead, answerTo(instance, facts)].filter(Boolean).join(" "),
    current === null ? "" : `The step you are on is Step ${current.number}: ${current.title}.`,
  ]);
}

const RECALLS =
  /\b(?:what (?:did|have|were) we|where (?:did|were) we|what (?:did|have) (?:you|i) (?:say|said|do|done)|remind me|what was (?:the )?last)\b/;

/** The first step that nobody said was done, in this instance or before it. */
function currentStep(
  { exchanges, message }: Instance,
  steps: readonly PlanStep[],
): PlanStep | null {
  const done = new Set(steps.filter((step) => step.done).map(({ number }) => number));
  for (const text of [...exchanges.map(({ person }) => person), unquoted(message)]) {
    for (const number of doneSteps(text)) {
      const next = steps.find((step) => !done.has(step.number))?.number;
      if (number > 0) done.add(number);
      else if (next !== undefined) done.add(next);
    }
  }
  return steps.find((step) => !done.has(step.number)) ?? null;
}

function afterStep(next: PlanStep | null, { facts, steps }: Helping): string {
  if (steps.length === 0) return "Well done. I do not have the plan before me; what comes next?";
  if (next === null) {
    return "Well done. That was the last step: the plan is carried out. What do you want to keep of it?";
  }
  const nothing: Brief = { given: false, core: [], tensions: [], gaps: [], question: "" };
  return paragraphs([
    "Well done. Next is this:",
    stepInDepth(next, { brief: nothing, advice: facts.advice }),
    "When do you begin with it?",
  ]);
}

function whereWeAre(
  instance: Instance,
  { current, steps, facts }: Helping & { readonly current: PlanStep | null },
): string {
  const asked = numberIn(instance.message);
  const named = steps.find(({ number }) => number === asked);
  const nothing: Brief = { given: false, core: [], tensions: [], gaps: [], question: "" };
  if (named !== undefined) return stepInDepth(named, { brief: nothing, advice: facts.advice });
  const lines = steps.map(
    ({ number, title }) =>
      `${number}. ${title}${number === current?.number ? " ← you are here" : ""}`,
  );
  return `This is the plan:\n${lines.join("\n")}`;
}

function numberIn(message: string): number | null {
  const found = /\bstep (\d+|one)\b/.exec(plainly(message))?.[1];
  return found === undefined ? null : found === "one" ? 1 : Number(found);
}

const WEEKDAYS =
  /\b((?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|mornings?|evenings?)\b/i;

/** A short answer to what was said, from what is known of the person. */
function answerTo({ message }: Instance, { constraints, goal, advice }: Facts): string {
  const said = unquoted(message);
  const plain = plainly(said);
  const day = WEEKDAYS.exec(said)?.[1] ?? "";
  if (day !== "" && /\b(?:free|off|out|skip|without|no|not|leave|keep)\b/.test(plain)) {
    const name = `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`;
    return `Yes: ${name.replace(/s?$/, "s")} stay free, and what was meant for them moves to another day.`;
  }
  if (/\b(?:thanks|thank you)\b/.test(plain)) return "You are welcome.";
  if (
    /^(?:yes|ok|okay|sure|looks? good|sounds? good|great|fine|perfect|good|ready)\b/.test(plain)
  ) {
    return "Good, then it stands as it is.";
  }
  if (!isUnderstood(said)) {
    return "I did not understand that. Tell me which step it is about, or what holds you up.";
  }
  const wish = /\b(?:can|could|may) (?:we|i|you) (?:please )?([^?.!]{3,120})/i.exec(said)?.[1];
  if (wish !== undefined)
    return `Yes, that can be done: ${lowered(mirrored(wish.replace(/\s+though$/i, "")))}.`;
  const limit = constraints.find((each) => sharedStems(contentStems(each), contentStems(said)) > 0);
  if (limit !== undefined) return `That has to fit this: ${lowered(mirrored(limit))}.`;
  if (said.includes("?")) {
    const [opinion = ""] = opinionsOn(`${said} ${goal}`, { view: "craft", advice });
    return asSentence(opinion);
  }
  return `I keep in mind: ${shortened(lowered(mirrored(said)), 200)}.`;
}
