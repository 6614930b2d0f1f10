import type { Profile, Tool } from "../../state/domain.ts";
import type { ConversationView } from "../../prompts/view.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Plan, PlanStep } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { Artifact, PendingCall, StepResult } from "../../state/step.ts";
import type { CallRecord } from "../../state/call-record.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import type { StepTools } from "./step-tools.ts";
import type { WrittenCounts } from "./written-counts.ts";

/** The context that the steps of one round of `act` or `tools` share. */
interface StepsRound {
  readonly state: TurnState;
  readonly plan: Plan;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** The context of `tools`. */
export interface Round extends StepsRound {
  /** The changes that the turn has made so far, those of this round included. */
  readonly written: WrittenCounts;
}

/** A call of one of the domain's tools. */
export interface DomainCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly pending: PendingCall;
  readonly registry: Registry;
  readonly round: Round;
}

/** The context of `act`: also the conversation as prompts see it, and the tools of each kind of step. */
export interface ActRound extends StepsRound {
  readonly view: ConversationView;
  readonly profile: Profile;
  readonly tools: StepTools;
}

/** One step of a round and how far it is. */
export interface OpenStep {
  readonly step: PlanStep;
  readonly result: StepResult;
  readonly round: ActRound;
}

/** The decision of one step in this round. */
export interface StepDecision {
  readonly result: StepResult;
  readonly pendingCalls: readonly PendingCall[];
  /** Drafts to take into the registry, in order. */
  readonly artifacts: readonly Artifact[];
  readonly calls: readonly CallRecord[];
  readonly notices: readonly Notice[];
}

/** The result of a decision that ends its step or sends it back, without its cost. */
export type StepClosing = Omit<StepDecision, "calls" | "notices">;
