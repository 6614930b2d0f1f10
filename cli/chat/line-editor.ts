import { createInterface, type Interface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import { MARK_PASTES, PastedInput } from "./pasted-input.ts";
import { countColumns, type TerminalStream } from "./screen.ts";

const PROMPT = "> ";

/** The terminal of a line editor and what its keys do. */
export interface LineEditorOptions {
  readonly input: Readable;
  readonly output: TerminalStream;
  /** Words that Tab completes at the start of a line. */
  readonly words: readonly string[];
  /** Called for Ctrl-C, with what stands at the prompt. */
  readonly onInterrupt: (typed: string) => void;
}

/**
 * A prompt at which a person types messages, with a history and pastes of several lines. While no
 * caller waits in `next`, typed text is kept without being shown, so that it does not run into the
 * output.
 */
export class LineEditor {
  readonly #input: PastedInput;
  readonly #gate: Gate;
  readonly #terminal: TerminalStream;
  readonly #editor: Interface;
  readonly #typedAhead: string[] = [];
  #waiting: ((line: string | null) => void) | null = null;
  #hasEnded = false;

  constructor({ input, output, words, onInterrupt }: LineEditorOptions) {
    this.#terminal = output;
    this.#gate = new Gate(output);
    this.#input = new PastedInput(input);
    this.#editor = createInterface({
      input: this.#input,
      output: this.#gate,
      terminal: true,
      historySize: 500,
      removeHistoryDuplicates: true,
      prompt: PROMPT,
      completer: (line: string) => [
        line.startsWith("/") ? words.filter((word) => word.startsWith(line)) : [],
        line,
      ],
    });
    output.write(MARK_PASTES.on);
    this.#editor.on("line", (line) => {
      if (this.#waiting === null) this.#typedAhead.push(line);
      else this.#deliver(this.#input.expand(line));
    });
    this.#editor.on("SIGINT", () => onInterrupt(this.isOpen() ? this.#editor.line : ""));
    this.#editor.on("close", () => {
      this.#hasEnded = true;
      if (this.#waiting !== null) this.#gate.write("\n");
      this.#deliver(null);
      this.#terminal.write(MARK_PASTES.off);
    });
  }

  /** Returns the next message, first those typed ahead; null after the last one (Ctrl-D). */
  next(): Promise<string | null> {
    const line = this.#typedAhead.shift();
    if (line !== undefined) {
      this.#terminal.write(`${PROMPT}${line}\n`);
      return Promise.resolve(this.#input.expand(line));
    }
    if (this.#hasEnded) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#waiting = resolve;
    this.#prompt(this.#editor.line);
    return promise;
  }

  /** Returns true while a caller waits for a message: then only `writeAbove` may write. */
  isOpen(): boolean {
    return this.#waiting !== null;
  }

  /** Lets `write` print whole lines above the line being typed, then shows that line again. */
  writeAbove(write: () => void): void {
    if (!this.isOpen()) {
      write();
      return;
    }
    const { line, cursor } = this.#editor;
    // From the cursor's row to the one where the prompt begins; then everything below goes.
    const up = this.#editor.getCursorPos().rows;
    this.#gate.write(`${up === 0 ? "" : `\u001B[${up}A`}\r\u001B[J`);
    write();
    this.#prompt(line);
    for (const _ of line.slice(cursor)) this.#editor.write(null, { name: "left" });
  }

  /** Clears the typed line and prompts again. */
  discard(): void {
    if (this.isOpen()) this.#prompt("");
  }

  close(): void {
    this.#editor.close();
  }

  #deliver(line: string | null): void {
    const receive = this.#waiting;
    this.#waiting = null;
    this.#gate.isShut = true;
    receive?.(line);
  }

  /** Prompts on the row where the cursor is; the editor believes it is where it was last. */
  #prompt(typed: string): void {
    this.#gate.isShut = true;
    this.#editor.write(null, { ctrl: true, name: "e" });
    this.#editor.write(null, { ctrl: true, name: "u" });
    this.#gate.isShut = false;
    this.#editor.prompt();
    if (typed !== "") this.#editor.write(typed);
  }
}

/** The way to a terminal, which can be shut. */
export class Gate extends Writable {
  isShut = true;
  readonly #terminal: TerminalStream;

  constructor(terminal: TerminalStream) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    terminal.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return countColumns(this.#terminal);
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    if (!this.isShut) this.#terminal.write(chunk);
    done();
  }
}
