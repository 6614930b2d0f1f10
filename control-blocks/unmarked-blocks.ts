import { keyNames } from "./fields.ts";
import { EXECUTION_KEYS, INTENT_KEYS } from "./handover-keys.ts";
import { MarkerSpellings } from "./marker-spellings.ts";
import type { BlockKind } from "./markers.ts";

/** Characters of a line that are looked at: an opener is shorter, and so is a key. */
const LONGEST_OPENER = 64;
/** Characters of lines that are held while a block may have begun with them. */
const LONGEST_HELD = 256;

const KEYS = keyNames<string>({
  ...INTENT_KEYS,
  ...EXECUTION_KEYS,
  type: "type",
  handover: "handover",
  prompt: "prompt",
  step: "step",
  blocker: "blocker",
  context: "context",
});
/** A key at the beginning of a line, whatever decorates it. */
const KEY = /^[\s>*_#`~"-]*([A-Za-z][A-Za-z_ ]{1,30})[*_`"]*\s*[:：]/u;
/** The first key of a batch with one of its types, and nothing else or the next key behind it. */
const TYPED =
  /^[\s>*_#`~"]*type[*_`"\s]{0,4}[:：][*_`"\s]*(?:WORKFLOW|STEP_HELP)[*_`"\s]*(?:$|(?:HANDOVER|STEP|PROMPT)\W)/iu;
const TYPE = /^[\s>*_#`~"]*TYPE[*_`"\s]{0,4}[:：]/u;
/** An opener in brackets of any kind, with the first key behind it on its line. */
const BEFORE_TYPE =
  /^[^\p{L}\p{N}\n]{1,12}[\p{L}_ :]{1,24}[^\p{L}\p{N}\n]{1,12}(?=TYPE[*_`"\s]{0,4}[:：])/u;
/** A tag that no text for a person has at the beginning of a line. */
const TAG = /^\s*<(?:(?:batch|handover|step_help)\s+type\s*=[^>\n]*|(?:tool|function)_call)>/iu;
const CLOSING_TAG = /<\/(?:batch|handover|workflow|step_help|(?:tool|function)_call)>\s*$/iu;
/** The letters of an opener. */
const OPENER = /^(?:START|BEGIN)?(?:BATCH|HANDOVER|WORKFLOW|STEPHELP){1,2}(?:START|BEGIN)?$/iu;
/** Two brackets of any kind with capitals behind them: an opener in other letters. */
const BRACKETED = /^\s*(?:[\p{Ps}\p{Pi}\p{Sm}]\p{Cf}*){2}[^\p{Ll}]*$/u;
const CLOSER =
  /^[^\p{L}\p{N}]*END[^\p{L}\p{N}]*(?:(?:BATCH|HANDOVER|WORKFLOW|STEP_HELP)[^\p{L}\p{N}]*)?$/u;
const BULLET = /^\s*[-*•–+]\s/u;
/** Letters with which a line may begin that opens a block. */
const FIRST_LETTERS = ["TYPE", "BATCH", "HANDOVER", "WORKFLOW", "STEP", "START", "BEGIN"] as const;

/** Lines with which a block may have begun: `type` is its first key, the others may be its opener. */
interface Held {
  readonly kind: "type" | "opener" | "decorated" | "bracketed";
  readonly text: string;
}

/** The opener of a block, perhaps empty, with whose line it has begun. */
interface Opener {
  readonly kind: "open";
  readonly text: string;
}

/** The stage behind: what it is given, and whether that lies in a block. */
export interface MarkedText {
  readonly push: (text: string) => void;
  readonly isInBlock: () => boolean;
}

/**
 * Marks a block that has no markers, or has them in brackets that nobody knows, by its form: a `TYPE:` with a
 * batch's type, or an opener's word or `TYPE:` with another key in the next line. All else is passed on as it
 * is, as soon as its line can begin no block.
 *
 * Contract: however the text is cut into pieces, the characters passed on are the same.
 */
export class UnmarkedBlocks {
  private readonly next: MarkedText;
  private held: Held | null = null;
  private line = "";
  /** True where the rest of the present line is passed on. */
  private isDecided = false;
  /** True within a block that was marked here. */
  private isOwn = false;

  constructor(next: MarkedText) {
    this.next = next;
  }

  push(chunk: string): void {
    for (const piece of chunk.split(/(?<=\n)/u)) this.readPiece(piece);
  }

  end(): void {
    if (this.isOwn) this.endOwnLine();
    else if (this.line !== "") this.decide();
    if (this.held?.kind === "type") this.open(this.held, "");
    else this.release();
    if (this.isOwn) this.endOwnLine();
  }

  private readPiece(piece: string): void {
    if (this.line === "" && !this.isDecided && this.held === null) {
      const isInBlock = this.next.isInBlock();
      this.isOwn &&= isInBlock;
      this.isDecided = isInBlock && !this.isOwn;
    }
    const isWhole = piece.endsWith("\n");
    if (this.isDecided) this.next.push(piece);
    else {
      this.line += piece;
      if (this.isOwn) {
        if (isWhole) this.endOwnLine();
      } else if (isWhole || this.line.length > LONGEST_OPENER || !this.mayOpen()) this.decide();
    }
    if (isWhole) this.isDecided = false;
  }

  private mayOpen(): boolean {
    return this.held !== null || mayBegin(this.line);
  }

  /** Decides on a line that is whole, or too long for an opener. */
  private decide(): void {
    const { held, line } = this;
    this.line = "";
    const head = line.slice(0, LONGEST_OPENER + 1);
    if (held !== null && line.trim() === "" && held.text.length < LONGEST_HELD) {
      this.held = { ...held, text: held.text + line };
      return;
    }
    if (held !== null && goesOn(held, head)) return this.open(held, line);
    this.release();
    const isPossible = line.trim() !== "" && mayBegin(head);
    const opener = isPossible ? readOpener(head) : null;
    if (opener === null) {
      this.isDecided = true;
      this.next.push(line);
    } else if (opener.kind === "open") this.open(opener, line.slice(opener.text.length));
    else this.held = opener;
  }

  private release(): void {
    const { held } = this;
    this.held = null;
    if (held !== null) this.next.push(held.text);
  }

  /** Opens a block in place of what is held, with the first line of its body. */
  private open({ kind, text }: Held | Opener, line: string): void {
    this.held = null;
    this.isOwn = true;
    const letters = keepLetters(text);
    const isBatch = TYPE.test(line) || !/HANDOVER/iu.test(letters);
    const named = /WORKFLOW|STEPHELP/iu.exec(letters)?.[0].toUpperCase();
    const type = named === undefined || TYPE.test(line) ? "" : `TYPE: ${named}\n`;
    const word: BlockKind = isBatch ? "BATCH" : "HANDOVER";
    this.next.push(`<<<${word}>>>\n${kind === "type" ? text : type}`);
    this.line = line;
    if (line.endsWith("\n")) this.endOwnLine();
  }

  private endOwnLine(): void {
    const { line } = this;
    this.line = "";
    const end =
      CLOSER.test(line) && !readsAsMarker(line) ? line.trimEnd() : CLOSING_TAG.exec(line)?.[0];
    const body =
      end === undefined ? line : `${line.trimEnd().slice(0, -end.trimEnd().length)}\n<<<END>>>\n`;
    this.next.push(body);
  }
}

/** Returns true where the beginning of a line may open a block; then every shorter one may, too. */
function mayBegin(line: string): boolean {
  if (BULLET.test(line)) return false;
  const [first = ""] = line.replace(/^[\s>*_#`~"]*/u, "");
  if (!/[\p{L}\p{N}]/u.test(first)) return true;
  const letters = keepLetters(line);
  const words = line.startsWith(first) ? FIRST_LETTERS.slice(0, 1) : FIRST_LETTERS;
  return words.some((word) => {
    const begun = letters.slice(0, word.length);
    return word.startsWith(word === "TYPE" ? begun.toUpperCase() : begun);
  });
}

/** Reads the beginning of a line as an opener; null for any other, and for one that the next stage knows. */
function readOpener(head: string): Held | Opener | null {
  const [text] = BEFORE_TYPE.exec(head) ?? TAG.exec(head) ?? [];
  if (text !== undefined) return { kind: "open", text };
  if (TYPED.test(head.trimEnd())) return { kind: "open", text: "" };
  const kind = head.length > LONGEST_OPENER ? null : readKind(head);
  return kind === null || readsAsMarker(head) ? null : { kind, text: head };
}

function readKind(line: string): Held["kind"] | null {
  if (TYPE.test(line)) return "type";
  const letters = keepLetters(line);
  if (OPENER.test(letters)) return /^[\s>*_#`~"]*\p{L}/u.test(line) ? "decorated" : "opener";
  return letters !== "" && BRACKETED.test(line) ? "bracketed" : null;
}

/** Returns true where a line goes on with the block that may have begun before it. */
function goesOn({ kind }: Held, line: string): boolean {
  const key = KEY.exec(line)?.[1] ?? "";
  const isKnown = KEYS.has(keepLetters(key).toLowerCase());
  if (kind === "opener") return isKnown || /^\s*\{/u.test(line);
  if (TYPED.test(line.trimEnd()) || TYPE.test(line)) return kind !== "type";
  return (
    kind !== "bracketed" &&
    isKnown &&
    (key.includes("_") || (kind === "type" && !/\p{Ll}/u.test(key)))
  );
}

/** Returns true where the next stage finds a marker in a line. */
function readsAsMarker(line: string): boolean {
  let passed = "";
  const spellings = new MarkerSpellings((text) => {
    passed += text;
  });
  spellings.push(line);
  return /<<<(?:HANDOVER|BATCH|END)>>>/u.test(passed);
}

function keepLetters(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}
