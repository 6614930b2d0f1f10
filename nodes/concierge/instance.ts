import { shorten } from "../../registry/shorten.ts";
import { renderConstraints } from "../../registry/constraints.ts";
import type { PrefaceInput, Readiness } from "../../prompts/concierge-sections.ts";
import { renderPlanUpdate } from "../../prompts/render-plan-changes.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { TurnState } from "../../state/turn.ts";
import type { ThreadMessage } from "../../state/phase.ts";
import { asPromptMessage } from "./concierge-thread.ts";
import { taskActivitySince } from "./task-activity.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** The way an instance continues: with its transcript, or replaced by a fresh instance. */
export type Continuity = "fresh" | "goes-on" | "rolls-over";

/**
 * A phase without an instance gets one; one whose thread has outgrown its budget, or that another
 * model has spoken in, is followed by a fresh one of the same phase.
 */
export function determineContinuity(state: TurnState, services: NodeServices): Continuity {
  const { concierge, conciergeThread } = state;
  if (concierge.conciergeContextId === null) return "fresh";
  if (conciergeThread.contextId !== concierge.conciergeContextId) return "rolls-over";
  if (conciergeThread.model !== services.models.concierge.name) return "rolls-over";
  const { limits, countTokens } = services;
  // With the message that is to come, and as prompts are counted: then the next prompt is within the budget.
  const coming: ThreadMessage = { role: "user", text: shortenMessage(state, services) };
  const tokens = [...conciergeThread.messages, coming].reduce(
    (sum, message) => sum + countTokens(JSON.stringify(asPromptMessage(message))),
    WRAPPER_TOKENS,
  );
  return tokens > limits.conciergeThreadTokens ? "rolls-over" : "goes-on";
}

/** Tokens that a light wrapper adds to the message. */
const WRAPPER_TOKENS = 40;

/** Returns the person's message, shortened to fit a prompt. The archive keeps the full text. */
export function shortenMessage(state: TurnState, { limits, countTokens }: NodeServices): string {
  return shorten(state.input?.text ?? "", { tokens: limits.messageTokens, countTokens });
}

/** Builds the input that every message to an instance contains. `plan`: null where the message has it anyway. */
export function buildPrefaceInput(
  state: TurnState,
  services: NodeServices,
  plan: JourneyPlan | null = state.journeyPlan,
): PrefaceInput {
  return {
    turn: state.turn,
    readiness: readReadiness(state),
    ownPart: state.lanesServed.includes("task")
      ? (state.understanding?.conciergePart ?? null)
      : null,
    planUpdate: describePlanUpdate(state, plan, services),
    unansweredMessages: shortenUnanswered(state.unansweredMessages, services),
    meanwhile: taskActivitySince(state),
    tier: services.tier ?? "full",
  };
}

function readReadiness({ understanding }: TurnState): Readiness | null {
  const { asksForPlan = null, commits = null } = understanding ?? {};
  if (asksForPlan !== null) return { kind: "asks-for-plan", words: asksForPlan };
  return commits === null ? null : { kind: "commits", words: commits };
}

/** Returns the changes of this turn, and the plan where the instance was shown an older version of it. */
function describePlanUpdate(
  { planNews, conciergeThread }: TurnState,
  plan: JourneyPlan | null,
  { limits, countTokens }: NodeServices,
): string {
  const isShown = plan === null || conciergeThread.planVersion >= plan.version;
  return renderPlanUpdate({
    report: planNews?.report ?? "",
    question: planNews?.asked?.question ?? "",
    plan: isShown ? null : plan,
    tokens: limits.planTokens,
    countTokens,
  });
}

/** Returns the newest unanswered messages; the more there are, the shorter each of them. */
function shortenUnanswered(
  unansweredMessages: readonly string[],
  { limits, countTokens }: NodeServices,
): string[] {
  const most = Math.floor(limits.messageTokens / limits.recentMessageTokens);
  const newest = unansweredMessages.slice(-most);
  const tokens = Math.floor(limits.messageTokens / Math.max(1, newest.length));
  return newest.map((text) => shorten(text, { tokens, countTokens }));
}

/** Loads the input of an instance's first prompt: its persona and the person it works for. */
export async function loadFirstPromptInput(state: TurnState, services: NodeServices) {
  const { domain, userData, limits, countTokens } = services;
  const { userId } = requireRun(state);
  const profile = await domain.loadProfile(userData.reader(userId), userId);
  const wishes = renderConstraints(state.constraints, {
    budget: limits.constraintTokens,
    ruleBudget: limits.ruleTokens,
    message: state.input?.text ?? "",
    countTokens,
  });
  return {
    persona: domain.persona,
    person: [profile.text, wishes].filter((text) => text !== "").join("\n"),
  };
}

/** The limit that bounds a brief, by the place of the brief. */
export type BriefLimit = "briefTokens" | "sheetTokens" | "stepSheetTokens";

/** Returns the bounds of a brief. */
export function selectBriefInput({ countTokens, limits }: NodeServices, limit: BriefLimit) {
  return { countTokens, briefTokens: limits[limit] };
}

/** Returns the person's recent messages: a control block that repeats one of them is not a signal. */
export function collectTypedMessages(state: TurnState): string[] {
  const earlier = state.messages
    .filter((message) => message.getType() === "human")
    .map((message) => message.text);
  return [...new Set([...earlier, state.input?.text ?? "", ...state.unansweredMessages])];
}
