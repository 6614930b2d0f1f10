import { clip } from "../registry/shorten.ts";
import type { ArchivedJourney } from "../state/archive.ts";
import {
  createJourneyId,
  findActiveJourney,
  describePlan,
  REOPENED,
  type JourneyLine,
  type JourneyState,
} from "../state/journey.ts";
import { oneLine } from "../text/fence.ts";
import { chooseJourneyTitle, makeJourneyTitle, removeTitleNumber } from "./journey-title.ts";

/** Of the person's words for which they leave a journey. */
const REASON_CHARACTERS = 240;

/** A change of which journey is in the foreground, or of what one is called. */
export type JourneyMove =
  | { readonly kind: "open"; readonly question: string }
  | { readonly kind: "resume"; readonly journey: JourneyLine }
  /** `reason`: the person's words. */
  | { readonly kind: "pause" | "close"; readonly journey: JourneyLine; readonly reason: string }
  | { readonly kind: "rename"; readonly journey: JourneyLine; readonly title: string }
  /** The active journey is set aside with its plan, and its question begun anew as a journey of its own. */
  | { readonly kind: "reopen" };

/** An event of a move that the person reads about. */
export type JourneyNews =
  /** It was paused or closed. */
  | { readonly kind: "left"; readonly journey: JourneyLine }
  /** It was set aside with its plan; its question is begun anew. */
  | { readonly kind: "reopened"; readonly journey: JourneyLine }
  | { readonly kind: "resumed"; readonly journey: JourneyLine }
  | { readonly kind: "renamed"; readonly from: string; readonly journey: JourneyLine };

/** The journeys after a move, and what has to be stored at once. */
export interface JourneysMoved {
  readonly lines: JourneyLine[];
  /** The journey that left the foreground: its row is written with the channels' state. Null for none. */
  readonly left: JourneyLine | null;
  /** Another one that changed: its row is written with the state it was stored with. Null for none. */
  readonly changed: JourneyLine | null;
  /** In the order in which it is told. */
  readonly news: readonly JourneyNews[];
}

export interface JourneyContext {
  readonly turn: number;
  /** The channels' values of the active journey, before the move. */
  readonly state: JourneyState;
  readonly journeysHeld: number;
  /** Journeys whose titles are taken. Default: those of the lines. */
  readonly known?: readonly JourneyLine[];
}

/**
 * Moves between journeys: the active one is paused, or closed where its plan is over.
 *
 * Contract: at most one line is active, and it is never left out; a line that is not active has a reason;
 * titles differ from those of `known`. Of more than `journeysHeld`, the oldest closed ones go first. Pure,
 * total.
 *
 * Source: living-plan.md §2.
 */
export function moveJourney(
  lines: readonly JourneyLine[],
  move: JourneyMove,
  context: JourneyContext,
): JourneysMoved {
  const moved = applyMove(lines, move, { known: lines, ...context });
  return { ...moved, lines: holdLines(moved.lines, context.journeysHeld) };
}

type KnownContext = Required<JourneyContext>;

function applyMove(
  lines: readonly JourneyLine[],
  move: JourneyMove,
  context: KnownContext,
): JourneysMoved {
  const { turn, known } = context;
  const active = findActiveJourney(lines);
  switch (move.kind) {
    case "open": {
      const id = createJourneyId(turn);
      if (active?.id === id) return unmoved(lines);
      const opened: JourneyLine = {
        id,
        title: makeJourneyTitle(move.question, { id, known }),
        status: "active",
        reason: null,
        phase: "starter",
        progress: null,
        planVersion: null,
        openedTurn: turn,
        lastTurn: turn,
      };
      return enter(lines, opened, context);
    }
    case "resume": {
      if (active?.id === move.journey.id) return unmoved(lines);
      const resumed = { ...move.journey, status: "active", reason: null, lastTurn: turn } as const;
      const entered = enter(lines, resumed, context);
      return { ...entered, news: [...entered.news, { kind: "resumed", journey: resumed }] };
    }
    case "pause":
    case "close": {
      const isActive = active?.id === move.journey.id;
      const journey: JourneyLine = {
        ...(isActive ? describeActive(active, context) : move.journey),
        status: move.kind === "pause" ? "paused" : "closed",
        reason: clip(oneLine(move.reason), REASON_CHARACTERS),
        lastTurn: turn,
      };
      return {
        lines: replaceLine(lines, journey),
        left: isActive ? journey : null,
        changed: isActive ? null : journey,
        news: [{ kind: "left", journey }],
      };
    }
    case "rename": {
      const { id, title: from } = move.journey;
      const title = makeJourneyTitle(move.title, { id, known });
      const journey = { ...move.journey, title, lastTurn: turn };
      const changed = active?.id === id ? null : journey;
      const news = [{ kind: "renamed", from, journey }] as const;
      return { lines: replaceLine(lines, journey), left: null, changed, news };
    }
    case "reopen":
      return active === null || context.state.plan === null
        ? unmoved(lines)
        : reopen(lines, active, context);
    default:
      return move satisfies never;
  }
}

