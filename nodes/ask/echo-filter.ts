import type { PromptMessage } from "../../state/model.ts";

/** Characters by which the beginning of a system text is known; a shorter text may stand in any answer. */
const KNOWN_BY = 60;

/** Lists the beginnings of a prompt's system texts, by which an answer that repeats one is known. */
export function listBeginnings(messages: readonly PromptMessage[]): readonly string[] {
  return messages
    .filter(({ role }) => role === "system")
    .map(({ text }) => fold(text).slice(0, KNOWN_BY))
    .filter(({ length }) => length === KNOWN_BY);
}

/** Returns true for an answer that repeats its instructions. */
export function hasEcho(answer: string, beginnings: readonly string[]): boolean {
  const folded = fold(answer);
  return beginnings.some((beginning) => folded.includes(beginning));
}

/**
 * Keeps back a streamed text that begins as its instructions do. One that differs passes at once, from
 * the first word that does.
 */
export class EchoFilter {
  readonly #beginnings: readonly string[];
  readonly #onText: (delta: string) => void;
  #held: string | null = "";

  constructor(beginnings: readonly string[], onText: (delta: string) => void) {
    this.#beginnings = beginnings;
    this.#onText = onText;
  }

  push(delta: string): void {
    if (this.#held === null) {
      this.#onText(delta);
      return;
    }
    this.#held += delta;
    const folded = fold(this.#held).slice(0, KNOWN_BY);
    if (this.#beginnings.some((beginning) => beginning.startsWith(folded))) return;
    this.#onText(this.#held);
    this.#held = null;
  }

  /** Begins anew, for the text that follows. */
  restart(): void {
    this.#held = "";
  }
}

function fold(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
