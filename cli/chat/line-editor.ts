import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import { countColumns, type TerminalStream } from "./screen.ts";

/** A prompt at which a person types. */
export interface LineEditor {
  /** Returns the next line, first those typed ahead; null after the last one (Ctrl-D). */
  next(): Promise<string | null>;
  /** Returns true while a caller waits for a line: then only `above` may write. */
  isOpen(): boolean;
  /** Lets `write` print whole lines above the line being typed, then shows that line again. */
  above(write: () => void): void;
  /** Clears the typed line and prompts again. */
  discard(): void;
  close(): void;
}

export interface LineEditorOptions {
  readonly input: Readable;
  readonly output: TerminalStream;
  readonly prompt: string;
  /** Words that Tab completes at the start of a line. */
  readonly words: readonly string[];
  /** Called for Ctrl-C, with what stands at the prompt. */
  readonly onInterrupt: (typed: string) => void;
}

/**
 * Makes a line editor with a history of its own. While nobody waits in `next` it keeps what is
 * typed without showing it, so that it does not run into what is being written.
 */
export function createLineEditor(options: LineEditorOptions): LineEditor {
  const gate = new Gate(options.output);
  const editor = createInterface({
    input: options.input,
    output: gate,
    terminal: true,
    historySize: 500,
    removeHistoryDuplicates: true,
    prompt: options.prompt,
    completer: (line: string) => [
      line.startsWith("/") ? options.words.filter((word) => word.startsWith(line)) : [],
      line,
    ],
  });
  const ahead: string[] = [];
  let waiting: ((line: string | null) => void) | null = null;
  let ended = false;

  function give(line: string | null): void {
    const take = waiting;
    waiting = null;
    gate.shut = true;
    take?.(line);
  }
  /** Prompts on the row where the cursor is; the editor believes it is where it was last. */
  function prompt(typed: string): void {
    gate.shut = true;
    erase();
    gate.shut = false;
    editor.prompt();
    if (typed !== "") editor.write(typed);
  }
  function erase(): void {
    editor.write(null, { ctrl: true, name: "e" });
    editor.write(null, { ctrl: true, name: "u" });
  }

  editor.on("line", (line) => {
    if (waiting === null) ahead.push(line);
    else give(line);
  });
  editor.on("SIGINT", () => options.onInterrupt(waiting === null ? "" : editor.line));
  editor.on("close", () => {
    ended = true;
    if (waiting !== null) gate.write("\n");
    give(null);
  });

  return {
    next() {
      const line = ahead.shift();
      if (line !== undefined) {
        gate.shut = false;
        gate.write(`${options.prompt}${line}\n`);
        gate.shut = true;
        return Promise.resolve(line);
      }
      if (ended) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiting = resolve;
      prompt(editor.line);
      return promise;
    },
    isOpen: () => waiting !== null,
    above(write) {
      if (waiting === null) {
        write();
        return;
      }
      const { line, cursor } = editor;
      // From the cursor's row to the one where the prompt begins; then everything below goes.
      const up = editor.getCursorPos().rows;
      gate.write(`${up === 0 ? "" : `\u001B[${up}A`}\r\u001B[J`);
      write();
      prompt(line);
      for (const _ of line.slice(cursor)) editor.write(null, { name: "left" });
    },
    discard() {
      if (waiting !== null) prompt("");
    },
    close: () => editor.close(),
  };
}

/** The way to a terminal, which can be shut. */
class Gate extends Writable {
  shut = true;
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
    if (!this.shut) this.#terminal.write(chunk);
    done();
  }
}
