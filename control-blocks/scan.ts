import { neutralise } from "../text/fence.ts";
import { fenceAfter, type FenceLine, nextFence, readFenceLine } from "./fences.ts";
import { createMarkerReader, type MarkerWord } from "./markers.ts";
import type { TextStage } from "./paragraphs.ts";

/** Which signal a block carries. */
export type BlockKind = "HANDOVER" | "BATCH";

/** A block as it stands in an answer. */
export interface SignalBlock {
  readonly kind: BlockKind;
  /** The text between its markers, unchanged. */
  readonly body: string;
  /** False when the text ended before `<<<END>>>`. */
  readonly closed: boolean;
}

/** A scanner that is fed pieces of an answer: visible text goes to its stage, blocks stay with it. */
export interface Scanner {
  readonly push: (chunk: string) => void;
  readonly end: () => void;
  readonly blocks: () => readonly SignalBlock[];
}

/** Characters around a marker on its line that are hidden with it. */
const DECORATION = "*_#>`~";
const LONGEST_FENCE_LINE = 60;

interface OpenBlock {
  readonly kind: BlockKind;
  /** The code fence that stood before the opener and was hidden with it. */
  readonly fence: FenceLine | null;
  body: string;
  /** True while the line of the body holds white space and decoration only. */
  lineBlank: boolean;
  /** The body up to the first END, wherever it stands, and all that followed that END. */
  firstEnd: string | null;
  rest: string;
  /** The body up to an END that is alone on its line so far, and what followed it there. */
  aloneEnd: string | null;
  aloneTail: string;
}

/**
 * Makes the scanner that parts an answer into what is shown and its signal blocks.
 *
 * A block opens with its marker and is closed by the first END alone on its line, else by the first
 * anywhere; an opener inside a block is text; after an opener that is never closed all is hidden. A
 * fence line and blank space before a block, and the fence line that closes it, go with the block.
 * An END without a block is hidden; other runs of `<<<` are neutralised. What stands before and after
 * a block is joined by a blank line, and the whole is trimmed.
 *
 * Contract: visible text is passed on as soon as it cannot belong to a block, and what is passed on
 * does not depend on how the text is cut into chunks. Each character is visited at most twice.
 */
