import type { TurnEvent } from "../../driver/events.ts";
import type { ExpertOutcome } from "../../state/batch.ts";
import type { Phase } from "../../state/phase.ts";
import { SUBJECT } from "../map/map-view.ts";

/** What a turn is doing right now, in a word or two; null where an event does not change it. */
export function describeStatus(event: TurnEvent): string | null {
  switch (event.type) {
    case "node-start":
      return STATUS_BY_NODE[event.node] ?? null;
    case "step-start":
      return event.description;
    case "tool-start":
      return `${event.tool} ${nameTable(event.table)}`;
    case "expert-start":
      // Nobody waits for help with a step.
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

/** One line of progress: what kind it is and its text. */
export interface ProgressLine {
  readonly kind: "done" | "problem" | "detail";
  readonly text: string;
}

/** What a turn has done so far, a line at a time. */
export interface ProgressTeller {
  /** The lines an event is worth; mostly none. */
  tell(event: TurnEvent): ProgressLine[];
}

/**
 * Makes a teller for turns one after the other: one line for each read, write and step without
 * either, what was planned, each expert's answer, where the conversation stands, and what went wrong.
 * A turn that answers none of the messages that `isAwaited` knows says so.
 */
export function createProgressTeller(isAwaited: (message: string) => boolean): ProgressTeller {
  const descriptions = new Map<number, string>();
  const busy = new Set<number>();
  const told = new Set<string>();
  return {
    tell(event) {
      switch (event.type) {
        case "turn-start":
          descriptions.clear();
          busy.clear();
          told.clear();
          return event.turn === 0 || isAwaited(event.message)
            ? []
            : [detail(`first, what was left unfinished: "${shorten(event.message, 60)}"`)];
        case "plan":
          return event.steps.length === 0 ? [] : [done(`plan: ${event.goal}`)];
        case "step-start":
          descriptions.set(event.index, event.description);
          return [];
        case "tool-end":
          busy.add(event.step);
          return [toolLine(event)];
        case "step-end":
          return stepLines(event, { description: descriptions.get(event.index) ?? "", busy });
        case "expert-start":
          if (event.purpose !== "step-help" || told.has(event.batch)) return [];
          told.add(event.batch);
          return [detail(MEANWHILE)];
        case "expert-end":
          return [expertLine(event)];
        case "analysis":
          return [analysisLine(event)];
        case "phase-change":
          return [detail(`now: ${PHASE_WORDS[event.to]}`)];
        case "reply-reset":
          return [detail("once more, from the beginning")];
        case "notice":
          // A model that cannot be reached says so to every node.
          if (told.has(event.text) || SAID_OTHERWISE.has(event.code)) return [];
          told.add(event.text);
          return [detail(`${event.node}: ${event.text}`)];
        default:
          return [];
      }
    },
  };
}

/** Notices that the reply says as well, or that a second try has put right. */
const SAID_OTHERWISE: ReadonlySet<string> = new Set(["repair", "stopped", "given-up"]);

function toolLine(event: TurnEvent & { readonly type: "tool-end" }): ProgressLine {
  const name = nameTable(event.table);
  if (!event.ok) return problem(`${event.tool} ${name}: did not work`);
  if (event.suppressed) return done(`from memory: ${name} (${event.count})`);
  return done(`${event.effect === "read" ? "reading" : "writing"} ${name} … ${event.count}`);
}

function stepLines(
  event: TurnEvent & { readonly type: "step-end" },
  { description, busy }: { readonly description: string; readonly busy: ReadonlySet<number> },
): ProgressLine[] {
  switch (event.status) {
    case "failed":
    case "blocked":
      return [problem(`${description}: ${event.outcome}`)];
    case "done":
      // What it read and wrote has been told.
      return busy.has(event.index) ? [] : [done(event.outcome)];
    case "open":
    case "asked":
    case "replan":
    case "skipped":
      return [];
    default:
      return event.status satisfies never;
  }
}

/** What each phase is for, as a person would say it. */
export const PHASE_WORDS = {
  starter: "getting the question clear",
  explorer: "exploring what could be done",
  executor: "carrying out the plan",
} as const satisfies Record<Phase, string>;

const MEANWHILE = "The experts look at the step meanwhile; go on whenever you like.";

const OUTCOME_WORDS = {
  answered: "answered",
  partial: "answered in part",
  late: "late",
  cut: "cut short",
  failed: "failed",
} as const satisfies Record<ExpertOutcome, string>;

function expertLine(event: TurnEvent & { readonly type: "expert-end" }): ProgressLine {
  const { expert, purpose, outcome, reason, ms } = event;
  const words = `${expert} on ${SUBJECT[purpose]}: ${OUTCOME_WORDS[outcome]}`;
  switch (outcome) {
    case "answered":
    case "partial":
      return done(`${words} (${(ms / 1_000).toFixed(1)} s)`);
    case "late":
    case "cut":
      return detail(words);
    case "failed":
      return problem(reason === null ? words : `${words}: ${shorten(reason, 120)}`);
    default:
      return outcome satisfies never;
  }
}

function analysisLine({ map }: TurnEvent & { readonly type: "analysis" }): ProgressLine {
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

/** A table's name as a person would say it. */
function nameTable(table: string): string {
  return table.replaceAll("_", " ");
}

/** A text of one line, cut to so many characters. */
export function shorten(text: string, characters: number): string {
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
