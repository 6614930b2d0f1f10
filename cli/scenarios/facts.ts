import { z } from "zod";
import type { TurnEvent } from "../../driver/events.ts";
import { viableByType, viableRefs } from "../../registry/candidates.ts";
import type { PlayedTurn } from "./play.ts";
import { changesBetween, type TableChanges } from "./tables.ts";

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { readonly type: Type }>;

/** The turn's events of one type, in order. */
export function eventsOf<Type extends TurnEvent["type"]>(
  turn: PlayedTurn,
  type: Type,
): readonly EventOf<Type>[] {
  return turn.events.filter((event): event is EventOf<Type> => event.type === type);
}

/** What the person was told, all replies of the turn. */
export function replyOf(turn: PlayedTurn): string {
  return eventsOf(turn, "reply")
    .map(({ text }) => text)
    .join("\n\n");
}

/** How many reads of each table really ran. */
export function readsOf(turn: PlayedTurn): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table } of readsThat(turn, { suppressed: false })) {
    counts[table] = (counts[table] ?? 0) + 1;
  }
  return counts;
}

/** How many reads were answered from the registry. */
export function suppressedOf(turn: PlayedTurn): number {
  return readsThat(turn, { suppressed: true }).length;
}

function readsThat(
  turn: PlayedTurn,
  wanted: { readonly suppressed: boolean },
): readonly EventOf<"tool-end">[] {
  return eventsOf(turn, "tool-end").filter(
    ({ effect, ok, suppressed, table }) =>
      effect === "read" && ok && suppressed === wanted.suppressed && table in turn.after,
  );
}

/** What the turn changed in the database. */
export function changesOf(
  turn: Pick<PlayedTurn, "before" | "after">,
): Readonly<Record<string, TableChanges>> {
  return changesBetween(turn.before, turn.after);
}

/** The refs that the turn took out, in the registry's order. */
export function demotedOf({ state }: PlayedTurn): readonly string[] {
  return state.registry.entries
    .filter(({ demotion }) => demotion?.turn === state.turn)
    .map(({ ref }) => ref);
}

/** The refs that can be chosen after the turn, of the types that the refs given are of; of all types where none are given. */
export function viableOf({ state }: PlayedTurn, like: readonly string[]): readonly string[] {
  const { registry, candidates } = state;
  const types = new Set(
    registry.entries.filter(({ ref }) => like.includes(ref)).map(({ type }) => type),
  );
  return types.size === 0
    ? viableByType(registry, candidates).flatMap(({ refs }) => refs)
    : [...types].flatMap((type) => viableRefs(registry, candidates, type));
}

/** Whether the reply left a question that has to be answered before the work goes on. */
export function asksOf({ state }: PlayedTurn): boolean {
  return state.pending !== null;
}

/** The texts of the prompts that a node was shown, each as one text. */
export function promptsOf(turn: PlayedTurn, node: string): readonly string[] {
  return shownPrompts(turn, node).map(({ messages }) =>
    messages.map(({ text }) => text).join("\n\n"),
  );
}

/** One prompt as a node was shown it. */
export interface ShownPrompt {
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** Kind → where the section comes from. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The prompts that a node was shown in the turn, in order. */
export function shownPrompts(turn: PlayedTurn, node: string): readonly ShownPrompt[] {
  return eventsOf(turn, "prompt")
    .filter((event) => event.node === node)
    .map(({ messages, sections }) => ({
      messages: z.array(MessageSchema).parse(messages),
      sources: Object.fromEntries(sections.map(({ kind, source }) => [kind, source])),
    }));
}

const MessageSchema = z.object({ role: z.string(), text: z.string() });

/** The concierge's phase after the turn. */
export function phaseOf({ state }: PlayedTurn): string {
  return state.concierge.currentPhase;
}
