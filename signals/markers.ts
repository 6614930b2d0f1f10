/** The words that stand in a marker: `<<<WORD>>>`. */
export type MarkerWord = "HANDOVER" | "BATCH" | "END";

const WORDS: readonly MarkerWord[] = ["HANDOVER", "BATCH", "END"];
/** A marker's word and `>>>` with some spaces between. */
const LONGEST_TAIL = 17;

/** What a marker reader tells: text that is no marker, and markers. */
export interface MarkerEvents {
  /** A run of three or more `<` comes whole, in one piece with what followed it. */
  readonly text: (raw: string) => void;
  readonly marker: (word: MarkerWord, raw: string) => void;
}

/** What stood open when the text ended: the beginning of what may have become a marker. */
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
 * Makes a reader of markers: three or more `<`, a word in any case, spaces around it or not, three or
 * more `>`.
 *
 * Contract: however the text is cut into pieces, the characters and markers told are the same, and
 * nothing is held back but a possible marker.
 */
export function createMarkerReader(events: MarkerEvents): MarkerReader {
  /** What may become a marker: its run of `<`, and what follows the run. */
  let run = "";
  let tail = "";
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
    const next = tail + (text[index] ?? "");
    const [word] = run.length < 3 ? [] : wordsOf(next);
    if (word === undefined) {
      // The tail holds no "<": nothing of it can begin another marker.
      events.text(take());
      return index;
    }
    tail = next;
    if (next.endsWith(">>>")) {
      afterMarker = true;
      events.marker(word, take());
    }
    return index + 1;
  }

  function take(): string {
    const raw = run + tail;
    run = "";
    tail = "";
    return raw;
  }

  function end(): CutMarker | null {
    afterMarker = false;
    const words = run.length < 3 ? [] : wordsOf(tail);
    const raw = take();
    return raw === "" ? null : { raw, words };
  }

  return { push, end };
}

/** The words whose marker may go on from this beginning of what follows the `<`. */
function wordsOf(tail: string): readonly MarkerWord[] {
  if (tail.length > LONGEST_TAIL) return [];
  const begun = tail.replaceAll(" ", "").toUpperCase();
  return WORDS.filter((word) => `${word}>>>`.startsWith(begun));
}
