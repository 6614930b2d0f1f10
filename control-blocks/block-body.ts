import { type FenceLine, isDecoration } from "./fences.ts";
import type { BlockKind, MarkerWord } from "./markers.ts";

/** Place of an END in a body, in characters. */
export interface EndMark {
  readonly start: number;
  readonly end: number;
}

/** The text of a block that is open, and the ENDs in it that may close it. */
export class BlockBody {
  readonly kind: BlockKind;
  /** The code fence that stood before the opener and was hidden with it. */
  readonly fence: FenceLine | null;
  private body = "";
  /** The present line holds nothing but decoration, an END alone so far, or something else. */
  private line: "blank" | "end" | "content" = "content";
  private first: EndMark | null = null;
  private last: EndMark | null = null;

  constructor(kind: BlockKind, fence: FenceLine | null) {
    this.kind = kind;
    this.fence = fence;
  }

  get text(): string {
    return this.body;
  }

  /** Returns the first END, wherever it stands. */
  get firstEnd(): EndMark | null {
    return this.first;
  }

  /** Returns the END of the present line while it is alone there. */
  get loneEnd(): EndMark | null {
    return this.line === "end" ? this.last : null;
  }

  append(piece: string): void {
    this.body += piece;
    if (!isDecoration(piece)) this.line = "content";
  }

  endLine(): void {
    this.body += "\n";
    this.line = "blank";
  }

  /** Adds a marker, which closes nothing yet. */
  mark(word: MarkerWord, raw: string): void {
    const mark = { start: this.body.length, end: this.body.length + raw.length };
    this.body += raw;
    if (word === "END") {
      this.first ??= mark;
      this.last = mark;
    }
    this.line = word === "END" && this.line === "blank" ? "end" : "content";
  }
}
