import type { Models } from "../../app/open-models.ts";
import type { CountTokens, LanguageModel, ModelRole } from "../../state/model.ts";
import type { Price } from "../../models/prices.ts";
import { drawConversations, INTENTS, playIntents, type DrawnNumbers } from "./play-intents.ts";
import { RecordedAnswers } from "./recorded-model.ts";
import { estimate, rehearse, type Estimate, type Rehearsal } from "./rehearse.ts";
import type { Report } from "./report.ts";

/** Conversations that are played side by side, at the most. */
const AT_ONCE = 4;

/** An evaluation that has not begun. */
export interface Evaluation extends DrawnNumbers {
  /** The model, as the report names it. */
  readonly model: string;
  readonly models: Models;
  readonly countTokens: CountTokens;
  readonly findPrice: (role: ModelRole) => Price | null;
  /** Returns false where it is not to begin. */
  readonly mayBegin: (estimate: Estimate) => Promise<boolean>;
  /** Called after each conversation with those that are done, and all. Default: nobody. */
  readonly onPlayed?: (done: number, all: number) => void;
}

/** Evaluates a model; null where it was not to begin. */
export async function evaluateModel(evaluation: Evaluation): Promise<Report | null> {
  const { model, models, limit, seed, onPlayed } = evaluation;
  const conversations = drawConversations({ limit, seed });
  const rehearsal = await rehearse(conversations, evaluation.countTokens);
  const traits = readTraits(models.understand);
  const atOnce = Math.max(1, Math.min(AT_ONCE, traits.slots));
  const { findPrice, mayBegin } = evaluation;
  if (!(await mayBegin(estimate(rehearsal, { findPrice, atOnce })))) return null;
  let done = 0;
  const items = await playIntents({
    conversations,
    open: () => models,
    atOnce,
    onPlayed: () => onPlayed?.((done += 1), conversations.length),
  });
  return toReport({ model, limit, seed, traits, items }, rehearsal);
}

/**
 * Plays a report again with the answers that it has recorded: they are judged anew.
 *
 * @throws UsageError where a request has no recorded answer, since prompts or code have changed.
 */
export async function replayReport(report: Report, countTokens: CountTokens): Promise<Report> {
  const conversations = drawConversations(report);
  const answers = new RecordedAnswers(report);
  const items = await playIntents({
    conversations,
    open: (conversation) => answers.open(conversation),
    atOnce: 1,
  });
  if (answers.missing !== null) throw answers.missing;
  return toReport({ ...report, items }, await rehearse(conversations, countTokens));
}

function toReport(
  { model, limit, seed, traits, items }: Omit<Report, "version" | "sets" | "prompts">,
  { prompts }: Rehearsal,
): Report {
  return { version: 1, model, seed, limit, sets: [INTENTS], prompts, traits, items };
}

/** A model that says nothing about itself is of the full tier, and in this process. */
function readTraits({ traits }: LanguageModel): Report["traits"] {
  const known = traits?.();
  if (known === undefined) return { tier: "full", slots: AT_ONCE, window: null };
  const { tier, slots, promptTokens } = known;
  return { tier, slots, window: promptTokens(0) };
}
