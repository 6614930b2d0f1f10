import { renderJourneys } from "./render-journeys.ts";
import { renderPhase } from "./phase.ts";
import { renderPlan } from "./render-plan.ts";
import type { EntityType } from "../state/entity.ts";
import { viewPlan } from "../state/view-plan.ts";
import type { Domain } from "../state/domain.ts";
import { renderConstraints } from "../registry/constraints.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import { createIdHider, isUuid } from "../registry/hide-ids.ts";
import { computeWorkingSet, type WorkingSet } from "../registry/working-set.ts";
import { listNamedInMessage } from "../registry/named-in-message.ts";
import { renderRegistryTable, type RenderedTable } from "../registry/render-registry-table.ts";
import { fence, oneLine } from "../text/fence.ts";
import type { Limits } from "../state/limits.ts";
import { readTurnStamp } from "../state/message-ids.ts";
import type { CountTokens, ModelTier } from "../state/model.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import type { TurnState } from "../state/turn.ts";
import { clip } from "../registry/shorten.ts";
import { renderRecentTurns, shorten } from "../summaries/recent-turns.ts";
import { renderEarlierTurns } from "../summaries/earlier-turns.ts";
import { renderHistory } from "../summaries/history.ts";
import { renderLedger } from "../summaries/ledger.ts";
import { conciergeQuestion } from "./concierge-question.ts";
import { renderCalendar, renderToday } from "./dates.ts";

/** The services that prompts are built with, besides the state. */
export interface PromptContext {
  readonly domain: Domain;
  readonly limits: Limits;
  /** Tier of the model that is asked. Default: full. */
  readonly tier?: ModelTier;
  readonly countTokens: CountTokens;
}

/** The entities that the conversation knows. */
export interface EntityView {
  /** The registry with this turn's events folded in; no label and no facts hold a known database id. */
  readonly registry: Registry;
  /** The choices, the reasons why things were left out, the last list, the drafts. */
  readonly workingSet: WorkingSet;
}

/** The conversation as prompts see it: each text is ready to stand in a section, empty where there is nothing to say. */
export interface ConversationView extends EntityView {
  readonly turn: number;
  /** The person's message, fenced and within its limit. */
  readonly message: string;
  /** Today and the days after it. */
  readonly calendar: string;
  /** Today alone. */
  readonly today: string;
  readonly constraints: string;
  /** The folded text of all older turns: it changes only when the ledger is full. */
  readonly history: string;
  /** One line a turn between the history and the records. */
  readonly ledger: string;
  /** Words and deeds of the turns between the history's beginning and the records, for a reply: no ref stands in it. */
  readonly earlierTurns: string;
  /** Facts that the person stated in them. */
  readonly stated: string;
  readonly recentTurns: string;
  /** The registry table, what of it no longer holds, and the refs in play that stand in it. */
  readonly table: Pick<RenderedTable, "text" | "more" | "changes" | "shown">;
  /** The plan's current step, how it is known to be done, and what comes after; empty without a plan. */
  readonly activePlan: string;
  /** The state of the concierge's journey; empty without one. */
  readonly phase: string;
  /** The journeys that a message may go back to, under their heading; empty where there is none. */
  readonly journeys: string;
  /** The question the concierge ended with, on one line; empty where it asked none. */
  readonly conciergeAsked: string;
}

/** Older turns that are shown although the message does not touch them. */
const NEWEST_TURNS = 5;
const NEWEST_STATED = 2;

