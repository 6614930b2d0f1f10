import type { EventNamed, TurnEvent } from "../../state/event.ts";
import type { ExpertOutcome } from "../../state/batch.ts";
import type { Phase } from "../../state/phase.ts";
import { SUBJECT } from "../map/map-view.ts";

/** Describes the current activity of a turn in a word or two; null if the event does not change it. */
export function describeStatus(event: TurnEvent): string | null {
  switch (event.type) {
    case "node-start":
      return STATUS_BY_NODE[event.node] ?? null;
    case "step-start":
      return event.description;
    case "tool-start":
      return `${event.tool} ${nameTable(event.table)}`;
    case "expert-start":
      // The person does not wait for help with a step.
      if (event.purpose === "step-help") return null;
      return `asking ${event.expert} about ${SUBJECT[event.purpose]}`;
    case "analysis":
      return event.purpose === "step-help" ? null : "weighing the answers";
    default:
      return null;
  }
}

const STATUS_BY_NODE: Readonly<Record<string, string>> = {
  understand: "reading the message",
  think: "planning",
  act: "working",
  reply: "writing",
  summarize: "taking notes",
  mapper: "comparing the answers",
  starter: "writing",
  explorer: "writing",
  executor: "writing",
};

/** One line of progress. */
export interface ProgressLine {
  readonly kind: "done" | "problem" | "detail";
  readonly text: string;
}

/**
 * Renders the progress of successive turns: one line for each plan, read, write, expert's answer,
 * change of phase and problem, and for each step that read and wrote nothing. Marks a turn that
 * answers none of the messages that `isAwaited` knows.
 */
export class ProgressRenderer {
  readonly #isAwaited: (message: string) => boolean;
  readonly #descriptions = new Map<number, string>();
  /** The steps whose reads and writes were shown. */
  readonly #shownSteps = new Set<number>();
  /** The batches and notices that were shown. */
  readonly #shownOnce = new Set<string>();

  constructor(isAwaited: (message: string) => boolean) {
    this.#isAwaited = isAwaited;
  }

  /** Returns the lines for an event, mostly none. */
  render(event: TurnEvent): ProgressLine[] {
    switch (event.type) {
      case "turn-start":
        this.#descriptions.clear();
        this.#shownSteps.clear();
        this.#shownOnce.clear();
        return event.turn === 0 || this.#isAwaited(event.message)
          ? []
          : [detail(`first, an unfinished message: "${shortenToWidth(event.message, 60)}"`)];
      case "plan":
        return event.steps.length === 0 ? [] : [done(`plan: ${event.goal}`)];
      case "step-start":
        this.#descriptions.set(event.index, event.description);
        return [];
      case "tool-end":
        this.#shownSteps.add(event.step);
        return [toolLine(event)];
      case "step-end":
        return this.#renderStep(event);
      case "expert-start":
        if (event.purpose !== "step-help" || !this.#isNew(event.batch)) return [];
        return [detail(MEANWHILE)];
      case "expert-end":
        return [expertLine(event)];
      case "analysis":
        return [analysisLine(event)];
      case "phase-change":
        return [detail(`now: ${PHASE_WORDS[event.to]}`)];
      case "reply-reset":
        return [detail("starting the reply again")];
      case "notice":
        // A model that cannot be reached gives every node the same notice.
        if (SHOWN_OTHERWISE.has(event.code) || !this.#isNew(event.text)) return [];
        return [detail(`${event.node}: ${event.text}`)];
      default:
        return [];
    }
  }

  #isNew(text: string): boolean {
    const isNew = !this.#shownOnce.has(text);
    this.#shownOnce.add(text);
    return isNew;
  }

  #renderStep(event: EventNamed<"step-end">): ProgressLine[] {
    const { index, status, outcome } = event;
    if (status === "failed" || status === "blocked") {
      return [problem(`${this.#descriptions.get(index) ?? ""}: ${outcome}`)];
    }
    return status === "done" && !this.#shownSteps.has(index) ? [done(outcome)] : [];
  }
}

/** Notices that the reply also mentions, or that a second try has fixed. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set(["repair", "stopped", "given-up"]);

function toolLine(event: EventNamed<"tool-end">): ProgressLine {
  const name = nameTable(event.table);
  if (!event.ok) return problem(`${event.tool} ${name}: did not work`);
  if (event.suppressed) return done(`from memory: ${name} (${event.count})`);
  return done(`${event.effect === "read" ? "reading" : "writing"} ${name} … ${event.count}`);
}

/** The purpose of each phase in plain words. */
export const PHASE_WORDS = {
  starter: "getting the question clear",
  explorer: "exploring what could be done",
  executor: "carrying out the plan",
} as const satisfies Record<Phase, string>;

const MEANWHILE = "The experts are working on the step; you can continue at any time.";

const OUTCOME_WORDS = {
  answered: "answered",
  partial: "answered in part",
  late: "late",
  cut: "cut short",
  failed: "failed",
} as const satisfies Record<ExpertOutcome, string>;

function expertLine(event: EventNamed<"expert-end">): ProgressLine {
  const { expert, purpose, outcome, reason, ms } = event;
  const words = `${expert} on ${SUBJECT[purpose]}: ${OUTCOME_WORDS[outcome]}`;
  if (outcome === "late" || outcome === "cut") return detail(words);
  if (outcome !== "failed") return done(`${words} (${(ms / 1_000).toFixed(1)} s)`);
  return problem(reason === null ? words : `${words}: ${shortenToWidth(reason, 120)}`);
}

function analysisLine({ map }: EventNamed<"analysis">): ProgressLine {
  if (map === null) return detail("too few answers to compare");
  const between = map.edges.filter(({ type }) => type === "conflicts" || type === "tradeoff");
  const counts = [
    counted(map.claims.length, "claim"),
    counted(between.length, "tension"),
    counted(map.gaps.length, "gap"),
  ];
  return done(`${counts.join(", ")}; /map shows them`);
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Returns the name of a table in plain words. */
function nameTable(table: string): string {
  return table.replaceAll("_", " ");
}

/** Shortens a text to one line of at most `characters` characters. */
export function shortenToWidth(text: string, characters: number): string {
  const line = [...text.replaceAll(/\s+/gu, " ").trim()];
  return line.length <= characters ? line.join("") : `${line.slice(0, characters - 1).join("")}…`;
}

function done(text: string): ProgressLine {
  return { kind: "done", text };
}

function problem(text: string): ProgressLine {
  return { kind: "problem", text };
}

function detail(text: string): ProgressLine {
  return { kind: "detail", text };
}
