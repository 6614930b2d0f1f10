import { TextDecoder } from "node:util";

/** One line of input. */
export interface InputLine {
  /** Without its end (LF or CRLF). */
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** Bytes that are not UTF-8 were replaced with U+FFFD. */
  readonly damaged: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Yields the lines of a byte stream as they arrive; the last one needs no end. A byte-order mark at
 * the start is not part of the first line. Keeps at most `keepBytes` of a line.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  { keepBytes }: { readonly keepBytes: number },
): AsyncGenerator<InputLine> {
  let number = 1;
  let line = new OpenLine(keepBytes);
  for await (const chunk of input) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LF, start);
      line.append(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) break;
      yield line.finish(number);
      number += 1;
      line = new OpenLine(keepBytes);
      start = end + 1;
    }
  }
  if (!line.isEmpty()) yield line.finish(number);
}

/** A line whose end has not arrived. */
class OpenLine {
  readonly #keepBytes: number;
  readonly #pieces: Uint8Array[] = [];
  #kept = 0;
  #length = 0;

  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
  }

  isEmpty(): boolean {
    return this.#length === 0;
  }

  append(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const piece = bytes.subarray(0, this.#keepBytes - this.#kept);
    if (piece.length === 0) return;
    // A stream may use its buffer again.
    this.#pieces.push(Uint8Array.from(piece));
    this.#kept += piece.length;
  }

  finish(number: number): InputLine {
    const bytes = Buffer.concat(this.#pieces);
    const isWhole = this.#length === this.#kept;
    const { text, damaged } = decode(
      isWhole && bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes,
    );
    return { text: number === 1 ? text.replace(/^\uFEFF/, "") : text, number, damaged };
  }
}

function decode(bytes: Uint8Array): { readonly text: string; readonly damaged: boolean } {
  try {
    return { text: decoder(true).decode(bytes), damaged: false };
  } catch {
    return { text: decoder(false).decode(bytes), damaged: true };
  }
}

function decoder(fatal: boolean): TextDecoder {
  return new TextDecoder("utf-8", { fatal, ignoreBOM: true });
}
