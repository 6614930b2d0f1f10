import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { TurnState } from "../state/turn.ts";
import { remainingOptions, type CurrentExchange } from "../summaries/conversation-flow.ts";
import type { CurrentTurn, NamedRef } from "../summaries/current-turn.ts";
import { keepTone, phaseOf } from "../summaries/narrative.ts";
import type { TurnFacts } from "../summaries/turn-facts.ts";

/** What this turn has decided so far, for the sections that Think and Act are shown. */
export function currentTurnOf(state: TurnState, view: ConversationView): CurrentTurn {
  const name = namer(view);
  const { understanding } = state;
  const curation = understanding?.curation;
  const demoted = curation?.demote.map(({ ref }) => name(ref)) ?? [];
  const excluded = new Set(demoted.map(({ ref }) => ref));
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
    viable: view.viable,
    held: view.registry.entries.some(
      ({ row, id, demotion }) => row !== null && id !== null && demotion === null,
    ),
  };
}

/** Everything this turn has come to, for its record and for how it is spoken of. */
export function turnFactsOf(state: TurnState, view: ConversationView): TurnFacts {
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
    replies: state.replies.map(({ text }) => text),
    labels: Object.fromEntries(view.registry.entries.map(({ ref, label }) => [ref, label])),
  };
}

/** What a concierge's turn was for: the handover's goal, else the question; null in the task lane. */
function journeyGoal({ understanding, concierge, opening }: TurnState): string | null {
  if (understanding?.route !== "concierge" || opening === null) return null;
  const { executionHandover, intentHandover } = concierge;
  const goal = executionHandover?.goal ?? intentHandover?.impliedGoal ?? opening.question;
  return clip(oneLine(goal), GOAL_CHARACTERS);
}

const GOAL_CHARACTERS = 240;

/** Where the exchange stands, as Reply has to say it. */
export function currentExchangeOf(state: TurnState, view: ConversationView): CurrentExchange {
  const facts = turnFactsOf(state, view);
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
    remaining: remainingOptions(view.viable),
    phase: phaseOf(facts, previous),
    tone: keepTone(facts, previous),
  };
}

function namer(view: ConversationView): (ref: string) => NamedRef {
  const labels = new Map(view.registry.entries.map(({ ref, label }) => [ref, label]));
  return (ref) => ({ ref, label: labels.get(ref) ?? ref });
}
