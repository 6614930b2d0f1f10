import { clip, fitLongest } from "../registry/shorten.ts";
import type { PlanDecision } from "../state/journey-plan.ts";
import { DEFAULT_LIMITS } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { PlanView, PlanViewStep } from "../state/view-plan.ts";
import { nameDecision } from "../summaries/affected-steps.ts";
import { oneLine } from "../text/fence.ts";

export interface RenderPlanOptions {
  /** `line`: one line a step; `step`: the current one and the next; `full`: every field. */
  readonly detail: "line" | "step" | "full";
  /** True where a model answers with ids: each step has its own beside its position, by which people count. */
  readonly ids?: boolean;
  readonly countTokens: CountTokens;
  /** Tokens of `full`. */
  readonly tokens?: number;
}

/**
 * Renders a plan: the same words wherever it is shown.
 *
 * Contract: `full` takes `tokens` at most. Where it would take more, the words of done steps are shortened
 * first, then notes, then the other words of open steps; titles, "done when" of open steps and decisions
 * stay, whole as long as they fit by themselves. A plan without steps is empty. Pure, total.
 *
 * Source: living-plan.md §1, "What the concierge is told".
 *
 * @example
 * const view = viewPlan(startPlan("rest", { goal: "", steps: [], decisions: [] }));
 * renderPlan(view, { detail: "step", countTokens: (text) => text.length / 4 }); // ""
 */
export function renderPlan(view: PlanView, options: RenderPlanOptions): string {
  if (view.steps.length === 0) return "";
  switch (options.detail) {
    case "line":
      return renderLines(view, options);
    case "step":
      return renderCurrentStep(view);
    case "full":
      return renderWithin(view, options);
    default:
      return options.detail satisfies never;
  }
}

const MARKS = { complete: "x", active: ">", pending: " ", skipped: "-" } as const;
const STATUS_WORDS = {
  complete: "done",
  active: "current",
  pending: "",
  skipped: "skipped",
} as const;
const LEGEND = "[x] done, [>] current, [ ] open, [-] skipped";

const TITLE_CHARACTERS = 80;
const TEXT_CHARACTERS = 240;
/** Decisions below the lines of a plan. */
const DECISIONS_SHOWN = 3;

function renderLines({ steps, decisions }: PlanView, { ids = false }: RenderPlanOptions): string {
  const open = decisions.filter(({ chosen }) => chosen === null);
  const taken = decisions.filter(({ chosen }) => chosen !== null);
  return [
    ...steps.map(({ id, status, title }, index) => {
      const notes = [ids ? id : "", STATUS_WORDS[status]].filter((text) => text !== "").join(" ");
      const line = `${index + 1}. ${short(title, TITLE_CHARACTERS)}`;
      return notes === "" ? line : `${line} (${notes})`;
    }),
    ...[...open, ...taken.toReversed()].slice(0, DECISIONS_SHOWN).map((decision) => {
      const name = short(nameDecision(decision), TITLE_CHARACTERS);
      const chosen = short(decision.chosen ?? "", TITLE_CHARACTERS);
      const choice = chosen === "" ? "open" : chosen;
      return `${ids ? decision.id : "Decision:"} ${decision.question === "" ? name : `${name} ${choice}`}`;
    }),
  ].join("\n");
}

function renderCurrentStep({ goal, steps, currentStepIndex }: PlanView): string {
  const current = steps[currentStepIndex];
  const next = steps.find(({ status }, index) => index > currentStepIndex && status === "pending");
  if (current === undefined) {
    return `Goal: ${short(goal, TEXT_CHARACTERS)}\nNo step is open.`;
  }
  const fields = [
    ["Done when", current.doneWhen],
    ["Time", current.time],
    ["Avoid", current.pitfall],
    ["Noted", current.notes.at(-1)?.text ?? ""],
  ] as const;
  const place = `Current step, ${currentStepIndex + 1} of ${steps.length}`;
  const description = short(current.description, TEXT_CHARACTERS);
  const title = short(current.title, TITLE_CHARACTERS);
  return [
    `Goal: ${short(goal, TEXT_CHARACTERS)}`,
    `${place}: ${description === "" ? title : `${title} — ${description}`}`,
    ...fields
      .filter(([, text]) => text !== "")
      .map(([name, text]) => `${name}: ${short(text, TEXT_CHARACTERS)}`),
    ...(next === undefined ? [] : [`Then: ${short(next.title, TITLE_CHARACTERS)}`]),
  ].join("\n");
}

/** The most that a text of each kind has; `relations` in names, the others in characters. */
interface Room {
  /** Words of steps that are done or skipped, but for their titles. */
  readonly closed: number;
  readonly notes: number;
  /** Words of open steps, but for titles and "done when". */
  readonly descriptions: number;
  /** The names in what a step rests on. */
  readonly relations: number;
  /** Titles, "done when" of open steps, headings, goal and decisions. */
  readonly kept: number;
}

