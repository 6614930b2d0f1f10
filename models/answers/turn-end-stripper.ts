/** Channels of a Harmony text pass: which of them is the answer is for those to judge who show it. */
const CHANNELS = "start|channel|constrain|message|end|return|call";
/**
 * A token by which a chat template ends a turn or begins one: `<|im_end|>`, `<|eot_id|>`, the same
 * between wide bars, `<end_of_turn>`. In code marks it is spoken of.
 */
const TOKEN = new RegExp(
  String.raw`(?<!\x60)<(?:[|｜](?!(?:${CHANNELS})[|｜])[\p{L}\p{N}_▁]{1,40}[|｜]|(?:start|end)_of_turn)>`,
  "u",
);
/** The end of a text that may become such a token, or one in code marks. */
const BEGUN = /\x60?(?:<[|｜]?[\p{L}\p{N}_▁]{0,40}[|｜]?)?$/u;

/**
 * Ends a streamed answer where its chat template ends it: what a model writes behind such a token is
 * another turn, made up. One before the answer is left out.
 *
 * Contract: for any chunking, `push` and `end` return, joined, the same text.
 *
 * @example
 * const stripper = new TurnEndStripper();
 * stripper.push("Soup.<|im_") + stripper.push("end|>\nthanks") + stripper.end(); // "Soup."
 */
export class TurnEndStripper {
  #held = "";
  #hasBegun = false;
  #isOver = false;

  /** Takes a piece of the text and returns what of it may pass now; often `""`. */
  push(delta: string): string {
    this.#held += delta;
    return this.#advance(() => BEGUN.exec(this.#held)?.index);
  }

  /** Returns the rest of the text. Call it once, after the last piece. */
  end(): string {
    return this.#advance(() => this.#held.length);
  }

  /** Returns what may pass up to a place in the text that is held. */
  #advance(findPlace: () => number | undefined): string {
    if (this.#isOver) return "";
    const token = TOKEN.exec(this.#held);
    const passed = this.#held.slice(0, token?.index ?? findPlace());
    this.#hasBegun ||= passed.trim() !== "";
    this.#held = this.#held.slice(passed.length + (token?.[0].length ?? 0));
    if (token === null) return passed;
    this.#isOver = this.#hasBegun;
    return passed + this.#advance(findPlace);
  }
}
