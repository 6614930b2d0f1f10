import type { ConversationPhase, Tone, TurnExecutionSummary } from "../state/turn-summary.ts";
import { quoteLine } from "./quote.ts";
import { PHASES, TONES } from "./phase-and-tone-words.ts";

/** The heading of the section that this file renders. */
export const CONVERSATION_FLOW_HEADING = "Conversation Flow";

/** The current exchange, for the reply. */
export interface CurrentExchange {
  /** The person's wish or feeling, in one sentence. */
  readonly expressed: string;
  /** The actions taken; null where there were none. */
  readonly done: string | null;
  /** The remaining options ("4 options to present"); null where there are none. */
  readonly remaining: string | null;
  /** The phase of the conversation (`computePhase`). */
  readonly phase: ConversationPhase;
  /** The tone of the reply (`computeTone`). */
  readonly tone: Tone;
  /** True for a remark that needs nothing but an answer. */
  readonly isSmallTalk: boolean;
}

interface RenderConversationFlowInput {
  readonly turn: number;
  /** The activity for "Turn 3 of …": `meal planning`. */
  readonly activity: string;
  readonly records: readonly TurnExecutionSummary[];
  readonly current: CurrentExchange;
}

/**
 * The section `## Conversation Flow` for Reply (seed 003): where the conversation is, the last
 * exchange, this one, and how to respond. A first turn has no last exchange and may greet.
 */
export function renderConversationFlow(input: RenderConversationFlowInput): string {
  const { turn, activity, records, current } = input;
  const last = records.at(-1);
  const { phase, tone } = current;
  const begun = turn > 1;
  const session = begun
    ? `Turn ${turn} of ${activity}. User has been ${PHASES[last?.conversationPhase ?? phase].session}.`
    : `Turn 1 of ${activity}. The conversation begins.`;
  return [
    `## ${CONVERSATION_FLOW_HEADING}`,
    `**Session context:** ${session}`,
    section("Where we are", [
      `Phase: ${phase} (${PHASES[phase].user})`,
      `Tone: ${tone} (${TONES[tone]})`,
      ...(begun ? [`We've been: ${PHASES[last?.conversationPhase ?? phase].we}`] : []),
    ]),
    ...(last === undefined ? [] : [section("Last exchange", lastLines(last))]),
    section("This exchange", [
      ...named("User expressed", current.expressed),
      ...named("What we did", current.done),
      ...named("Remaining", current.remaining),
    ]),
    section("How to respond", [
      ...(current.isSmallTalk ? SMALL_TALK : PHASES[phase].respond),
      begun
        ? "DO NOT restart the conversation — you're mid-flow, not beginning"
        : "A short greeting is fine; then straight to what was asked",
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const SMALL_TALK = ["Answer the remark in one sentence", "Do not list options"] as const;

/** The choice in focus, as far as the reply has to speak of it. */
export interface RemainingOptions {
  readonly count: number;
  /** True where this turn has touched the choice or asks about it. */
  readonly isAsked: boolean;
}

/** Describes the remaining options: "4 options to present"; null where nothing is chosen from. */
export function describeOptions(remaining: RemainingOptions | null): string | null {
  if (remaining === null) return null;
  const { count, isAsked } = remaining;
  if (!isAsked) return count === 0 ? null : `${count} still open, not asked about`;
  if (count === 0) return "no options";
  return `${count} ${count === 1 ? "option" : "options"} to present`;
}

function lastLines(record: TurnExecutionSummary): string[] {
  return [
    ...named("User expressed", record.whatUserExpressed),
    ...named("We acknowledged", record.whatWeAcknowledged),
    ...named("Natural next", record.naturalNext),
  ];
}

function named(name: string, content: string | null): string[] {
  return content === null || content === "" ? [] : [`${name}: ${quoteLine(content)}`];
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return [`**${title}:**`, ...lines.map((text) => `- ${text}`)].join("\n");
}
