import { closingTag, OPENING_TAG, THINKING_TAGS } from "./split-thinking.ts";

type Position =
  | { readonly kind: "beginning" }
  | { readonly kind: "thinking"; readonly closing: RegExp; readonly longest: number }
  /** After the block, where blanks are left out. */
  | { readonly kind: "after" }
  | { readonly kind: "text" };

const OPENING_TAGS = THINKING_TAGS.map((name) => `<${name}>`);

/**
 * Takes one block of thinking out of the beginning of a streamed text, as `splitThinking` does.
 *
 * Contract: for any chunking, `push` and `end` return, joined, the same text. A text that does not
 * begin with such a block passes at once, but for what may still become an opening tag. A closing
 * tag whose opening tag stood in the prompt is left in: what came before it has already passed.
 *
 * @example
 * const stripper = new ThinkStripper();
 * stripper.push("<think>Soup?</th") + stripper.push("ink>\nHello") + stripper.end(); // "Hello"
 */
export class ThinkStripper {
  #position: Position = { kind: "beginning" };
  #held = "";
  #thought = 0;

  /** Number of characters (UTF-16 units) that were thought, tags not counted. */
  get thought(): number {
    return this.#thought;
  }

  /** Takes a piece of the text and returns what of it may pass now; often `""`. */
  push(delta: string): string {
    this.#held += delta;
    for (;;) {
      const { kind } = this.#position;
      const passed = this.#advance();
      if (this.#position.kind === kind) return passed;
    }
  }

  /** Returns the rest of the text. Call it once, after the last piece. */
  end(): string {
    const rest = this.#position.kind === "thinking" ? "" : this.#held;
    if (this.#position.kind === "thinking") this.#thought += this.#held.length;
    this.#held = "";
    return rest;
  }

  /** Returns what may pass, and moves on where the text held so far decides it. */
  #advance(): string {
    switch (this.#position.kind) {
      case "beginning":
        this.#begin();
        return "";
      case "thinking":
        this.#think(this.#position);
        return "";
      case "after":
        this.#held = this.#held.trimStart();
        if (this.#held !== "") this.#position = { kind: "text" };
        return "";
      case "text":
        return this.#takeHeld(this.#held.length);
      default:
        return this.#position satisfies never;
    }
  }

  #begin(): void {
    const [tag, name] = OPENING_TAG.exec(this.#held) ?? [];
    if (tag !== undefined && name !== undefined) {
      this.#takeHeld(tag.length);
      const closing = closingTag(name);
      this.#position = { kind: "thinking", closing, longest: `</${name}>`.length };
      return;
    }
    const beginning = this.#held.trimStart().toLowerCase();
    if (OPENING_TAGS.some((opening) => opening.startsWith(beginning))) return;
    this.#position = { kind: "text" };
  }

  #think({ closing, longest }: Extract<Position, { kind: "thinking" }>): void {
    const found = closing.exec(this.#held);
    if (found !== null) {
      this.#thought += found.index;
      this.#takeHeld(found.index + found[0].length);
      this.#position = { kind: "after" };
      return;
    }
    // The closing tag may come in pieces.
    this.#thought += this.#takeHeld(Math.max(0, this.#held.length - longest + 1)).length;
  }

  #takeHeld(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}
