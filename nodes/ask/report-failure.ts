import type { ModelErrorCode } from "../../state/model.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { renderSentence, type SentenceId } from "../../text/sentences.ts";
import type { NodeServices } from "../node.ts";
import type { Question } from "./question.ts";
import { TURN_BUDGET } from "./turn-meter.ts";

/** The reason why a question has no answer. */
export interface AskFailure {
  readonly code: FailureCode;
  /** One sentence for the record and the turn's audience; never holds a message text or a secret. */
  readonly reason: string;
  /** Seconds after which the model may be asked again; null where nobody said. */
  readonly seconds: number | null;
  /** The model's own words where it refused to answer; null elsewhere. They need the output filter. */
  readonly refusal: string | null;
}

/** `gate`, `turn-time` and the turn's budget: the model was not asked; `invalid`: its answer could not be used. */
export type FailureCode = ModelErrorCode | "gate" | "invalid" | "turn-time" | typeof TURN_BUDGET;

/** Sentences for the person, by the code of a failure (models.md, section 2). */
const FAILURE_SENTENCES = {
  gate: "modelUnreliable",
  invalid: "modelUnreliable",
  "turn-time": "modelTooSlow",
  [TURN_BUDGET]: "turnBudgetUsed",
  model_key_rejected: "modelNotSetUp",
  model_unknown: "modelNotSetUp",
  model_request_refused: "modelNotSetUp",
  model_no_credit: "modelNotSetUp",
  model_unreachable: "modelAway",
  model_failed: "modelAway",
  model_aborted: "modelAway",
  model_rate_limited: "modelBusy",
  model_busy: "modelBusy",
  model_timeout: "modelTooSlow",
  model_context_too_long: "modelTooMuch",
  model_answer_cut: "modelUnreliable",
  model_refused: "modelRefused",
} as const satisfies Record<FailureCode, SentenceId>;

/** The seconds after which to try again where the endpoint names none. */
const BUSY_SECONDS = 60;

/**
 * Explains to the person why there is no answer and what to do; names no model, host or setting. A
 * model that refused speaks for itself.
 */
export function explainFailure({
  code,
  seconds,
  refusal,
}: Pick<AskFailure, "code" | "seconds" | "refusal">): string {
  if (refusal !== null) return refusal;
  return renderSentence(FAILURE_SENTENCES[code], {
    seconds: Math.max(1, Math.ceil(seconds ?? BUSY_SECONDS)),
  });
}

/** A failure in the operator's words. */
export interface AskProblem {
  readonly code: FailureCode;
  readonly text: string;
  readonly seconds?: number | null;
  readonly refusal?: string | null;
}

/**
 * Reports what goes wrong with one question to the turn's audience: an operator reads everything, a
 * user a sentence without the parts of the machine, while the operator's goes to the log.
 */
export class FailureReport {
  readonly #question: Question;
  readonly #log: NodeServices["log"];

  constructor(question: Question, log: NodeServices["log"]) {
    this.#question = question;
    this.#log = log;
  }

  fail({ code, text, seconds = null, refusal = null }: AskProblem) {
    // A notice holds no words of a model.
    const reason = this.#choose(text, () => explainFailure({ code, seconds, refusal: null }));
    const notices: readonly Notice[] = [{ node: this.#question.node, code, text: reason }];
    return { kind: "failed", code, reason, seconds, refusal, notices } as const;
  }

  /** Reports a problem that the turn gets over. */
  note(code: "repair" | "partly-used", text: string): Notice {
    const words = code === "repair" ? "answerAskedAgain" : "answerPartlyUsed";
    return {
      node: this.#question.node,
      code,
      text: this.#choose(text, () => renderSentence(words)),
    };
  }

  /** Returns the notice of a lesson about the endpoint; null where it is nothing for the audience. */
  noteLesson(text: string): Notice | null {
    if (this.#isForOperator()) return { node: this.#question.node, code: "endpoint_learned", text };
    this.#log.info(`Learned about the model's endpoint: ${text}`);
    return null;
  }

  #choose(text: string, forUser: () => string): string {
    if (this.#isForOperator()) return text;
    const { node, run } = this.#question;
    this.#log.warn(`In "${node}" of run ${run.runId}: ${text}`);
    return forUser();
  }

  #isForOperator(): boolean {
    return this.#question.run.audience === "operator";
  }
}
