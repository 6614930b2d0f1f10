import type { ShapeName } from "../state/analysis.ts";
import type { EventNamed } from "../state/event.ts";
import type { Usage } from "../state/model.ts";
import type { Phase } from "../state/phase.ts";
import type { Receipt } from "../state/receipt.ts";
import type { Notice } from "../state/turn-summary.ts";

/**
 * One turn as its reader sees it, reduced from its events: live in a terminal or page, and stored
 * with the turn. Every `seq` is that of the event it came with: the order in which things happened.
 */
export interface TurnView {
  /** Null until the first event. The numbers of events count within the run. */
  readonly key: TurnKey | null;
  /** The last event taken in; 0 before the first. */
  readonly seq: number;
  /** `sending`: no event has arrived yet. */
  readonly status: "sending" | "running" | "done" | "stopped" | "failed";
  readonly message: string;
  /** Changes that something outside the conversation has made to known rows. */
  readonly outside: readonly OutsideLine[];
  /** The goals of the turn's plans: a blocked step leads to another plan. */
  readonly goals: readonly GoalView[];
  readonly nodes: readonly NodeView[];
  readonly steps: readonly StepView[];
  readonly experts: readonly ExpertView[];
  /** The batches of experts whose answers were compared. */
  readonly batches: readonly BatchView[];
  readonly phases: readonly PhaseView[];
  readonly plan: PlanTurnView;
  readonly replies: readonly ReplyView[];
  /** The changes that wait for a "yes" after this turn. */
  readonly confirmation: ConfirmationView | null;
  /** The answer that this turn gave to the question of an earlier one. */
  readonly confirmationEnd: ConfirmationEndView | null;
  readonly notices: readonly NoticeView[];
  /** Of each node the last wait, and times that were announced before they began. */
  readonly waits: readonly WaitView[];
  readonly usage: Usage;
  readonly error: TurnError | null;
  /** The outcome for the message; null until a turn ends with its summary. */
  readonly end: TurnEndView | null;
}

export interface TurnEndView extends Pick<EventNamed<"turn-end">, "seq" | "outcome" | "code"> {}

export interface TurnKey {
  readonly thread: string;
  readonly turn: number;
  readonly run: string;
}

export type OutsideLine = EventNamed<"outside">["changes"][number];

/** The events of a turn that concern the journey's plan. */
export interface PlanTurnView {
  /** The versions that the turn has made. */
  readonly versions: readonly PlanVersionView[];
  /** The experts' help with the first step, once it waits for the next message. */
  readonly ready: Pick<EventNamed<"step-help-ready">, "seq" | "step" | "text"> | null;
}

export interface PlanVersionView {
  readonly seq: number;
  readonly version: number;
}

export interface GoalView {
  readonly seq: number;
  readonly goal: string;
}

export interface NodeView {
  readonly seq: number;
  readonly name: string;
  /** Null while it runs. */
  readonly ms: number | null;
}

/** One step of a plan. Calls of tools that belong to no planned step stand in one without a description. */
export interface StepView {
  /** Null once another plan has taken its place. */
  readonly index: number | null;
  readonly description: string;
  /** Null while it is only planned. */
  readonly startSeq: number | null;
  readonly tools: readonly ToolView[];
  /** Null until it ends. */
  readonly end: StepEndView | null;
}

export interface StepEndView extends Pick<
  EventNamed<"step-end">,
  "seq" | "status" | "outcome" | "warnings"
> {}

/** One call of a tool. */
export interface ToolView extends Pick<EventNamed<"tool-start">, "call" | "tool" | "table"> {
  /** Null where its start was not received. */
  readonly startSeq: number | null;
  /** Null while it runs. */
  readonly end: ToolEndView | null;
}

export interface ToolEndView extends Pick<
  EventNamed<"tool-end">,
  "seq" | "effect" | "ok" | "count" | "suppressed" | "ms"
> {}

export interface ExpertView extends Pick<
  EventNamed<"expert-start">,
  "batch" | "purpose" | "expert"
> {
  /** Null where its start was not received. */
  readonly startSeq: number | null;
  /** Null while it works. */
  readonly end: ExpertEndView | null;
}

export interface ExpertEndView extends Pick<
  EventNamed<"expert-end">,
  "seq" | "outcome" | "reason" | "ms"
> {}

export interface BatchView extends Pick<EventNamed<"analysis">, "seq" | "batch" | "purpose"> {
  /** Null where fewer than two experts answered; so are the counts. */
  readonly shape: ShapeName | null;
  readonly counts: ClaimCounts | null;
}

export interface ClaimCounts {
  readonly claims: number;
  readonly tensions: number;
  readonly gaps: number;
}

export interface PhaseView {
  readonly seq: number;
  readonly phase: Phase;
}

/** A reply, as far as it has arrived. */
export interface ReplyView {
  readonly id: string;
  /** Everything the person reads: the receipts' lines, and the body below them. */
  readonly text: string;
  /** The receipts' lines alone; empty where there are none. */
  readonly lines: string;
  readonly receipts: readonly Receipt[];
  /** True once nothing of it changes any more. */
  readonly isWhole: boolean;
  /** The events that discarded what had arrived until then. */
  readonly resets: readonly number[];
}

export interface ConfirmationView extends Pick<
  EventNamed<"confirmation">,
  "id" | "wording" | "changes" | "rules" | "expiresAt"
> {}

export interface ConfirmationEndView extends Pick<
  EventNamed<"confirmation-end">,
  "id" | "answer"
> {}

export interface NoticeView extends Notice {
  readonly seq: number;
}

/** Something that takes long, as it was reported last. */
export interface WaitView extends Pick<
  EventNamed<"waiting">,
  "seq" | "node" | "reason" | "label" | "seconds" | "most"
> {}

export interface TurnError {
  readonly code: string;
  readonly message: string;
}
