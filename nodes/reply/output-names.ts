import { CORE_TOOLS, UNDO_TOOL } from "../../domain/define-domain.ts";
import { DELETE_TOOL, nameTableTool } from "../../domain/table-tools/tool-names.ts";
import type { OutputNames } from "../../output-filter/output-gate.ts";
import { addConciergeNames } from "../concierge/known-machinery.ts";
import { removeThoughts } from "../../output-filter/thought-filter.ts";
import { parseRef, refPrefix } from "../../registry/refs.ts";
import type { WishDifference } from "../../state/constraint.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import type { Effect } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { oneLine } from "../../text/fence.ts";

interface OutputNamesInput {
  readonly registry: Pick<Registry, "entries"> & Partial<Pick<Registry, "choices">>;
  readonly domain: Pick<Domain, "entityTypes"> & Partial<Pick<Domain, "tools">>;
  /** The effects that a model may know of. Default: none. */
  readonly effects?: readonly Effect[];
}

/** Collects the labels that stand for refs, choices, effects and ids in a text for a person, and the names of tools. Pure. */
export function collectOutputNames({
  registry: { entries, choices = [] },
  domain: { entityTypes, tools = [] },
  effects = [],
}: OutputNamesInput): OutputNames {
  const prefixes = [
    ...entityTypes.flatMap((type) => [
      refPrefix(type, { draft: false }),
      refPrefix(type, { draft: true }),
    ]),
    // Where the types are not known, what the conversation knows is.
    ...entries.flatMap(({ ref }) => parseRef(ref)?.prefix ?? []),
    "choice",
  ];
  return {
    labels: new Map([
      // A title is a model's words.
      ...choices.map(({ id, title }) => [id, removeThoughts(title)] as const),
      ...effects.map(({ effectId, label }) => [`e${effectId}`, label] as const),
      ...entries.map(({ ref, label }) => [ref, label] as const),
    ]),
    ids: new Map(
      entries.flatMap(({ id, label }) => (id === null ? [] : [[id.toLowerCase(), label]])),
    ),
    prefixes: [...new Set(prefixes)],
    tools: [
      ...entityTypes.flatMap(nameGeneratedTools),
      ...tools.map(({ name }) => name),
      ...CORE_TOOLS,
      DELETE_TOOL,
      UNDO_TOOL,
    ],
  };
}

/**
 * Collects the names for a turn, with the effects and wishes of earlier turns that a prompt still shows, the
 * question that waits, and where experts were asked what a concierge knows by ids. Pure.
 */
export function collectTurnNames(
  state: TurnState,
  input: Omit<OutputNamesInput, "effects">,
): OutputNames {
  const records = state.turnExecutionSummaries;
  const earlier = records.flatMap(({ effects }) => effects);
  const confirmation = state.pending?.kind === "confirmation" ? [state.pending.id] : [];
  const others = [
    ...records.flatMap(({ turnNumber, wishes }) =>
      wishes == null ? [] : ([[`w${turnNumber}`, nameWishes(wishes)]] as const),
    ),
    ...confirmation.map((id) => [id, ""] as const),
  ];
  const names = {
    ...collectOutputNames({ ...input, effects: [...earlier, ...state.effects] }),
    others: new Map(others),
  };
  return state.journeys.length === 0 ? names : addConciergeNames(names, state);
}

function nameWishes({ before, after }: WishDifference): string {
  return oneLine((after.length === 0 ? before : after).map(({ text }) => text).join(", "));
}

function nameGeneratedTools(type: EntityType): string[] {
  return (["read", "create", "update"] as const).map((action) => nameTableTool(action, type));
}
