import type { ModelRole } from "../../state/model.ts";
import type { EndpointAnswer } from "./ask-endpoint.ts";

/** The call that an answer came to. */
interface AnsweredCall {
  readonly role: ModelRole;
  /** Milliseconds that it took. */
  readonly ms: number;
  readonly isStructured: boolean;
}

/** An answer that is longer under way than so many times the slowest one of its role has hung. */
const SLOWER = 4;

/** The answers of one model in this process, by which it is judged whether a call hangs or was cut. */
export class AnswerHistory {
  readonly #slowest = new Map<ModelRole, number>();
  #hasStreamEnd = false;
  #hasStructured = false;

  /** True once a stream has said that it ends: one that does not was cut. */
  get hasStreamEnd(): boolean {
    return this.#hasStreamEnd;
  }

  /** True once a structured answer has come: the way in which it is requested is not refused. */
  get hasStructured(): boolean {
    return this.#hasStructured;
  }

  /** Returns the seconds after which a whole answer has hung; null where the role had none yet. */
  findPatience(role: ModelRole): number | null {
    const slowest = this.#slowest.get(role);
    return slowest === undefined ? null : (SLOWER * slowest) / 1_000;
  }

  /** Notes an answer. */
  add(answer: EndpointAnswer, { role, ms, isStructured }: AnsweredCall): void {
    this.#hasStructured ||= isStructured;
    if (answer.pieces !== null && !answer.isWhole)
      this.#hasStreamEnd ||= answer.finishReason !== null;
    else this.#slowest.set(role, Math.max(ms, this.#slowest.get(role) ?? 0));
  }
}
