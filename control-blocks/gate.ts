import { Paragraphs, type PostProcess } from "./paragraphs.ts";
import { Scanner, type SignalBlock } from "./scan.ts";

export interface SignalGateOptions {
  /** Applied to each paragraph outside code fences; must be pure. */
  readonly postProcess?: PostProcess;
}

/** A filter between a model's streaming answer and the person. */
export interface SignalGate {
  /** Takes a chunk and returns what may be shown now; often `""`. */
  readonly push: (chunk: string) => string;
  /** Returns what was held back and belongs to no block. To be called once. */
  readonly end: () => string;
}

/** An answer read whole: what is shown, and the blocks in their order. */
export interface GatedText {
  readonly userResponse: string;
  readonly blocks: readonly SignalBlock[];
}

/**
 * Makes the gate for one answer.
 *
 * Contract: for any text and any chunking, what `push` and `end` return, joined, is
 * `gated(text, options)`; no part of a block and no marker is ever returned.
 *
 * @example
 * const gate = createSignalGate();
 * gate.push("Good.\n\n<<<HAND") + gate.push("OVER>>>\nGOAL: x\n") + gate.end(); // "Good."
 */
export function createSignalGate(options: SignalGateOptions = {}): SignalGate {
  return new Gate(options);
}

/** The text as the gate lets it through: blocks and markers hidden, the rest post-processed. */
export function gated(text: string, options: SignalGateOptions = {}): string {
  const gate = new Gate(options);
  return gate.push(text) + gate.end();
}

/** Parts an answer into what is shown and its signal blocks, closed or not. */
export function readBlocks(text: string): GatedText {
  const gate = new Gate({});
  const userResponse = gate.push(text) + gate.end();
  return { userResponse, blocks: gate.blocks };
}

class Gate implements SignalGate {
  private readonly scanner: Scanner;
  private shown = "";

  constructor({ postProcess }: SignalGateOptions) {
    const emit = (text: string): void => {
      this.shown += text;
    };
    const plain = { text: emit, flush: () => undefined };
    this.scanner = new Scanner(
      postProcess === undefined ? plain : new Paragraphs(postProcess, emit),
    );
  }

  get blocks(): readonly SignalBlock[] {
    return this.scanner.blocks;
  }

  push(chunk: string): string {
    this.scanner.push(chunk);
    return this.drain();
  }

  end(): string {
    this.scanner.end();
    return this.drain();
  }

  private drain(): string {
    const { shown } = this;
    this.shown = "";
    return shown;
  }
}