export function createScanner(stage: TextStage): Scanner {
  const found: SignalBlock[] = [];
  const reader = createMarkerReader({ text: onText, marker: onMarker });
  let block: OpenBlock | null = null;
  /** True once the text is known to hold no END alone on its line: the next END closes. */
  let anyEndCloses = false;

  // The visible text: what is held back goes with a block that opens now.
  let held = "";
  let line = "";
  let place: "start" | "decoration" | "fence" | "content" = "start";
  /** True on a line of content that may yet prove to be a fence. */
  let fenceLike = false;
  let heldFence: FenceLine | null = null;
  let openFence: FenceLine | null = null;
  let begun = false;
  let joining = false;
  /** True on the rest of a marker's own line. */
  let besideMarker = false;
  /** True while the fence that closes a hidden block may still come. */
  let closingFenceDue = false;

  function onText(raw: string): void {
    if (block !== null) return readInBlock(raw);
    readVisible(raw.startsWith("<") ? neutralise(raw) : raw);
  }

  function onMarker(word: MarkerWord, raw: string): void {
    if (block !== null) return markInBlock(block, word, raw);
    const hidden = place === "content" ? null : (heldFence ?? readFenceLine(line));
    hideHeld();
    const fence = openFence === null ? hidden : null;
    if (word === "END") {
      besideMarker = true;
      closingFenceDue = fence !== null;
      return;
    }
    block = openBlock(word, fence);
  }

  // Visible text.

  function readVisible(text: string): void {
    let index = 0;
    while (index < text.length) {
      const character = text[index] ?? "";
      if (character === "\n") {
        endLine();
        held += "\n";
        index += 1;
      } else if (place === "content") {
        const newline = text.indexOf("\n", index);
        const end = newline === -1 ? text.length : newline;
        continueLine(text.slice(index, end));
        index = end;
      } else {
        const end = place === "start" ? blankEnd(text, index) : index;
        if (end === index) startLine(character);
        else holdBlank(text.slice(index, end));
        index = Math.max(end, index + 1);
      }
    }
  }

  /** Holds white space at the start of a line. */
  function holdBlank(blank: string): void {
    held += blank;
    line =
      line === "" || blank.includes("\n") ? blank.slice(blank.lastIndexOf("\n") + 1) : line + blank;
    if (blank.includes("\n")) besideMarker = false;
  }

  /** Passes on what follows on a line that has content; its last white space is held. */
  function continueLine(piece: string): void {
    if (fenceLike) line += piece;
    const solid = piece.trimEnd();
    if (solid === "") {
      held += piece;
      return;
    }
    passOn(held + solid);
    held = piece.slice(solid.length);
  }

  function startLine(character: string): void {
    const next = placeAfter(character);
    if (next === "content") return startContent(character);
    place = next;
    line += character;
    held += character;
  }

  function placeAfter(character: string): typeof place {
    const fenceInfo = /[\w.+-]/.test(character);
    if (place === "fence") {
      const short = line.length < LONGEST_FENCE_LINE;
      return short && (fenceInfo || isBlank(character)) ? "fence" : "content";
    }
    if (isBlank(character)) return place;
    if (DECORATION.includes(character)) return "decoration";
    if (place === "decoration" && fenceInfo && readFenceLine(line)?.bare === true) return "fence";
    return "content";
  }

  function startContent(character: string): void {
    showHeld();
    place = "content";
    fenceLike = mayBeFence(line);
    if (fenceLike) line += character;
    else line = "";
    if (isBlank(character)) held += character;
    else {
      passOn(held + character);
      held = "";
    }
  }

  /** Decides on a line that has ended: shown, still held (an opening fence), or hidden with a block. */
  function endLine(): void {
    const fence = place === "start" ? null : readFenceLine(line);
    if (fence !== null) endFenceLine(fence);
    else if (place === "decoration") {
      if (besideMarker) hideLine();
      else showHeld();
    }
    line = "";
    place = "start";
    besideMarker = false;
  }

  function endFenceLine(fence: FenceLine): void {
    if (place === "content") {
      openFence = nextFence(openFence, fence);
      return;
    }
    const leftOver = closingFenceDue || besideMarker;
    if (leftOver && fence.bare && openFence === null && heldFence === null) {
      closingFenceDue = false;
      return hideLine();
    }
    if (heldFence === null && openFence === null) {
      heldFence = fence;
      return;
    }
    showHeld();
    openFence = nextFence(openFence, fence);
  }

  function hideLine(): void {
    held = held.slice(0, held.length - line.length);
  }

  /** Passes on what is held, except white space at its end. */
  function showHeld(): void {
    const solid = held.trimEnd();
    const after = held.slice(solid.length);
    if (solid !== "") {
      passOn(solid);
      held = after;
    }
    if (heldFence !== null) openFence = heldFence;
    heldFence = null;
    closingFenceDue = false;
  }

  function passOn(text: string): void {
    if (begun && !joining) return stage.text(text);
    const first = text.trimStart();
    if (first === "") return;
    if (begun) stage.text(openFence === null ? "\n\n" : "\n");
    begun = true;
    joining = false;
    stage.text(first);
  }

  /** Hides what is held, for a block begins here or a stray marker stood here. */
  function hideHeld(): void {
    if (place === "content") endLine();
    held = "";
    line = "";
    place = "start";
    heldFence = null;
    joining = true;
    stage.flush();
  }

  // Inside a block.

  function readInBlock(raw: string): void {
    for (let from = 0; from < raw.length;) {
      const newline = raw.indexOf("\n", from);
      const end = newline === -1 ? raw.length : newline;
      if (block === null) return readVisible(raw.slice(from));
      readBlockLine(block, raw.slice(from, end));
      if (newline === -1) return;
      endBlockLine(block);
      from = newline + 1;
    }
  }

  function readBlockLine(open: OpenBlock, piece: string): void {
    append(open, piece);
    if (isDecoration(piece)) {
      if (open.aloneEnd !== null) open.aloneTail += piece;
      return;
    }
    open.lineBlank = false;
    open.aloneEnd = null;
  }

  function endBlockLine(open: OpenBlock): void {
    if (open.aloneEnd !== null) return close(open, open.aloneEnd);
    append(open, "\n");
    open.lineBlank = true;
  }

  function markInBlock(open: OpenBlock, word: MarkerWord, raw: string): void {
    if (word === "END" && anyEndCloses) {
      close(open, open.body);
      besideMarker = true;
      return;
    }
    const alone = word === "END" && open.lineBlank;
    open.aloneEnd = alone ? open.body : null;
    open.aloneTail = "";
    open.lineBlank = false;
    const first = word === "END" && open.firstEnd === null;
    const before = open.body;
    append(open, raw);
    if (first) open.firstEnd = before;
  }

  function close(open: OpenBlock, body: string): void {
    found.push({ kind: open.kind, body, closed: true });
    const fence = fenceAfter(body, open.fence);
    closingFenceDue = fence !== null && readFenceLine(open.aloneTail) === null;
    block = null;
  }

  // The end.

  function end(): void {
    endRead();
    if (block !== null) endInBlock(block);
    stage.flush();
  }

  /** Ends the reader's text: what may have become a marker is hidden, else it is text. */
  function endRead(): void {
    const cut = reader.end();
    if (block === null) return endVisible(cut?.raw ?? "", cut?.words ?? null);
    if (cut !== null) readInBlock(cut.raw);
  }

  function endVisible(raw: string, words: readonly MarkerWord[] | null): void {
    if (words !== null && (words.length > 0 || place !== "content")) {
      hideHeld();
      const [word] = words;
      const certain = words.length === 1 && word !== undefined && word !== "END";
      if (certain) found.push({ kind: word, body: "", closed: false });
      return;
    }
    readVisible(raw);
    endLine();
    // A fence that opens as the text ends has nothing to show.
  }

  function endInBlock(open: OpenBlock): void {
    if (open.aloneEnd !== null) {
      close(open, open.aloneEnd);
      return;
    }
    if (open.firstEnd === null) {
      leaveOpen();
      return;
    }
    const { rest } = open;
    close(open, open.firstEnd);
    besideMarker = true;
    anyEndCloses = true;
    reader.push(rest);
    endRead();
    leaveOpen();
  }

  /** After an opener that is never closed all is hidden. */
  function leaveOpen(): void {
    if (block === null) return;
    found.push({ kind: block.kind, body: block.body, closed: false });
    block = null;
  }

  return { push: reader.push, end, blocks: () => found };
}

function openBlock(kind: BlockKind, fence: FenceLine | null): OpenBlock {
  return {
    kind,
    fence,
    body: "",
    lineBlank: false,
    firstEnd: null,
    rest: "",
    aloneEnd: null,
    aloneTail: "",
  };
}

function append(open: OpenBlock, raw: string): void {
  open.body += raw;
  if (open.firstEnd !== null) open.rest += raw;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function isDecoration(text: string): boolean {
  for (const character of text) {
    if (!DECORATION.includes(character) && !isBlank(character)) return false;
  }
  return true;
}

function mayBeFence(line: string): boolean {
  return /^\s*(?:`{3}|~{3})/.test(line);
}

/** Returns the end of the run of white space that begins at an index. */
function blankEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isBlank(text[end] ?? "")) end += 1;
  return end;
}
