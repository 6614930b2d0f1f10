import { BlockFilter } from "./block-filter.ts";
import { inAnyCase } from "./in-any-case.ts";
import { ThoughtFilter, type TakeBack } from "./thought-filter.ts";

/** Names that a text for a person may use in place of the program's own. */
export interface OutputNames {
  /** The label of every known ref, choice (`choice_1`) and effect (`e17`). */
  readonly labels: ReadonlyMap<string, string>;
  /** The label of every known database id, in lower case. */
  readonly ids: ReadonlyMap<string, string>;
  /** The prefixes of refs: `recipe`, `gen_recipe`. */
  readonly prefixes: readonly string[];
  /** The names of the program's tools; those of one word are ordinary words and stay. */
  readonly tools: readonly string[];
  /** The words for ids of another form than refs (`c1`), as they are written. Default: none. */
  readonly others?: ReadonlyMap<string, string>;
  /** True where the ids of batches, of any turn (`t3-b1`), are taken out. Default: false. */
  readonly hasBatches?: boolean;
}

/** A filter between a model and the person. */
export interface OutputGate {
  /** Takes a chunk and returns the text that may be shown now; often `""`. */
  readonly push: (chunk: string) => string;
  /** Takes the last chunk, if there is one more, and returns the rest. To be called once. */
  readonly end: (chunk?: string) => string;
}

/**
 * Makes the gate for one text. Thoughts and blocks are left out, as `ThoughtFilter` and `BlockFilter`
 * know them, and so are markers and the delimiters of prompts. A known ref or id becomes its label; every
 * other one is taken out, with the brackets around it. The name of a tool loses its underscores.
 *
 * Refs count in any case, with leading zeros and with the backslash of Markdown before an underscore.
 * An effect counts where it is known and stands as one: alone in brackets or code, or behind "effect",
 * "change" or "undo". Other words ("recipe 3", "the E17 motorway") are nobody's machinery.
 *
 * Contract: for any text and any chunking, what `push` and `end` return after the last `takeBack` is,
 * joined, the same text.
 *
 * @example
 * const labels = new Map([["recipe_1", "Curry"]]);
 * const gate = createOutputGate({ labels, ids: new Map(), prefixes: ["recipe"], tools: [] });
 * gate.push("Cook recipe_") + gate.push("1 (recipe_7) today.") + gate.end(); // "Cook Curry today."
 */
export function createOutputGate(names: OutputNames, takeBack?: TakeBack): OutputGate {
  return new Gate(createWordCleaner(names), takeBack);
}

/** Makes the function that returns a whole text as the gate lets it through, without white space at its ends. */
export function createTextCleaner(names: OutputNames): (text: string) => string {
  const clean = createWordCleaner(names);
  return (text) => new Gate(clean).end(text).trim();
}

/** Returns a whole text as the gate lets it through, without white space at its ends. */
export function cleanText(text: string, names: OutputNames): string {
  return createTextCleaner(names)(text);
}

/** Longer brackets hold more than refs. */
const LONGEST_BRACKET = 200;

/** The thoughts first: what stands on either side of one is one text. */
class Gate implements OutputGate {
  readonly #thoughts: ThoughtFilter;
  readonly #clean: (text: string) => string;
  #blocks = new BlockFilter();
  #held = "";

  constructor(clean: (text: string) => string, takeBack: TakeBack = () => undefined) {
    this.#clean = clean;
    this.#thoughts = new ThoughtFilter(() => {
      this.#held = "";
      this.#blocks = new BlockFilter();
      takeBack();
    });
  }

  push(chunk: string): string {
    const passed = this.#thoughts.push(chunk);
    this.#held += this.#blocks.push(passed);
    return this.#drain(findCut(this.#held));
  }

  end(chunk = ""): string {
    const passed = this.#thoughts.end(chunk);
    this.#held += this.#blocks.push(passed) + this.#blocks.end();
    return this.#drain(this.#held.length);
  }

  #drain(at: number): string {
    const shown = this.#clean(this.#held.slice(0, at));
    this.#held = this.#held.slice(at);
    return shown;
  }
}

/** Makes the function that cleans a stretch of text outside thoughts. */
function createWordCleaner({
  labels,
  ids,
  prefixes,
  tools,
  others = new Map(),
  hasBatches = false,
}: OutputNames) {
  const byRef = new Map([...labels].map(([ref, label]) => [ref.toLowerCase(), label]));
  const effects = [...labels.keys()].filter((ref) => EFFECT.test(ref));
  const patterns = createPatterns({
    prefixes,
    effects,
    tools,
    others: [...others.keys()],
    hasBatches,
  });
  const { bracketed, ref, effect, tool, id, other } = patterns;
  const findLabel = (found: string): string | undefined => byRef.get(toRef(found));
  return (text: string): string =>
    removeDelimiters(text)
      // Without the space the words around the brackets would become one.
      .replace(bracketed, (_, space: string, next: string) => (next === "" ? "" : space))
      .replace(ref, (_, space: string, found: string) => name(space, findLabel(found)))
      .replace(effect, (stretch) => stretch.replace(EACH_EFFECT, (e) => labels.get(e) ?? e))
      .replace(tool, (found) => found.replace(UNDERSCORE, " "))
      .replace(id, (_, space: string, found: string) => name(space, ids.get(found.toLowerCase())))
      .replace(other, (_, space: string, found: string) => name(space, others.get(found)));
}

const EFFECT = /^e\d+$/;
const EACH_EFFECT = /(?<![\p{L}\p{N}_])e\d+(?![\p{L}\p{N}_])/gu;
const UNDERSCORE = /\\?_/g;

