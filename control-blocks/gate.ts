import { createParagraphs, type PostProcess, type TextStage } from "./paragraphs.ts";
import { createScanner, type SignalBlock } from "./scan.ts";

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
 * `gated(text, options)`; no part of a block and no `<<<` is ever returned.
 */
export function createSignalGate(options: SignalGateOptions = {}): SignalGate {
  const { gate } = createGate(options);
  return gate;
}

/** The text as the gate lets it through: blocks and markers hidden, the rest post-processed. */
export function gated(text: string, options: SignalGateOptions = {}): string {
  const { gate } = createGate(options);
  return gate.push(text) + gate.end();
}

/** Parts an answer into what is shown and its signal blocks, closed or not. */
export function readBlocks(text: string): GatedText {
  const { gate, blocks } = createGate({});
  const userResponse = gate.push(text) + gate.end();
  return { userResponse, blocks: blocks() };
}

function createGate(options: SignalGateOptions): {
  readonly gate: SignalGate;
  readonly blocks: () => readonly SignalBlock[];
} {
  let shown = "";
  const emit = (text: string): void => {
    shown += text;
  };
  const scanner = createScanner(createTextStage(options, emit));
  const drainVisibleText = (): string => {
    const text = shown;
    shown = "";
    return text;
  };
  const gate = {
    push: (chunk: string) => {
      scanner.push(chunk);
      return drainVisibleText();
    },
    end: () => {
      scanner.end();
      return drainVisibleText();
    },
  };
  return { gate, blocks: scanner.blocks };
}

function createTextStage(options: SignalGateOptions, emit: (text: string) => void): TextStage {
  if (options.postProcess === undefined) return { text: emit, flush: () => undefined };
  return createParagraphs(options.postProcess, emit);
}
