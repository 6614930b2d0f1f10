import { TextDecoder } from "node:util";

/** One line of input. */
export interface InputLine {
  /** Without its end (LF or CRLF). */
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** Bytes that are not UTF-8 were replaced with U+FFFD. */
  readonly damaged: boolean;
  /** It was longer than is kept: `text` is its beginning. */
  readonly cut: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of a byte stream, as they come; the last one needs no end. A byte-order mark at the
 * start is not part of the first line. Of a line no more than `keepBytes` are kept.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  { keepBytes }: { readonly keepBytes: number },
): AsyncGenerator<InputLine> {
  let number = 1;
  let line = emptyLine();
  for await (const chunk of input) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LF, start);
      append(line, chunk.subarray(start, end === -1 ? chunk.length : end), keepBytes);
      if (end === -1) break;
      yield finish(line, number);
      number += 1;
      line = emptyLine();
      start = end + 1;
    }
  }
  if (line.length > 0) yield finish(line, number);
}

interface OpenLine {
  readonly pieces: Uint8Array[];
  kept: number;
  length: number;
}

function emptyLine(): OpenLine {
  return { pieces: [], kept: 0, length: 0 };
}

function append(line: OpenLine, bytes: Uint8Array, keepBytes: number): void {
  line.length += bytes.length;
  const piece = bytes.subarray(0, keepBytes - line.kept);
  if (piece.length === 0) return;
  // A stream may use its buffer again.
  line.pieces.push(Uint8Array.from(piece));
  line.kept += piece.length;
}

function finish(line: OpenLine, number: number): InputLine {
  const bytes = Buffer.concat(line.pieces);
  const cut = line.length > line.kept;
  const whole = !cut && bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
  const { text, damaged } = decode(whole);
  return { text: number === 1 ? text.replace(/^\uFEFF/, "") : text, number, damaged, cut };
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
