import { StringDecoder } from "node:string_decoder";
import { Transform, type Readable } from "node:stream";

/** Asks a terminal to mark what is pasted, and to stop marking it. */
export const MARK_PASTES = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const BEGIN = "\u001B[200~";
const END = "\u001B[201~";
/** Stands for a line end in the row where a person edits a message. */
const LINE_MARK = "↵";
/** Pastes of more lines or characters stand as a placeholder in that row. */
const SHOWN_LINES = 10;
const SHOWN_CHARACTERS = 1_000;

/**
 * The keys of a terminal, in which a pasted text is a single row: its line ends are marks, or the
 * whole text is a placeholder. Enter sends it; pasting does not.
 */
export class PastedInput extends Transform {
  readonly #keyboard: Readable & { setRawMode?: (on: boolean) => unknown };
  readonly #decoder = new StringDecoder("utf8");
  /** The texts that stand as placeholders, by placeholder. */
  readonly #placeholders = new Map<string, string>();
  #rest = "";
  #isPasting = false;

  constructor(keyboard: Readable) {
    super({ encoding: "utf8" });
    this.#keyboard = keyboard;
    keyboard.pipe(this);
  }

  /** Called by the line editor, which reads every key. */
  setRawMode(on: boolean): void {
    this.#keyboard.setRawMode?.(on);
  }

  /** Returns the message that an edited row stands for. */
  expand(row: string): string {
    let text = row.replaceAll(LINE_MARK, "\n");
    for (const [placeholder, pasted] of this.#placeholders) {
      text = text.replaceAll(placeholder, () => pasted);
    }
    return text;
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#rest += this.#decoder.write(chunk);
    for (;;) {
      const mark = this.#isPasting ? END : BEGIN;
      const at = this.#rest.indexOf(mark);
      if (at === -1) break;
      this.#emit(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at + mark.length);
      this.#isPasting = !this.#isPasting;
    }
    if (!this.#isPasting) {
      // Part of a mark waits for its end; a lone Escape is a key.
      const held = [5, 4, 3].find((size) => this.#rest.endsWith(BEGIN.slice(0, size))) ?? 0;
      const end = this.#rest.length - held;
      this.push(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
    done();
  }

  #emit(text: string): void {
    this.push(this.#isPasting ? this.#toRow(text) : text);
  }

  #toRow(pasted: string): string {
    const text = pasted.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "  ").replace(/\n+$/, "");
    const lines = text.split("\n").length;
    if (lines <= SHOWN_LINES && text.length <= SHOWN_CHARACTERS) {
      return text.replaceAll("\n", LINE_MARK).replaceAll(/\p{Cc}/gu, "");
    }
    const placeholder = `[paste ${this.#placeholders.size + 1}: ${lines} ${lines === 1 ? "line" : "lines"}]`;
    this.#placeholders.set(placeholder, text);
    return placeholder;
  }
}
