import { createInterface, type Interface } from "node:readline";
import type { Terminal } from "../session.ts";
import { Gate } from "../line-editor.ts";

/** The person has left: with Ctrl-C (130) or Ctrl-D (0). */
export class PersonLeft extends Error {
  override readonly name = "PersonLeft";
  readonly exitCode: number;

  constructor(exitCode: 0 | 130) {
    super("The person has left");
    this.exitCode = exitCode;
  }
}

/** Questions to the person at a terminal, one line each. Nothing that is typed is kept. */
export class Questions {
  readonly #terminal: Terminal;
  readonly #gate: Gate;
  readonly #editor: Interface;
  readonly #typedAhead: string[] = [];
  #waiting: { resolve: (line: string) => void; reject: (error: PersonLeft) => void } | null = null;
  #left: PersonLeft | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#gate = new Gate(terminal.output);
    this.#editor = createInterface({
      input: terminal.input,
      output: this.#gate,
      terminal: true,
      historySize: 0,
    });
    this.#editor.on("line", (line) => {
      const waiting = this.#waiting;
      this.#waiting = null;
      if (waiting === null) this.#typedAhead.push(line);
      else waiting.resolve(line);
    });
    this.#editor.on("SIGINT", () => this.#leave(130));
    this.#editor.on("close", () => this.#leave(0));
  }

  /** Shows a line. */
  show(line: string): void {
    this.#terminal.output.write(`${line}\n`);
  }

  /** Asks, and returns what was typed without blanks around it. @throws PersonLeft */
  async ask(question: string): Promise<string> {
    this.#gate.isShut = false;
    this.#editor.setPrompt(question);
    this.#editor.prompt();
    try {
      return await this.#next();
    } finally {
      this.#gate.isShut = true;
    }
  }

  /** Asks for a secret: what is typed is not shown. @throws PersonLeft */
  async askHidden(question: string): Promise<string> {
    this.#terminal.output.write(question);
    this.#gate.isShut = true;
    try {
      return await this.#next();
    } finally {
      this.#terminal.output.write("\n");
    }
  }

  /** Gives the terminal back. */
  close(): void {
    this.#left ??= new PersonLeft(0);
    this.#editor.close();
  }

  async #next(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const line = this.#typedAhead.shift();
    if (line !== undefined) return line.trim();
    if (this.#left !== null) throw this.#left;
    this.#waiting = { resolve, reject };
    return (await promise).trim();
  }

  #leave(exitCode: 0 | 130): void {
    this.#left ??= new PersonLeft(exitCode);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) return;
    this.#terminal.output.write("\n");
    waiting.reject(this.#left);
  }
}