/** Brings a ref into the form in which it is known: lower case, no backslashes, no leading zeros. */
function toRef(found: string): string {
  return found
    .toLowerCase()
    .replaceAll("\\", "")
    .replace(/_0+(?=\d+$)/, "_");
}

function name(space: string, label: string | undefined): string {
  return label === undefined || label === "" ? "" : `${space}${label}`;
}

const DELIMITER =
  /<\/?(?:data|message|conversation_history)>|<\/(?:think|thinking|thought|reasoning)>|<\|(?:start|channel|constrain|message|end|return|call)\|>|<<<\/?[A-Z_]{1,40}>>>/gi;

/** One that is left when another one inside it has gone is a delimiter too. */
function removeDelimiters(text: string): string {
  const without = text.replace(DELIMITER, "").replaceAll("[/THINK]", "");
  return without === text ? text : removeDelimiters(without);
}

interface Patterns {
  /** Brackets that hold refs alone. */
  readonly bracketed: RegExp;
  readonly ref: RegExp;
  /** Known effects, where they stand as such. */
  readonly effect: RegExp;
  readonly tool: RegExp;
  readonly id: RegExp;
  /** Ids of another form. */
  readonly other: RegExp;
}

/** The words behind which an effect is one, as a pattern. */
const LEADS = String.raw`(?<![\p{L}\p{N}_])(?:${inAnyCase("effect")}s?|${inAnyCase("change")}s?|${inAnyCase("undo")}|${inAnyCase("undid")})`;
/** A backslash of Markdown may stand before an underscore, and underscores around a word set it in italics. */
const BEFORE = String.raw`(?<![\p{L}\p{N}](?:\\?_){0,4})`;
const AFTER = String.raw`(?![\p{L}\p{N}]|\\?_[\p{L}\p{N}])`;
const BETWEEN = String.raw`(?:\s*[,;/&]\s*(?:and\s+)?|\s+(?:(?:and|through)\s+)?)`;

interface PatternNames extends Required<Pick<OutputNames, "prefixes" | "tools" | "hasBatches">> {
  readonly effects: readonly string[];
  readonly others: readonly string[];
}

function createPatterns(names: PatternNames): Patterns {
  const one = String.raw`(?:${matchAny(names.prefixes)})\\?_\d+`;
  // In capitals it is a road.
  const effect = `(?:${matchExactly(names.effects)})`;
  const other = names.hasBatches
    ? String.raw`(?:${matchIds(names.others)}|t\d+-b\d+)`
    : matchIds(names.others);
  const item = `(?:${one}|${effect}|${other})`;
  const tools = names.tools.filter((tool) => tool.includes("_"));
  return {
    bracketed: new RegExp(
      String.raw`(\s?)(?:[(\[]\s*${item}(?:${BETWEEN}${item})*\s*[)\]])+(?=([\p{L}\p{N}_]?))`,
      "gu",
    ),
    ref: new RegExp(String.raw`([^\S\n]?)${BEFORE}(${one})${AFTER}`, "gu"),
    effect: new RegExp(
      String.raw`${LEADS}\s+${effect}(?:${BETWEEN}${effect})*${AFTER}|(?<=\x60)${effect}(?=\x60)`,
      "gu",
    ),
    tool: new RegExp(`${BEFORE}(?:${matchAny(tools)})${AFTER}`, "gu"),
    // A page's address may hold one.
    id: /([^\S\n]?)(?<![\w/=?&-])([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])/gi,
    other: new RegExp(
      String.raw`([^\S\n]?)(?<![\p{L}\p{N}_./-])(${other})(?![\p{L}\p{N}_/]|[.-][\p{L}\p{N}])`,
      "gu",
    ),
  };
}

/** A pattern for any of the ids as they are written, the longest first. */
function matchIds(ids: readonly string[]): string {
  const escaped = ids
    .filter((id) => id !== "")
    .toSorted((a, b) => b.length - a.length)
    .map((id) => id.replaceAll(/[^\p{L}\p{N}_-]/gu, String.raw`\$&`));
  return escaped.length === 0 ? "(?!)" : `(?:${escaped.join("|")})`;
}

/** A pattern for any of the names, in any case. */
function matchAny(names: readonly string[]): string {
  return inAnyCase(matchExactly(names));
}

/** A pattern for any of the names; without a name there is nothing to be found. */
function matchExactly(names: readonly string[]): string {
  const plain = names
    .map((each) => each.replace(/[^\p{L}\p{N}_]/gu, ""))
    .filter((each) => each !== "");
  return plain.length === 0 ? "(?!)" : plain.join("|").replaceAll("_", String.raw`\\?_`);
}

/** Effects behind their word, which may go on. */
const OPEN_EFFECTS = new RegExp(
  String.raw`${LEADS}(?:\s+e\d+(?:${BETWEEN}e\d+)*(?:\s*[,;/&]|\s+(?:and|through))*)?$`,
  "u",
);

/**
 * Returns the place up to which a text can be shown: before the last word, since it may go on, before
 * a bracket that is not closed by then, and before effects that may go on.
 */
function findCut(text: string): number {
  const word = /\s*\S*$/u.exec(text)?.index ?? text.length;
  const before = text.slice(0, word);
  const bracket = /[([][^)\]]*$/u.exec(before);
  if (bracket !== null && word - bracket.index <= LONGEST_BRACKET)
    return findCut(text.slice(0, bracket.index));
  const effects = OPEN_EFFECTS.exec(before);
  return effects === null ? word : findCut(text.slice(0, effects.index));
}
