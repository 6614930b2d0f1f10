const MARK = /<<<\/?[A-Z_]{1,40}>>>/i;
/** The end of a text that may become a mark. */
const BEGUN = /<{1,2}$|<<<\/?[A-Z_]{0,40}>{0,2}$/i;

/**
 * Leaves out blocks that nobody asked for, from a text that comes in pieces: JSON between two marks,
 * whatever their names. Other text between marks passes, and so do the marks around it.
 *
 * Contract: for any text and any chunking, what `push` and `end` return is, joined, the same text.
 */
export class BlockFilter {
  #held = "";

  push(chunk: string): string {
    this.#held += chunk;
    return this.#drain(false);
  }

  /** Returns the rest. To be called once. */
  end(): string {
    return this.#drain(true);
  }

  #drain(isLast: boolean): string {
    let passed = "";
    for (;;) {
      const mark = MARK.exec(this.#held);
      if (mark === null) {
        const end = isLast ? -1 : this.#held.search(BEGUN);
        return passed + this.#take(end === -1 ? this.#held.length : end);
      }
      passed += this.#take(mark.index);
      const body = this.#held.slice(mark[0].length);
      const mayBeJson = /^\s*(?:[[{]|$)/.test(body);
      const closing = mayBeJson ? MARK.exec(body) : null;
      if (closing !== null && /^\s*[[{][^]*[\]}]\s*$/.test(body.slice(0, closing.index))) {
        this.#take(mark[0].length + closing.index + closing[0].length);
      } else if (closing === null && mayBeJson && !isLast) {
        return passed;
      } else {
        passed += this.#take(mark[0].length);
      }
    }
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}
