import { type FenceLine, isBlank, isDecoration, nextFence, readFenceLine } from "./fences.ts";
import type { TextStage } from "./paragraphs.ts";

/**
 * States of the present line: only white space so far; decoration, which may belong to a marker; the
 * words behind a code fence; something to show; something to show that may prove to be a fence line.
 */
type LineState = "blank" | "decoration" | "fence" | "content" | "fence-like";

/** End of the output: nothing yet, a hidden block, or text. */
type Seam = "beginning" | "block" | "text";

const LONGEST_FENCE_LINE = 60;

/** The text outside blocks: passed on at once, but for what would go with a block that opens now. */
export class VisibleText {
  private readonly stage: TextStage;
  private state: LineState = "blank";
  private held = "";
  private line = "";
  private heldFence: FenceLine | null = null;
  private openFence: FenceLine | null = null;
  private seam: Seam = "beginning";
  /** True on the rest of a marker's own line. */
  private besideMarker = false;
  /** True while the fence that closes a hidden block may still come. */
  private closingFenceDue = false;

  constructor(stage: TextStage) {
    this.stage = stage;
  }

  /** Returns true when the present line shows something already. */
  get isInContent(): boolean {
    return this.state === "content" || this.state === "fence-like";
  }

  read(text: string): void {
    let index = 0;
    while (index < text.length) {
      const character = text[index] ?? "";
      const end = this.findEnd(text, index);
      if (this.state === "blank" && end > index) this.holdBlank(text.slice(index, end));
      else if (character === "\n") this.endLine("\n");
      else if (this.isInContent) this.continueLine(text.slice(index, end));
      else this.startLine(character);
      index = Math.max(end, index + 1);
    }
  }

  /** Reads the last text. A fence that opens as the text ends has nothing to show. */
  end(text: string): void {
    this.read(text);
    this.endLine("");
  }

  /** Hides what is held, for a marker stands here; returns the fence that is hidden with it. */
  hideHeld(): FenceLine | null {
    const hidden = this.isInContent ? null : (this.heldFence ?? readFenceLine(this.line));
    if (this.isInContent) this.endLine("");
    this.held = "";
    this.line = "";
    this.state = "blank";
    this.heldFence = null;
    if (this.seam === "text") this.seam = "block";
    this.stage.flush();
    return this.openFence === null ? hidden : null;
  }

  /** Goes on behind a block or a stray marker. */
  resume(after: { readonly closingFenceDue: boolean; readonly besideMarker: boolean }): void {
    this.closingFenceDue = after.closingFenceDue;
    if (after.besideMarker) this.besideMarker = true;
  }

  /** Returns the end of what can be read as one: the rest of a line with content, or white space. */
  private findEnd(text: string, from: number): number {
    if (this.isInContent) {
      const newline = text.indexOf("\n", from);
      return newline === -1 ? text.length : newline;
    }
    let end = from;
    if (this.state === "blank") while (end < text.length && isBlank(text[end] ?? "")) end += 1;
    return end;
  }

  /** Holds white space at the start of a line. */
  private holdBlank(blank: string): void {
    this.held += blank;
    if (blank.includes("\n")) {
      this.line = "";
      this.besideMarker = false;
    }
    this.line += blank.slice(blank.lastIndexOf("\n") + 1);
  }

  /** Passes on what follows on a line that has content; its last white space is held. */
  private continueLine(piece: string): void {
    if (this.state === "fence-like") this.line += piece;
    const solid = piece.trimEnd();
    if (solid !== "") this.passOn(this.held + solid);
    this.held = solid === "" ? this.held + piece : piece.slice(solid.length);
  }

  private startLine(character: string): void {
    const next = this.nextState(character);
    if (next === "content") return this.startContent(character);
    this.state = next;
    this.line += character;
    this.held += character;
  }

  private nextState(character: string): LineState {
    const isInfo = /[\w.+-]/.test(character);
    if (this.state === "fence") {
      const isShort = this.line.length < LONGEST_FENCE_LINE;
      return isShort && (isInfo || isBlank(character)) ? "fence" : "content";
    }
    if (isBlank(character)) return this.state;
    if (isDecoration(character)) return "decoration";
    const opens = this.state === "decoration" && isInfo && readFenceLine(this.line)?.bare === true;
    return opens ? "fence" : "content";
  }

  private startContent(character: string): void {
    this.showHeld();
    const isFenceLike = /^\s*(?:`{3}|~{3})/.test(this.line);
    this.state = isFenceLike ? "fence-like" : "content";
    this.line = isFenceLike ? this.line + character : "";
    if (!isBlank(character)) this.passOn(this.held + character);
    this.held = isBlank(character) ? this.held + character : "";
  }

  /** Decides on a line that has ended: shown, still held (an opening fence), or hidden with a block. */
  private endLine(newline: string): void {
    const fence = this.state === "blank" ? null : readFenceLine(this.line);
    if (fence !== null) this.endFenceLine(fence);
    else if (this.state === "decoration" && this.besideMarker) this.hideLine();
    else if (this.state === "decoration") this.showHeld();
    this.line = "";
    this.state = "blank";
    this.besideMarker = false;
    this.held += newline;
  }

  private endFenceLine(fence: FenceLine): void {
    const isFirst = !this.isInContent && this.heldFence === null && this.openFence === null;
    if (isFirst && fence.bare && (this.closingFenceDue || this.besideMarker)) {
      this.closingFenceDue = false;
      this.hideLine();
    } else if (isFirst) this.heldFence = fence;
    else {
      if (!this.isInContent) this.showHeld();
      this.openFence = nextFence(this.openFence, fence);
    }
  }

  private hideLine(): void {
    this.held = this.held.slice(0, this.held.length - this.line.length);
  }

  /** Passes on what is held, except white space at its end. */
  private showHeld(): void {
    const solid = this.held.trimEnd();
    if (solid !== "") {
      this.passOn(solid);
      this.held = this.held.slice(solid.length);
    }
    this.openFence = this.heldFence ?? this.openFence;
    this.heldFence = null;
    this.closingFenceDue = false;
  }

  private passOn(text: string): void {
    if (this.seam === "text") return this.stage.text(text);
    const first = text.trimStart();
    if (first === "") return;
    if (this.seam === "block") this.stage.text(this.openFence === null ? "\n\n" : "\n");
    this.seam = "text";
    this.stage.text(first);
  }
}
