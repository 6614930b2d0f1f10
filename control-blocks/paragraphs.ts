import { neutralise } from "../text/fence.ts";
import { type FenceLine, nextFence, readFenceLine } from "./fences.ts";

/** Transforms each paragraph of an answer before it is shown. */
export type PostProcess = (paragraph: string) => string;

/** A stage that is fed pieces of the visible text and passes them on. */
export interface TextStage {
  readonly text: (piece: string) => void;
  /** A block begins or the text ends: what is held is whole. */
  readonly flush: () => void;
}

/**
 * Makes the stage that post-processes paragraph by paragraph.
 *
 * A paragraph is a run of lines without a blank one, outside code fences; fenced code passes
 * untouched, line by line. A paragraph that becomes blank takes the white space before it along.
 * `<<<` is neutralised again after `postProcess`.
 */
export function createParagraphs(
  postProcess: PostProcess,
  emit: (text: string) => void,
): TextStage {
  let line = "";
  let paragraph = "";
  /** White space that stands between what was passed on and what comes. */
  let gap = "";
  let fence: FenceLine | null = null;
  let begun = false;

  function passOn(text: string): void {
    emit(begun ? gap + text : text);
    begun = true;
    gap = "";
  }

  function endParagraph(): void {
    if (paragraph === "") return;
    const body = paragraph.trimEnd();
    const after = paragraph.slice(body.length);
    paragraph = "";
    const processed = neutralise(postProcess(body));
    if (processed.trim() !== "") passOn(processed);
    gap = after;
  }

  function endLine(ended: string, newline: string): void {
    const mark = readFenceLine(ended);
    if (fence !== null || mark !== null) {
      endParagraph();
      fence = nextFence(fence, mark);
      if (ended.trim() !== "") passOn(ended);
      else gap += ended;
      gap += newline;
      return;
    }
    if (ended.trim() === "") {
      endParagraph();
      gap += ended + newline;
      return;
    }
    paragraph += ended + newline;
  }

  function text(piece: string): void {
    let from = 0;
    for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", from)) {
      const ended = line + piece.slice(from, at);
      line = "";
      endLine(ended, "\n");
      from = at + 1;
    }
    line += piece.slice(from);
  }

  function flush(): void {
    const ended = line;
    line = "";
    if (ended !== "") endLine(ended, "");
    endParagraph();
  }

  return { text, flush };
}
