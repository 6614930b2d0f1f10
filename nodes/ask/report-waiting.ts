import type { Emit } from "../../state/event.ts";
import type { ModelWait } from "../../state/model.ts";
import { renderSentence } from "../../text/sentences.ts";

/** Seconds without an event after which the person is told what is waited for. */
const REPORT_SECONDS = 5;

interface WaitingOptions {
  readonly node: string;
  readonly emit: Emit;
  /** Seconds that the call may take. */
  readonly most: number;
  /** The work that the call is for, once it has its place. Default: `model`. */
  readonly reason?: "model" | "batch";
}

const SENTENCES = {
  queue: "waitingForPlace",
  "rate-limit": "waitingForRate",
  model: "waitingForModel",
  batch: "waitingForComparison",
} as const;

/**
 * Says every five seconds what a call waits for, as long as nothing else is seen of it.
 *
 * Source: models.md §1, event `waiting`.
 */
export class WaitingReport {
  private readonly options: WaitingOptions;
  private readonly timer: NodeJS.Timeout;
  private wait: ModelWait | null = null;
  private seconds = 0;

  constructor(options: WaitingOptions) {
    this.options = options;
    this.timer = setInterval(() => this.report(), REPORT_SECONDS * 1_000).unref();
  }

  /** Takes what the call waits for; null once it has been made. */
  note(wait: ModelWait | null): void {
    this.wait = wait;
  }

  /** Something was seen of the call: the five seconds begin anew. */
  touch(): void {
    this.timer.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    const { node, emit, most, reason: work = "model" } = this.options;
    this.seconds += REPORT_SECONDS;
    const reason = this.wait?.reason ?? work;
    emit({
      type: "waiting",
      node,
      reason,
      label: renderSentence(SENTENCES[reason]),
      seconds: this.seconds,
      most: this.wait === null ? most : this.wait.most,
    });
  }
}
