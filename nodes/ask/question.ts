import type { EnvelopePart } from "../../state/envelope.ts";
import type { ShownIds } from "../../state/ids.ts";
import type { LanguageModel, ModelRole, PromptMessage } from "../../state/model.ts";
import type { TurnContext } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";

/** A question to a model, whatever the form of its answer. */
export interface Question {
  /** The node that asks, for events and manifest. */
  readonly node: string;
  readonly role: ModelRole;
  /** Asked instead of the role's model. */
  readonly model?: LanguageModel;
  readonly run: TurnContext;
  readonly turn: number;
  readonly parts: readonly EnvelopePart[];
  /** Kinds of parts without which the model is not asked at all. */
  readonly required: readonly string[];
  /** The ids that the prompt shows: an answer that names others is sent back. */
  readonly ids?: ShownIds;
  /** False where the schema must be the same in every call, whatever ids are shown. */
  readonly mayEnumerateIds?: boolean;
  /** Messages of an instance that goes on; they stand before the user message, after the system's. */
  readonly before?: readonly PromptMessage[];
  /** Earlier tool calls and their results, appended to the rendered parts. */
  readonly thread: readonly PromptMessage[];
  readonly maxOutputTokens: number;
  /** Seconds for comparing a batch's answers; left out for any other work. */
  readonly batchSeconds?: number;
  /** Called once the call is made; until then it waits for its place. */
  readonly onBegin?: () => void;
  /** The turn's notices so far: a model that took too long for one node is not asked by another. */
  readonly earlier?: readonly Notice[];
}

/** Roles without which a turn ends well: the last part of its budget is for the others. */
export const OPTIONAL_ROLES: ReadonlySet<ModelRole> = new Set(["expert", "mapper", "summarize"]);