/** Collects what prompts may show of the state. Pure. */
export function viewConversation(state: TurnState, context: PromptContext): ConversationView {
  const { domain, limits, countTokens } = context;
  const { registry, workingSet } = viewEntities(state, domain);
  const earlier = {
    registry,
    message: state.input?.text ?? "",
    budget: limits.earlierTurnsTokens,
    countTokens,
  };
  return {
    turn: state.turn,
    registry,
    workingSet,
    message: [
      fence(
        "message",
        shorten(state.input?.text ?? "", { tokens: limits.messageTokens, countTokens }),
      ),
      describeOtherPart(state.understanding),
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
    calendar: state.run === null ? "" : renderCalendar(state.run.today, state.run.timeZone),
    today: state.run === null ? "" : renderToday(state.run.today, state.run.timeZone),
    constraints: renderConstraints(state.constraints, {
      budget: limits.constraintTokens,
      ruleBudget: limits.ruleTokens,
      message: state.input?.text ?? "",
      countTokens,
    }),
    history: renderHistory(state.history),
    ledger: renderLedger(state.ledger),
    earlierTurns: renderEarlierTurns(state, {
      ...earlier,
      statedOnly: false,
      newest: NEWEST_TURNS,
    }),
    stated: renderEarlierTurns(state, { ...earlier, statedOnly: true, newest: NEWEST_STATED }),
    recentTurns: renderRecentTurns(earlierMessages(state), { limits, countTokens }),
    table: renderRegistryTable(registry, {
      types: domain.entityTypes,
      before: state.registryTable,
      turn: state.turn,
      window: limits.recordTurns,
      named: listNamedInMessage(registry, state.input?.text ?? ""),
      budget: limits.registryTableTokens,
      countTokens,
    }),
    activePlan:
      state.journeyPlan === null
        ? ""
        : renderPlan(viewPlan(state.journeyPlan), { detail: "step", countTokens }),
    phase: renderPhase(state, countTokens),
    journeys: renderJourneys(state.journeys),
    conciergeAsked: conciergeQuestion(state.conciergeThread),
  };
}

/** Says which part of a message for both lanes is not the task's. */
function describeOtherPart(understanding: TurnState["understanding"]): string {
  if (understanding?.lane !== "both" || understanding.conciergePart === null) return "";
  return `The concierge's part: "${oneLine(understanding.conciergePart)}". It is answered after yours; the rest is yours.`;
}

interface Viewed {
  readonly domain: Domain;
  readonly view: EntityView;
}

/** The entities of each state, as they were computed last. */
const VIEWED = new WeakMap<TurnState, Viewed>();

/** Computes the entities that prompts may show of a state, once for each state. Pure. */
export function viewEntities(state: TurnState, domain: Domain): EntityView {
  const viewed = VIEWED.get(state);
  if (viewed?.domain === domain) return viewed.view;
  const { registryEvents: events, turn, understanding } = state;
  const registry = withoutIds(
    foldRegistry(state.registry, events, domain.entityTypes),
    domain.entityTypes,
  );
  const workingSet = computeWorkingSet({ registry, events, turn, understanding });
  const view = { registry, workingSet };
  VIEWED.set(state, { domain, view });
  return view;
}

/**
 * Hides database ids in labels and facts: a person may have typed one into a name. A label that is
 * made of its row's own key stays, for people know the row by it; prompts hide it where they show labels,
 * unless the type describes the key's column.
 */
function withoutIds(registry: Registry, types: readonly EntityType[]): Registry {
  const hideIds = createIdHider(registry, types);
  const clean = (entry: RegistryEntry): RegistryEntry => {
    const label = isKnownByKey(entry) ? entry.label : hideIds(entry.label);
    const facts = hideIds(entry.facts);
    const { demotion } = entry;
    const excluded = demotion && { ...demotion, reason: hideIds(demotion.reason) };
    return { ...entry, label, facts, demotion: excluded };
  };
  const choices = registry.choices.map((choice) => ({ ...choice, title: hideIds(choice.title) }));
  return { ...registry, entries: registry.entries.map(clean), choices };
}

function isKnownByKey({ id, label }: RegistryEntry): boolean {
  return id !== null && !isUuid(id) && label.includes(id);
}

/** `recipe_6 (Oven Wings)`, on one line whatever the label holds. */
export function named({ ref, label }: Pick<RegistryEntry, "ref" | "label">): string {
  return `${ref} (${clip(oneLine(label), LABEL_CHARACTERS)})`;
}

const LABEL_CHARACTERS = 80;

/** Returns the messages of the last two exchanges before this turn; the turn summaries hold the rest. */
function earlierMessages(
  state: TurnState,
): { readonly role: "user" | "assistant"; readonly text: string }[] {
  return state.messages
    .filter((message) => readTurnStamp(message) !== state.turn || message.getType() !== "human")
    .slice(-4)
    .map((message) => ({
      role: message.getType() === "human" ? "user" : "assistant",
      text: typeof message.content === "string" ? message.content : message.text,
    }));
}
