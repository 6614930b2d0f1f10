import { type FenceLine, isBlank, nextFence, readFenceLine } from "./fences.ts";
import { neutraliseMarkers } from "./markers.ts";

/** Transforms each paragraph of an answer before it is shown. */
export type PostProcess = (paragraph: string) => string;

/** A stage that is fed pieces of the visible text and passes them on. */
export interface TextStage {
  readonly text: (piece: string) => void;
  /** A block begins or the text ends: what is held is whole. */
  readonly flush: () => void;
}

/**
 * Post-processes a text paragraph by paragraph.
 *
 * A paragraph is a run of lines without a blank one, outside code fences; fenced code passes
 * untouched, line by line. A paragraph that becomes blank takes the white space before it along.
 * Markers that `postProcess` makes are neutralised.
 */
export class Paragraphs implements TextStage {
  private readonly postProcess: PostProcess;
  private readonly emit: (text: string) => void;
  private line = "";
  private paragraph = "";
  /** White space between what was passed on and what comes; null before anything was passed on. */
  private gap: string | null = null;
  private fence: FenceLine | null = null;

  constructor(postProcess: PostProcess, emit: (text: string) => void) {
    this.postProcess = postProcess;
    this.emit = emit;
  }

  text(piece: string): void {
    const [first = "", ...lines] = piece.split("\n");
    this.line += first;
    for (const line of lines) {
      this.endLine("\n");
      this.line = line;
    }
  }

  flush(): void {
    if (this.line !== "") this.endLine("");
    this.endParagraph();
  }

  private endLine(newline: string): void {
    const { line } = this;
    this.line = "";
    const mark = readFenceLine(line);
    if (this.fence === null && mark === null && !isBlank(line)) {
      this.paragraph += line + newline;
      return;
    }
    this.endParagraph();
    this.fence = nextFence(this.fence, mark);
    if (isBlank(line)) this.widen(line + newline);
    else this.passOn(line, newline);
  }

  private endParagraph(): void {
    const body = this.paragraph.trimEnd();
    const after = this.paragraph.slice(body.length);
    if (this.paragraph === "") return;
    this.paragraph = "";
    const processed = neutraliseMarkers(this.postProcess(body));
    if (isBlank(processed)) this.gap = this.gap === null ? null : after;
    else this.passOn(processed, after);
  }

  private passOn(text: string, gap: string): void {
    this.emit((this.gap ?? "") + text);
    this.gap = gap;
  }

  private widen(blank: string): void {
    if (this.gap !== null) this.gap += blank;
  }
}
