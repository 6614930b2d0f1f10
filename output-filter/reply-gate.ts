/** Names that a reply may use in place of the program's own. */
export interface ReplyNames {
  /** The label of every known ref. */
  readonly labels: ReadonlyMap<string, string>;
  /** The label of every known database id, in lower case. */
  readonly ids: ReadonlyMap<string, string>;
  /** The prefixes of refs: `recipe`, `gen_recipe`. */
  readonly prefixes: readonly string[];
}

/** A filter between the model that replies and the person. */
export interface ReplyGate {
  /** Takes a chunk and returns the text that may be shown now; often `""`. */
  readonly push: (chunk: string) => string;
  /** Returns the rest. To be called once. */
  readonly end: () => string;
}

/**
 * Makes the gate for one reply. A known ref or id becomes its label; every other one is taken out,
 * with the brackets around it, and so are blocks of thoughts, markers and the delimiters of prompts.
 *
 * Contract: for any text and any chunking, `push` and `end` return, joined, the same text.
 *
 * @example
 * const names = { labels: new Map([["recipe_1", "Curry"]]), ids: new Map(), prefixes: ["recipe"] };
 * const gate = createReplyGate(names);
 * gate.push("Cook recipe_") + gate.push("1 (recipe_7) today.") + gate.end(); // "Cook Curry today."
 */
export function createReplyGate(names: ReplyNames): ReplyGate {
  return new Gate(names);
}

/** Returns a reply as the gate lets it through. */
export function gateReply(text: string, names: ReplyNames): string {
  const gate = new Gate(names);
  return gate.push(text) + gate.end();
}

const THOUGHT = /<(think|thinking|reasoning)>/i;
/** The longest opening or closing tag of a thought, and of a delimiter. */
const LONGEST_TAG = 24;
/** Longer brackets hold more than refs. */
const LONGEST_BRACKET = 200;

class Gate implements ReplyGate {
  readonly #names: ReplyNames;
  readonly #patterns: Patterns;
  #held = "";
  /** The closing tag that ends the thought which is being left out; null outside one. */
  #closing: RegExp | null = null;

  constructor(names: ReplyNames) {
    this.#names = names;
    this.#patterns = createPatterns(names.prefixes);
  }

  push(chunk: string): string {
    this.#held += chunk;
    return this.#drain(findCut);
  }

  end(): string {
    return this.#drain((text) => text.length);
  }

  #drain(cut: (text: string) => number): string {
    let shown = "";
    for (;;) {
      if (this.#closing !== null) {
        const end = this.#closing.exec(this.#held);
        if (end === null) {
          // A thought without an end hides the rest; its closing tag may come in pieces.
          this.#held = this.#held.slice(-LONGEST_TAG);
          return shown;
        }
        this.#held = this.#held.slice(end.index + end[0].length);
        this.#closing = null;
      }
      const thought = THOUGHT.exec(this.#held);
      if (thought === null) break;
      shown += this.#clean(this.#held.slice(0, thought.index));
      this.#held = this.#held.slice(thought.index + thought[0].length);
      this.#closing = new RegExp(`</${thought[1]}>`, "i");
    }
    const at = cut(this.#held);
    shown += this.#clean(this.#held.slice(0, at));
    this.#held = this.#held.slice(at);
    return shown;
  }

  #clean(text: string): string {
    const { labels, ids } = this.#names;
    const { delimiter, bracketed, ref, id } = this.#patterns;
    return (
      text
        .replace(delimiter, "")
        // Without the space the words around the brackets would become one.
        .replace(bracketed, (_, space: string, next: string) => (next === "" ? "" : space))
        .replace(ref, (_, space: string, found: string) => name(space, labels.get(found)))
        .replace(id, (_, space: string, found: string) => name(space, ids.get(found.toLowerCase())))
    );
  }
}

function name(space: string, label: string | undefined): string {
  return label === undefined ? "" : `${space}${label}`;
}

interface Patterns {
  readonly delimiter: RegExp;
  /** Brackets that hold refs alone. */
  readonly bracketed: RegExp;
  readonly ref: RegExp;
  readonly id: RegExp;
}

function createPatterns(prefixes: readonly string[]): Patterns {
  const names = prefixes.map((prefix) => prefix.replace(/[^\p{L}\p{N}_]/gu, "")).join("|");
  // Without a prefix there is no ref.
  const one = `(?:${names === "" ? "(?!)" : names})_[1-9]\\d*`;
  return {
    delimiter:
      /<\/?(?:data|message|conversation_history)>|<\/(?:think|thinking|reasoning)>|<<<\/?[A-Z_]{1,40}>>>/gi,
    bracketed: new RegExp(
      `(\\s?)(?:[(\\[]\\s*${one}(?:(?:,| and| through)?\\s+${one})*\\s*[)\\]])+(?=([\\p{L}\\p{N}_]?))`,
      "gu",
    ),
    ref: new RegExp(`([^\\S\\n]?)(?<![\\p{L}\\p{N}_])(${one})(?![\\p{L}\\p{N}_])`, "gu"),
    // A page's address may hold one.
    id: /([^\S\n]?)(?<![\w/=?&-])([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])/gi,
  };
}

/**
 * Returns the place up to which a text can be shown: before the last word, since it may go on, and
 * before a bracket that is not closed by then.
 */
function findCut(text: string): number {
  const word = /\s*\S*$/u.exec(text)?.index ?? text.length;
  const bracket = /[([][^)\]]*$/u.exec(text.slice(0, word));
  const isOpen = bracket !== null && word - bracket.index <= LONGEST_BRACKET;
  return isOpen ? findCut(text.slice(0, bracket.index)) : word;
}