/** As many characters as the longest text of a plan has. */
const WHOLE = 600;
const WHOLE_ROOM: Room = {
  closed: WHOLE,
  notes: WHOLE,
  descriptions: WHOLE,
  relations: WHOLE,
  kept: WHOLE,
};

/** The order in which texts give way. */
const GIVING_WAY = [
  "closed",
  "notes",
  "descriptions",
  "relations",
  "kept",
] as const satisfies readonly (keyof Room)[];

function renderWithin(
  view: PlanView,
  { countTokens, tokens = DEFAULT_LIMITS.planTokens, ids = false }: RenderPlanOptions,
): string {
  let room = WHOLE_ROOM;
  const whole = renderFull(view, { room, ids });
  if (countTokens(whole) <= tokens) return whole;
  for (const kind of GIVING_WAY) {
    const render = (size: number): string =>
      renderFull(view, { room: { ...room, [kind]: size }, ids });
    // Without these texts at all first: long plans are counted seldom.
    const fits = countTokens(render(0)) <= tokens;
    if (fits) return fitLongest(WHOLE, render, { tokens, countTokens })?.text ?? render(0);
    room = { ...room, [kind]: 0 };
  }
  return (
    fitLongest(WHOLE * 10, (size) => clip(renderFull(view, { room, ids }), size), {
      tokens,
      countTokens,
    })?.text ?? ""
  );
}

interface FullOptions {
  readonly room: Room;
  readonly ids: boolean;
}

function renderFull(view: PlanView, options: FullOptions): string {
  const { goal, steps, decisions } = view;
  const { kept } = options.room;
  const names = nameAll(view, options.ids);
  const phases = steps.map(({ phase }) => short(phase, kept));
  const lines = steps.flatMap((step, index) => {
    const isSamePhase = phases[index] === (phases[index - 1] ?? "");
    const heading = isSamePhase ? [] : [`### ${phases[index] || "Other steps"}`];
    return heading.concat(renderStep(step, { ...options, names, number: index + 1 }));
  });
  return [
    `Goal: ${short(goal, kept)}`,
    LEGEND,
    ...lines,
    ...(decisions.length === 0 ? [] : ["Decisions:"]),
    ...decisions.map((decision) => renderDecision(decision, { ...options, names })),
  ].join("\n");
}

interface NamedOptions extends FullOptions {
  /** The name of each step and decision in what others say of it, by id. */
  readonly names: ReadonlyMap<string, string>;
}

function nameAll({ steps, decisions }: PlanView, ids: boolean): ReadonlyMap<string, string> {
  return new Map([
    ...steps.map(({ id }, index) => [id, ids ? id : `${index + 1}`] as const),
    ...decisions.map(({ id }, index) => [id, ids ? id : `D${index + 1}`] as const),
  ]);
}

interface StepOptions extends NamedOptions {
  readonly number: number;
}

function renderStep(step: PlanViewStep, { room, ids, names, number }: StepOptions): string[] {
  const isClosed = step.status === "complete" || step.status === "skipped";
  const words = isClosed ? room.closed : room.descriptions;
  const description = short(step.description, words);
  const time = short(step.time, words);
  const aside = [ids ? step.id : "", time].filter((text) => text !== "").join("; ");
  const title = `**${short(step.title, room.kept)}**${aside === "" ? "" : ` (${aside})`}`;
  const head = description === "" ? title : `${title} — ${description}`;
  const fields = [
    ["Done when", short(step.doneWhen, isClosed ? room.closed : room.kept)],
    ["Avoid", short(step.pitfall, words)],
    ["Rests on", listNames(step.restsOn, { room, names })],
    ...step.notes.map(({ text }) => [
      "Noted",
      short(text, isClosed ? Math.min(room.closed, room.notes) : room.notes),
    ]),
  ];
  return [
    `${number}. [${MARKS[step.status]}] ${head}`,
    ...fields.filter(([, text]) => text !== "").map(([name, text]) => `   ${name}: ${text}`),
  ];
}

function listNames(
  restsOn: readonly string[],
  { room, names }: Pick<NamedOptions, "room" | "names">,
): string {
  const known = restsOn.flatMap((id) => names.get(id) ?? []);
  const shown = known.slice(0, room.relations);
  const more = known.length - shown.length;
  return [...shown, ...(more === 0 || shown.length === 0 ? [] : [`${more} more`])].join(", ");
}

function renderDecision(decision: PlanDecision, { room, names }: NamedOptions): string {
  const { id, at, question, recommendation, chosen } = decision;
  const fields = [
    short(question, room.kept),
    chosen === null ? "open" : `chosen: ${short(chosen, room.kept)}`,
    ...(recommendation === "" ? [] : [`recommended: ${short(recommendation, room.kept)}`]),
    ...(at === null ? [] : [`at ${names.get(at) ?? ""}`]),
  ];
  return `- ${names.get(id) ?? id}: ${fields.filter((text) => text !== "").join("; ")}`;
}

/** The text on one line, cut after that many characters; empty where it has none. */
function short(text: string, characters: number): string {
  return characters === 0 ? "" : clip(oneLine(text), characters);
}
