import type { MarkerWord } from "./markers.ts";

/** Ways of writing the angle brackets of a marker. */
const STYLES = [
  { open: "<", close: ">" },
  { open: "＜", close: "＞" },
  { open: "«", close: "»" },
  { open: "&lt;", close: "&gt;" },
  { open: "\\<", close: "\\>" },
] as const;

/** The words between the brackets, without slash, in capitals, with single spaces. */
const PHRASES: readonly (readonly [string, MarkerWord])[] = [
  ["HANDOVER", "HANDOVER"],
  ["BATCH", "BATCH"],
  ["END", "END"],
  ["END HANDOVER", "END"],
  ["END BATCH", "END"],
  ["HANDOVER END", "END"],
  ["BATCH END", "END"],
  ["END WORKFLOW", "END"],
  ["END STEP HELP", "END"],
];

/** Characters between the brackets: more are none of a marker. */
const LONGEST_PHRASE = 24;

/** Brackets of one run that are looked at together, so that a long run is not read again and again. */
const LONGEST_RUN = 8;

/** A text read as the beginning of a marker. */
type Reading =
  /** It may become one. `ended`: its canonical spelling if the text ended here; null: it is text then. */
  | { readonly kind: "open"; readonly ended: string | null }
  | {
      readonly kind: "marker";
      readonly word: MarkerWord;
      readonly length: number;
      /** Its last bracket: more of them belong to it. */
      readonly close: string;
    }
  /** The first characters are text. */
  | { readonly kind: "text"; readonly length: number };

/**
 * Gives every marker its one spelling, piece by piece: two or more brackets of any style, an END that names its
 * block or closes it with a slash. Everything else is passed on as it is.
 *
 * Contract: however the text is cut into pieces, the characters passed on are the same, and nothing is
 * held back but a possible marker.
 *
 * Source: living-plan.md §10.
 */
export class MarkerSpellings {
  private readonly pass: (text: string) => void;
  private held = "";
  /** The bracket that closed the marker just passed on; empty behind other text. */
  private close = "";

  constructor(pass: (text: string) => void) {
    this.pass = pass;
  }

  push(chunk: string): void {
    let text = this.held + chunk;
    this.held = "";
    while (text !== "") {
      if (this.close !== "") {
        text = this.dropClosers(text);
        if (text === "") return;
      }
      const start = findOpener(text);
      if (start > 0) this.pass(text.slice(0, start));
      text = text.slice(start);
      if (text === "") return;
      const reading = readMarker(text);
      if (reading.kind === "open") {
        this.held = text;
        return;
      }
      const isMarker = reading.kind === "marker";
      this.pass(isMarker ? `<<<${reading.word}>>>` : text.slice(0, reading.length));
      this.close = isMarker ? reading.close : "";
      text = text.slice(reading.length);
    }
  }

  /** Ends the text: what may have become a marker goes on as the beginning of one. */
  end(): void {
    const { held } = this;
    this.held = "";
    // The beginning of one more bracket belongs to the marker before it.
    const isDropped = this.close !== "";
    this.close = "";
    if (held === "" || isDropped) return;
    const reading = readMarker(held);
    this.pass(reading.kind === "open" ? (reading.ended ?? held) : held);
  }

  /** Drops further closing brackets of a marker, and holds the beginning of one. */
  private dropClosers(text: string): string {
    const { end, isCut } = countUnits(text, 0, this.close);
    const rest = text.slice(end);
    if (!isCut) {
      this.close = "";
      return rest;
    }
    this.held = rest;
    return "";
  }
}

/** The position of the first character that may begin a marker; the length of the text where none does. */
function findOpener(text: string): number {
  const at = text.search(/[<＜«&\\]/u);
  return at === -1 ? text.length : at;
}

function readMarker(text: string): Reading {
  const style = STYLES.find(({ open }) => isBegun(text, open));
  if (style === undefined) return { kind: "text", length: 1 };
  const opening = countUnits(text, 0, style.open);
  if (opening.count > LONGEST_RUN)
    return { kind: "text", length: opening.end - 3 * style.open.length };
  if (opening.isCut) return { kind: "open", ended: opening.count < 3 ? null : "<<<" };
  if (opening.count < 2) return { kind: "text", length: Math.max(1, opening.end) };

  const [between = ""] = /^[A-Za-z_ /]*/u.exec(text.slice(opening.end)) ?? [];
  const phrase = readPhrase(between);
  const end = opening.end + between.length;
  if (phrase === null) return { kind: "text", length: end };
  // Of two brackets only a whole word is a marker: others are common in prose and code.
  const cut: Reading = {
    kind: "open",
    ended: opening.count < 3 && !phrase.isWhole ? null : phrase.cut,
  };
  if (end === text.length) return cut;
  if (!phrase.isWhole) return { kind: "text", length: end };
  const enough = Math.min(3, opening.count);
  return readClosing(text, { from: end, enough, word: phrase.word, cut });
}

interface Closing {
  readonly from: number;
  /** Brackets that close the marker, whatever follows; two do where something else follows. */
  readonly enough: number;
  readonly word: MarkerWord;
  /** The reading where the text ends within them. */
  readonly cut: Reading;
}

/** Reads the brackets behind a marker's word. */
function readClosing(text: string, { from, enough, word, cut }: Closing): Reading {
  const close = STYLES.map((style) => style.close).find((unit) => isBegun(text.slice(from), unit));
  if (close === undefined) return { kind: "text", length: from };
  const { count, end, isCut } = countUnits(text, from, close);
  if (count >= enough || (count === 2 && !isCut))
    return { kind: "marker", word, length: end, close };
  return isCut ? cut : { kind: "text", length: end };
}

/** True where a text begins with a unit, or is the beginning of one. */
function isBegun(text: string, unit: string): boolean {
  return text.startsWith(unit) || unit.startsWith(text);
}

interface Units {
  readonly count: number;
  /** The position behind the last whole one. */
  readonly end: number;
  /** True where the text ends within or behind one, so that another may follow. */
  readonly isCut: boolean;
}

function countUnits(text: string, from: number, unit: string): Units {
  let end = from;
  while (text.startsWith(unit, end)) end += unit.length;
  return { count: (end - from) / unit.length, end, isCut: unit.startsWith(text.slice(end)) };
}

interface Phrase {
  readonly word: MarkerWord;
  readonly isWhole: boolean;
  /** The canonical marker, cut where this one is. */
  readonly cut: string;
}

/** Reads what stands between the brackets; null for what cannot become a marker. */
function readPhrase(between: string): Phrase | null {
  if (between.length > LONGEST_PHRASE) return null;
  const parts = /^ *(\/?)([A-Za-z_ ]*)$/u.exec(between);
  if (parts === null) return null;
  const [, slash = "", words = ""] = parts;
  const phrase = words.replaceAll(/[ _]+/gu, " ").trim().toUpperCase();
  const found =
    PHRASES.find(([each]) => each === phrase) ?? PHRASES.find(([each]) => each.startsWith(phrase));
  if (found === undefined) return null;
  const [whole, named] = found;
  const word = slash === "" ? named : "END";
  return { word, isWhole: whole === phrase, cut: `<<<${word.startsWith(phrase) ? phrase : word}` };
}
