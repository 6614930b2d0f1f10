/** The words that stand in a marker: `<<<WORD>>>`. */
export type MarkerWord = "HANDOVER" | "BATCH" | "END";

/** The texts that follow a marker's `<`; no two begin with the same letter. */
const MARKS: readonly { readonly word: MarkerWord; readonly text: string }[] = [
  { word: "HANDOVER", text: "HANDOVER>>>" },
  { word: "BATCH", text: "BATCH>>>" },
  { word: "END", text: "END>>>" },
];
/** A marker's word and `>>>` with some spaces between. */
const LONGEST_TAIL = 17;

/** The callbacks of a marker reader: for ordinary text, and for markers. */
export interface MarkerEvents {
  /** A run of three or more `<` comes whole, in one piece with what followed it. */
  readonly text: (raw: string) => void;
  readonly marker: (word: MarkerWord, raw: string) => void;
}

/** An incomplete marker at the end of the text. */
export interface CutMarker {
  readonly raw: string;
  /** The words it may have become; empty when too little is there to be a marker. */
  readonly words: readonly MarkerWord[];
}

/** A reader that is fed pieces of a text and told its end. */
export interface MarkerReader {
  readonly push: (text: string) => void;
  /** Ends the text and starts afresh; null when nothing stood open. */
  readonly end: () => CutMarker | null;
}

/**
 * Makes a reader of markers: three or more `<`, a word in any case, three or more `>`; a few
 * spaces between change nothing.
 *
 * Contract: however the text is cut into pieces, the characters and markers told are the same, and
 * nothing is held back but a possible marker.
 */
export function createMarkerReader(events: MarkerEvents): MarkerReader {
  /** A possible marker: its run of `<`, and the text after the run. */
  let run = "";
  let tail = "";
  /** The only marker that begins as the tail does, and how much of it has come. */
  let mark: (typeof MARKS)[number] | null = null;
  let matched = 0;
  let afterMarker = false;

  function push(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (run !== "") index = readOpen(text, index);
      else if (afterMarker) index = skipClosing(text, index);
      else index = readText(text, index);
    }
  }

  function readText(text: string, from: number): number {
    const found = text.indexOf("<", from);
    const end = found === -1 ? text.length : found;
    if (end > from) events.text(text.slice(from, end));
    if (found === -1) return end;
    run = "<";
    return found + 1;
  }

  /** A marker's further `>` belong to it. */
  function skipClosing(text: string, from: number): number {
    if (text[from] === ">") return from + 1;
    afterMarker = false;
    return from;
  }

  function readOpen(text: string, index: number): number {
    if (tail === "" && text[index] === "<") {
      let end = index;
      while (text[end] === "<") end += 1;
      run += text.slice(index, end);
      return end;
    }
    const character = text[index] ?? "";
    if (run.length < 3 || !continues(character)) {
      // The tail holds no "<": nothing of it can begin another marker.
      events.text(drainRun());
      return index;
    }
    tail += character;
    if (matched === mark?.text.length) {
      const { word } = mark;
      afterMarker = true;
      events.marker(word, drainRun());
    }
    return index + 1;
  }

  /** Takes the character into the marker when one may go on with it. */
  function continues(character: string): boolean {
    if (tail.length === LONGEST_TAIL) return false;
    if (character === " ") return true;
    const upper = character.toUpperCase();
    mark ??= MARKS.find((known) => known.text[0] === upper) ?? null;
    if (mark?.text[matched] !== upper) return false;
    matched += 1;
    return true;
  }

  function drainRun(): string {
    const raw = run + tail;
    run = "";
    tail = "";
    mark = null;
    matched = 0;
    return raw;
  }

  function end(): CutMarker | null {
    afterMarker = false;
    const words = mark === null ? MARKS.map((known) => known.word) : [mark.word];
    const mayBeMarker = run.length >= 3;
    const raw = drainRun();
    return raw === "" ? null : { raw, words: mayBeMarker ? words : [] };
  }

  return { push, end };
}