/** Puts a journey into the foreground; the one before it is paused, or closed where its plan is over. */
function enter(
  lines: readonly JourneyLine[],
  entered: JourneyLine,
  context: KnownContext,
): JourneysMoved {
  const active = findActiveJourney(lines);
  if (active === null) return { ...unmoved(lines), lines: replaceLine(lines, entered) };
  const described = describeActive(active, context);
  const left: JourneyLine = {
    ...described,
    ...(described.progress !== null && described.progress.step === null
      ? { status: "closed", reason: "done" }
      : { status: "paused", reason: "another question" }),
  };
  return {
    lines: replaceLine(replaceLine(lines, left), entered),
    left,
    changed: null,
    news: [{ kind: "left", journey: left }],
  };
}

/** Pauses the active journey with its plan; its question goes on without one, under a title of its own. */
function reopen(
  lines: readonly JourneyLine[],
  active: JourneyLine,
  context: KnownContext,
): JourneysMoved {
  const { turn, known } = context;
  const id = createJourneyId(turn);
  const left: JourneyLine = {
    ...describeActive(active, context),
    status: "paused",
    reason: REOPENED,
  };
  const begun: JourneyLine = {
    // What was said since the question was asked still belongs to it: the turn that opened it stays.
    ...active,
    id,
    title: makeJourneyTitle(removeTitleNumber(left.title), { id, known: [...known, left] }),
    phase: "explorer",
    progress: null,
    planVersion: null,
    lastTurn: turn,
  };
  return {
    lines: replaceLine(replaceLine(lines, left), begun),
    left,
    changed: null,
    news: [{ kind: "reopened", journey: left }],
  };
}

/** The lines at the end of a turn. */
export interface JourneysUpdated {
  readonly lines: JourneyLine[];
  /** The active journey where its status, title or plan changed: its row is written. Else null. */
  readonly changed: JourneyLine | null;
}

/**
 * Brings the active journey's line up to date at the end of a turn that spoke of it. Pure, total.
 *
 * Source: living-plan.md §2.
 */
export function updateActiveJourney(
  lines: readonly JourneyLine[],
  context: JourneyContext,
): JourneysUpdated {
  const active = findActiveJourney(lines);
  if (active === null) return { lines: [...lines], changed: null };
  const now = describeActive(active, { known: lines, ...context });
  // A move of this turn has set its last turn.
  const hasMoved = active.lastTurn === context.turn;
  const isChanged =
    now.title !== active.title || now.planVersion !== active.planVersion || hasMoved;
  return { lines: replaceLine(lines, now), changed: isChanged ? now : null };
}

/** Returns the row of a journey that a move or the end of a turn has changed. `state`: what is kept of it. Pure. */
export function createJourneyRow(
  { id, title, status, reason, openedTurn, lastTurn }: JourneyLine,
  { runId, state }: Pick<ArchivedJourney, "runId" | "state">,
): ArchivedJourney {
  return { journeyId: id, changedTurn: lastTurn, openedTurn, runId, title, status, reason, state };
}

function describeActive(line: JourneyLine, { turn, state, known }: KnownContext): JourneyLine {
  return {
    ...line,
    title: chooseJourneyTitle(line, state, known),
    phase: state.concierge.currentPhase,
    ...describePlan(state.plan),
    lastTurn: turn,
  };
}

function unmoved(lines: readonly JourneyLine[]): JourneysMoved {
  return { lines: [...lines], left: null, changed: null, news: [] };
}

/** Replaces the line of the same journey, or adds one. */
function replaceLine(lines: readonly JourneyLine[], line: JourneyLine): JourneyLine[] {
  return lines.some(({ id }) => id === line.id)
    ? lines.map((each) => (each.id === line.id ? line : each))
    : [...lines, line];
}

/** Leaves out the oldest closed lines where there are too many, then the oldest paused ones. */
function holdLines(lines: JourneyLine[], most: number): JourneyLine[] {
  const excess = Math.max(0, lines.length - most);
  const leaving = lines
    .filter(({ status }) => status !== "active")
    .toSorted((a, b) => PLACES[a.status] - PLACES[b.status] || a.lastTurn - b.lastTurn);
  const left = new Set(leaving.slice(0, excess));
  return lines.filter((line) => !left.has(line));
}

const PLACES = { closed: 0, paused: 1, active: 2 } as const;
