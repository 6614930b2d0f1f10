import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { ConversationView } from "../prompts/view.ts";
import { requireRun } from "./require-run.ts";
import { renderReceipts } from "../registry/receipts.ts";
import { findFocus, type WorkingItem, type WorkingSet } from "../registry/working-set.ts";
import type { Receipt } from "../state/receipt.ts";
import type { TurnState } from "../state/turn.ts";
import {
  describeOptions,
  type CurrentExchange,
  type RemainingOptions,
} from "../summaries/conversation-flow.ts";
import type { CurrentTurn, NamedRef } from "../summaries/current-turn.ts";
import { computePhase, computeTone, isSmallTalk } from "../summaries/phase-and-tone.ts";
import { judgeOutcome } from "../summaries/turn-outcome.ts";
import type { TurnFacts } from "../summaries/turn-facts.ts";

/** Summarizes the decisions of this turn so far, for the prompts of Think and Act. */
export function summarizeCurrentTurn(state: TurnState, view: ConversationView): CurrentTurn {
  const name = namer(view);
  const { understanding } = state;
  const curation = understanding?.curation;
  const demoted = curation?.demote.map(({ ref }) => name(ref)) ?? [];
  const excluded = new Set(demoted.map(({ ref }) => ref));
  const left = findFocus(view.workingSet)?.left;
  return {
    turn: state.turn,
    userMessage: state.input?.text ?? "",
    curated: {
      demoted,
      restored: curation?.restore.map(({ ref }) => name(ref)) ?? [],
      retained: curation?.retain.map(({ ref }) => name(ref)) ?? [],
    },
    references: (understanding?.references ?? [])
      .filter(({ ref }) => !excluded.has(ref))
      .map(({ text, ref }) => ({ text, ref, label: name(ref).label })),
    remaining: left?.map(({ ref }) => ref) ?? null,
    held: left !== undefined && left.every(({ ref }) => view.table.shown.includes(ref)),
  };
}

/** Collects everything about this turn, for its turn summary and its reply. */
export function collectTurnFacts(state: TurnState, view: ConversationView): TurnFacts {
  const named = new Set(state.understanding?.references.map(({ ref }) => ref));
  const names = (items: readonly WorkingItem[]): boolean => items.some(({ ref }) => named.has(ref));
  const asked = state.pending?.turn === state.turn ? state.pending : null;
  return {
    turn: state.turn,
    userMessage: state.input?.text ?? "",
    goal: state.plan?.goal ?? journeyGoal(state) ?? state.understanding?.expressed ?? "",
    plan: state.plan,
    understanding: state.understanding,
    stepResults: state.stepResults,
    batchSteps: state.batchSteps,
    effects: state.effects,
    notices: state.notices,
    failure: judgeOutcome(state),
    replies: state.replies.map(({ body }) => body),
    receipts: renderReceipts(
      state.replies.flatMap(({ receipts }) => receipts.filter(({ kind }) => !ASIDES.has(kind))),
      { registry: view.registry, timeZone: requireRun(state).timeZone },
    ),
    listed: listLabels(state, view),
    question: asked?.text ?? "",
    asksForYes: asked?.kind === "confirmation" || asked?.kind === "proposal",
    namesChoice:
      names(listChosen(view.workingSet)) ||
      view.workingSet.choices.some(({ id }) => id === state.understanding?.topic),
    namesDraft: names(view.workingSet.drafts),
    labels: Object.fromEntries(view.registry.entries.map(({ ref, label }) => [ref, label])),
  };
}

/** Receipts that stand beside the answer, and are not what came of the message. */
const ASIDES: ReadonlySet<Receipt["kind"]> = new Set([
  "outside",
  "drafted",
  "curated",
  "warning",
  "notRead",
  "dropped",
]);

/** The labels of what this turn's replies have listed. */
function listLabels({ registryEvents, turn }: TurnState, view: ConversationView): string[] {
  const refs = registryEvents.flatMap((event) =>
    event.kind === "listed" && event.turn === turn ? event.refs.filter((ref) => ref !== "") : [],
  );
  return [...new Set(refs)].map((ref) => namer(view)(ref).label);
}

/** Returns the goal of a concierge's turn: the handover's, else the question; null in the task lane. */
function journeyGoal({ understanding, concierge, opening }: TurnState): string | null {
  if (understanding?.route !== "concierge" || opening === null) return null;
  const { executionHandover, intentHandover } = concierge;
  const goal = executionHandover?.goal ?? intentHandover?.impliedGoal ?? opening.question;
  return clip(oneLine(goal), GOAL_CHARACTERS);
}

const GOAL_CHARACTERS = 240;

/** Describes the current exchange for the reply. */
export function describeCurrentExchange(state: TurnState, view: ConversationView): CurrentExchange {
  const facts = collectTurnFacts(state, view);
  const previous = state.turnExecutionSummaries.at(-1) ?? null;
  const done = state.stepResults
    .filter(({ status }) => status === "done")
    .map(({ outcome }) => outcome);
  const excluded = state.understanding?.curation.demote.map(({ ref }) => namer(view)(ref)) ?? [];
  const filtered =
    excluded.length === 0
      ? []
      : [`Filtered out ${excluded.map(({ ref, label }) => `${label} (${ref})`).join(", ")}`];
  const all = [...filtered, ...done];
  return {
    expressed: state.understanding?.expressed ?? "",
    done: all.length === 0 ? null : all.join("; "),
    remaining: describeOptions(findRemaining(view)),
    phase: computePhase(facts, previous),
    tone: computeTone(facts, previous),
    isSmallTalk: isSmallTalk(facts),
  };
}

function namer(view: ConversationView): (ref: string) => NamedRef {
  const labels = new Map(view.registry.entries.map(({ ref, label }) => [ref, label]));
  return (ref) => ({ ref, label: labels.get(ref) ?? ref });
}

function findRemaining({ workingSet, turn }: ConversationView): RemainingOptions | null {
  const focus = findFocus(workingSet);
  if (focus === undefined) return null;
  return { count: focus.left.length, isAsked: focus.touchedTurn === turn };
}

function listChosen({ choices }: WorkingSet): WorkingItem[] {
  return choices.flatMap(({ left, excluded }) => left.concat(excluded));
}
