/** Signals that a block can carry: the words of its opener. */
export type BlockKind = "HANDOVER" | "BATCH";

/** The words that stand in a marker: `<<<WORD>>>`. */
export type MarkerWord = BlockKind | "END";

/** The words of markers; no two begin with the same letter. */
const WORDS: readonly MarkerWord[] = ["HANDOVER", "BATCH", "END"];

/** Characters of a marker's word and `>>>` with some spaces between. */
const LONGEST_TAIL = 17;

/** Brackets behind which a marker's word begins, damaged or not. */
const OPENER = new RegExp(
  `<{3,}(?= *(?:${WORDS.map((word) => word.slice(0, 3)).join("|")}))`,
  "giu",
);

/** The text with the brackets of its markers, damaged ones too, turned into as many `‹`. */
export function neutraliseMarkers(text: string): string {
  return text.replace(OPENER, (run) => "‹".repeat(run.length));
}

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

/**
 * Reads markers piece by piece: three or more `<`, a word in any case, three or more `>`; a few spaces
 * between change nothing.
 *
 * Contract: however the text is cut into pieces, the characters and markers passed on are the same,
 * and nothing is held back but a possible marker.
 */
export class MarkerReader {
  private readonly events: MarkerEvents;
  /** A possible marker: its run of `<`, and the text behind the run. */
  private run = "";
  private tail = "";
  /** The tail without spaces, in capitals. */
  private letters = "";
  private afterMarker = false;

  constructor(events: MarkerEvents) {
    this.events = events;
  }

  push(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (this.run !== "") index = this.readOpen(text, index);
      else if (this.afterMarker && text[index] === ">") index += 1;
      else index = this.readText(text, index);
    }
  }

  /** Ends the text and starts afresh; returns null when nothing stood open. */
  end(): CutMarker | null {
    this.afterMarker = false;
    const possible = WORDS.filter((word) => `${word}>>>`.startsWith(this.letters));
    const words = this.run.length >= 3 ? possible : [];
    const raw = this.drain();
    return raw === "" ? null : { raw, words };
  }

  private readText(text: string, from: number): number {
    this.afterMarker = false;
    const found = text.indexOf("<", from);
    const end = found === -1 ? text.length : found;
    if (end > from) this.events.text(text.slice(from, end));
    if (found === -1) return end;
    this.run = "<";
    return found + 1;
  }

  private readOpen(text: string, index: number): number {
    if (this.tail === "" && text[index] === "<") {
      let end = index;
      while (text[end] === "<") end += 1;
      this.run += text.slice(index, end);
      return end;
    }
    const character = text[index] ?? "";
    const letters = character === " " ? this.letters : this.letters + character.toUpperCase();
    const isOpen = this.run.length >= 3 && this.tail.length < LONGEST_TAIL;
    const word = isOpen ? WORDS.find((each) => `${each}>>>`.startsWith(letters)) : undefined;
    if (word === undefined) {
      // The tail holds no "<": nothing of it can begin another marker.
      this.events.text(this.drain());
      return index;
    }
    this.tail += character;
    this.letters = letters;
    if (letters === `${word}>>>`) {
      this.afterMarker = true;
      this.events.marker(word, this.drain());
    }
    return index + 1;
  }

  private drain(): string {
    const raw = this.run + this.tail;
    this.run = "";
    this.tail = "";
    this.letters = "";
    return raw;
  }
}
