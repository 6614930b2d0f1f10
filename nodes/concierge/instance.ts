import { shorten } from "../../registry/shorten.ts";
import { renderConstraints } from "../../registry/constraints.ts";
import type { SaidInput } from "../../prompts/concierge-sections.ts";
import type { TurnState } from "../../state/turn.ts";
import type { ThreadMessage } from "../../state/phase.ts";
import { asPromptMessage } from "./concierge-thread.ts";
import { meanwhileLines } from "./meanwhile.ts";
import type { NodeServices } from "../node.ts";
import { runOf } from "../run-of.ts";

/** Whether the phase's instance can go on with its thread; else a fresh one takes over. */
export type Continuity = "fresh" | "goes-on" | "rolls-over";

/**
 * A phase without an instance gets one; one whose thread has outgrown its budget, or that another
 * model has spoken in, is followed by a fresh one of the same phase.
 */
export function continuityOf(state: TurnState, services: NodeServices): Continuity {
  const { concierge, conciergeThread } = state;
  if (concierge.conciergeContextId === null) return "fresh";
  if (conciergeThread.contextId !== concierge.conciergeContextId) return "rolls-over";
  if (conciergeThread.model !== services.models.concierge.name) return "rolls-over";
  const { limits, countTokens } = services;
  // With the message that is to come, and as prompts are counted: then the next prompt is within the budget.
  const coming: ThreadMessage = { role: "user", text: messageOf(state, services) };
  const tokens = [...conciergeThread.messages, coming].reduce(
    (sum, message) => sum + countTokens(JSON.stringify(asPromptMessage(message))),
    WRAPPER_TOKENS,
  );
  return tokens > limits.conciergeThreadTokens ? "rolls-over" : "goes-on";
}

/** What a light wrapper adds to the message. */
const WRAPPER_TOKENS = 40;

/** The person's message, within what a prompt takes of it; the archive keeps it whole. */
export function messageOf(state: TurnState, { limits, countTokens }: NodeServices): string {
  return shorten(state.input?.text ?? "", { tokens: limits.messageTokens, countTokens });
}

/** What every message to an instance brings along. */
export function saidInput(state: TurnState, services: NodeServices): SaidInput {
  return {
    turn: state.turn,
    unheard: unheardWithin(state.unheard, services),
    meanwhile: meanwhileLines(state),
  };
}

/** The newest of what was not answered; the more there is, the shorter each. */
function unheardWithin(
  unheard: readonly string[],
  { limits, countTokens }: NodeServices,
): string[] {
  const most = Math.floor(limits.messageTokens / limits.recentMessageTokens);
  const newest = unheard.slice(-most);
  const tokens = Math.floor(limits.messageTokens / Math.max(1, newest.length));
  return newest.map((text) => shorten(text, { tokens, countTokens }));
}

/** What only an instance's first prompt tells: whose concierge it is, and for whom. */
export async function firstInput(state: TurnState, services: NodeServices) {
  const { domain, userData, limits, countTokens } = services;
  const { userId } = runOf(state);
  const profile = await domain.loadProfile(userData.reader(userId), userId);
  const wishes = renderConstraints(state.constraints, {
    budget: limits.constraintTokens,
    countTokens,
  });
  return {
    ...briefInput(services),
    persona: domain.persona,
    person: [profile.text, wishes].filter((text) => text !== "").join("\n"),
  };
}

/** What bounds a brief. */
export function briefInput({ countTokens, limits }: NodeServices) {
  return { countTokens, briefTokens: limits.briefTokens };
}

/** What the person has typed of late: a block that repeats it is no signal. */
export function typedBy(state: TurnState): string[] {
  const earlier = state.messages
    .filter((message) => message.getType() === "human")
    .map((message) => message.text);
  return [...new Set([...earlier, state.input?.text ?? "", ...state.unheard])];
}
