import type { ModelRole } from "../../state/model.ts";
import type { EndpointAnswer } from "./ask-endpoint.ts";

/** An answer that is longer under way than so many times the slowest one of its role has hung. */
const SLOWER = 4;

/** The answers of one model in this process, by which it is judged whether a call hangs or was cut. */
export class AnswerHistory {
  readonly #slowest = new Map<ModelRole, number>();
  #hasStreamEnd = false;

  /** True once a stream has said that it ends: one that does not was cut. */
  get hasStreamEnd(): boolean {
    return this.#hasStreamEnd;
  }

  /** Returns the seconds after which a whole answer has hung; null where the role had none yet. */
  findPatience(role: ModelRole): number | null {
    const slowest = this.#slowest.get(role);
    return slowest === undefined ? null : (SLOWER * slowest) / 1_000;
  }

  /** Notes an answer that took `ms`. */
  add(
    answer: EndpointAnswer,
    { role, ms }: { readonly role: ModelRole; readonly ms: number },
  ): void {
    if (answer.pieces !== null && !answer.isWhole)
      this.#hasStreamEnd ||= answer.finishReason !== null;
    else this.#slowest.set(role, Math.max(ms, this.#slowest.get(role) ?? 0));
  }
}
