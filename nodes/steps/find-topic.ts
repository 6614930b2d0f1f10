import type { EntityType } from "../../state/entity.ts";
import type { TurnState } from "../../state/turn.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import { listNamedIn, type MentionedRow } from "./named-in-text.ts";

/** A message, its reply, and what code knows of its turn. */
interface Exchange extends Pick<TurnExecutionSummary, "effects" | "steps"> {
  readonly message: string;
  readonly reply: string;
}

interface KnownRows {
  readonly entries: readonly (MentionedRow & { readonly ref: string })[];
  readonly entityTypes: readonly Pick<EntityType, "words">[];
}

/** Most exchanges that are looked at: behind a remark that speaks of no row, the one before it goes on. */
const MOST_EXCHANGES = 2;

/**
 * Returns the ref of the one row that the exchanges before a message were about, the newest first: the one that
 * a reply names or that was changed, else the one that was looked up or named by the person. Null for none, and
 * for several. Pure.
 */
export function findTopic(exchanges: readonly Exchange[], known: KnownRows): string | null {
  for (const exchange of exchanges.slice(0, MOST_EXCHANGES)) {
    const refs = listMentioned(exchange, known);
    if (refs.size > 1) return null;
    const [ref] = refs;
    if (ref !== undefined) return ref;
    // What was looked up and not found is spoken of, too.
    if (exchange.steps.length > 0) return null;
  }
  return null;
}

function listMentioned(
  { message, reply, effects, steps }: Exchange,
  { entries, entityTypes }: KnownRows,
): ReadonlySet<string> {
  const listNamed = (text: string): readonly string[] =>
    listNamedIn(text, entries, entityTypes).map(({ ref }) => ref);
  const answered = [...listNamed(reply), ...effects.map(({ ref }) => ref)];
  const asked = (): readonly string[] => [
    ...listNamed(message),
    ...steps.flatMap(({ entitiesAffected }) => entitiesAffected),
  ];
  return new Set(answered.length > 0 ? answered : asked());
}

/** Lists the exchanges right before the message of the turn, the newest first, up to one without a summary. Pure. */
export function listExchanges({
  messages,
  turn,
  turnExecutionSummaries,
}: Pick<TurnState, "messages" | "turn" | "turnExecutionSummaries">): readonly Exchange[] {
  const readReply = (number: number): string =>
    messages
      .filter(({ type, additional_kwargs: more }) => type === "ai" && more["turn"] === number)
      .map(({ text }) => text)
      .join("\n");
  return turnExecutionSummaries
    .toReversed()
    .filter(({ turnNumber }, index) => turnNumber === turn - 1 - index)
    .map(({ turnNumber, userMessage: message, effects, steps }) => ({
      message,
      reply: readReply(turnNumber),
      effects,
      steps,
    }));
}
