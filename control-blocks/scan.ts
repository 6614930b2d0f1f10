import { BlockBody, type EndMark } from "./block-body.ts";
import { fenceAfter, readFenceLine } from "./fences.ts";
import { type BlockKind, MarkerReader, type MarkerWord, neutraliseMarkers } from "./markers.ts";
import { MarkerSpellings } from "./marker-spellings.ts";
import type { TextStage } from "./paragraphs.ts";
import { UnmarkedBlocks } from "./unmarked-blocks.ts";
import { VisibleText } from "./visible-text.ts";

/** A block as it stands in an answer. */
export interface SignalBlock {
  readonly kind: BlockKind;
  /** The text between its markers, unchanged. */
  readonly body: string;
  /** False when the text ended before `<<<END>>>`. */
  readonly closed: boolean;
}

/**
 * Parts an answer, piece by piece, into what is shown, which goes to a stage, and its signal blocks.
 *
 * A block opens with its marker and is closed by the first END alone on its line, else by the first
 * anywhere; an opener inside a block is text; after an opener that is never closed all is hidden. A
 * fence line and blank space before a block, and the fence line that closes it, go with the block.
 * An END without a block is hidden; a damaged marker is neutralised, and other runs of `<<<` are text. What
 * stands before and after a block is joined by a blank line, and the whole is trimmed.
 *
 * Contract: visible text is passed on as soon as it cannot belong to a block, and what is passed on
 * does not depend on how the text is cut into chunks. Each character is visited at most twice.
 */
export class Scanner {
  private readonly found: SignalBlock[] = [];
  private readonly stage: TextStage;
  private readonly visible: VisibleText;
  private readonly reader = new MarkerReader({
    text: (raw) => this.readText(raw),
    marker: (word, raw) => this.readMarker(word, raw),
  });
  private readonly spellings = new MarkerSpellings((text) => this.reader.push(text));
  private readonly unmarked = new UnmarkedBlocks({
    push: (text) => this.spellings.push(text),
    isInBlock: () => this.block !== null,
  });
  /** Null outside a block. */
  private block: BlockBody | null = null;
  /** True once the text is known to hold no END alone on its line: the next END closes. */
  private anyEndCloses = false;

  constructor(stage: TextStage) {
    this.stage = stage;
    this.visible = new VisibleText(stage);
  }

  get blocks(): readonly SignalBlock[] {
    return this.found;
  }

  push(chunk: string): void {
    this.unmarked.push(chunk);
  }

  end(): void {
    this.unmarked.end();
    this.spellings.end();
    this.endReader();
    if (this.block !== null) this.endInside(this.block);
    this.stage.flush();
  }

  private readText(raw: string): void {
    if (this.block === null) this.visible.read(raw.startsWith("<") ? neutraliseMarkers(raw) : raw);
    else this.readInside(raw);
  }

  private readMarker(word: MarkerWord, raw: string): void {
    if (this.block !== null) return this.markInside(this.block, word, raw);
    const fence = this.visible.hideHeld();
    if (word !== "END") this.block = new BlockBody(word, fence);
    else this.visible.resume({ closingFenceDue: fence !== null, besideMarker: true });
  }

  private readInside(raw: string): void {
    let from = 0;
    while (from < raw.length) {
      if (this.block === null) return this.visible.read(raw.slice(from));
      const newline = raw.indexOf("\n", from);
      this.block.append(raw.slice(from, newline === -1 ? raw.length : newline));
      if (newline === -1) return;
      from = newline + 1;
      if (this.block.loneEnd === null) this.block.endLine();
      else this.close(this.block, this.block.loneEnd);
    }
  }

  private markInside(block: BlockBody, word: MarkerWord, raw: string): void {
    if (word === "END" && this.anyEndCloses) this.close(block, null);
    else block.mark(word, raw);
  }

  /** Closes the block at an END, or where it is; the rest of an END's line counts only behind a lone one. */
  private close(block: BlockBody, end: EndMark | null): void {
    const body = block.text.slice(0, end?.start);
    const isLone = end !== null && end === block.loneEnd;
    const hasClosed = isLone && readFenceLine(block.text.slice(end.end)) !== null;
    this.found.push({ kind: block.kind, body, closed: true });
    this.block = null;
    this.visible.resume({
      closingFenceDue: !hasClosed && fenceAfter(body, block.fence) !== null,
      besideMarker: !isLone,
    });
  }

  /** Ends the reader's text: what may have become a marker is hidden, else it is text. */
  private endReader(): void {
    const cut = this.reader.end();
    if (this.block !== null) return this.readInside(cut?.raw ?? "");
    const isHidden = cut !== null && (cut.words.length > 0 || !this.visible.isInContent);
    if (!isHidden) return this.visible.end(cut?.raw ?? "");
    this.visible.hideHeld();
    const [word, ...others] = cut.words;
    if (word === undefined || word === "END" || others.length > 0) return;
    this.found.push({ kind: word, body: "", closed: false });
  }

  private endInside(block: BlockBody): void {
    if (block.loneEnd !== null) return this.close(block, block.loneEnd);
    const { firstEnd } = block;
    if (firstEnd !== null) {
      this.close(block, firstEnd);
      this.anyEndCloses = true;
      this.reader.push(block.text.slice(firstEnd.end));
      this.endReader();
    }
    // After an opener that is never closed all is hidden.
    if (this.block === null) return;
    this.found.push({ kind: this.block.kind, body: this.block.text, closed: false });
    this.block = null;
  }
}
