import { CHANGE_FIELDS, type ChangeEnd } from "../text/change-words.ts";
import { countUndoWords } from "../text/count-undo-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { HELD_FIELDS } from "../text/held-words.ts";
import { foldAnswer, readYesNo } from "../text/read-yes-no.ts";
import { splitSentences } from "../text/split-sentences.ts";
import type { WordFields } from "../text/word-fields.ts";
import { readOrder, requestsSomething } from "./asked-change.ts";

/** The parts of a message that may ask for changes of an end. */
export interface AskedParts {
  /** Those that order it in known words. */
  readonly ordered: string;
  /** Those, and all that may ask for it otherwise, or say what it is about. */
  readonly asked: string;
  /** Those, and what the message says of how things are or will be: "the fee will be 300", "leave it at 4". */
  readonly stated: string;
  /** Those, and what it says of how things were. */
  readonly happened: string;
}

/**
 * Leaves out of a message the clauses that order no change of an end: they deny or spare something, except it
 * from what others say, or put it off; for a deletion also those that make it depend on something, only ask,
 * look back, or say what somebody else wants. For another change what tells of it is left out behind the last
 * order. A message in no known language stays whole. Pure.
 *
 * @example
 * readAskedParts("Keep Kim. Delete Ben, not Eve", "gone").asked; // " Delete Ben,"
 * readAskedParts("the fee will be 300", "there").stated; // "the fee will be 300"
 */
export function readAskedParts(
  message: string,
  end: ChangeEnd,
  { keepsNarrated = end === "gone" }: AskedOptions = {},
): AskedParts {
  const readings = listReaders(message, end).map((reader) =>
    readParts(message, reader, keepsNarrated),
  );
  const [first, ...others] = readings;
  if (first === undefined)
    return { ordered: "", asked: message, stated: message, happened: message };
  return others.reduce(
    (one, other) => (other.asked.length < one.asked.length ? other : one),
    first,
  );
}

/**
 * Lists the clauses of a message that order something in known words, and the names that an "and" adds to
 * them: "add rice and milk". Of several languages it may be in, those of the one with the fewest. Pure.
 *
 * @example
 * listOrdered("Add rice, tea and milk for Kim, delete Ben"); // ["Add rice,", " tea ", "and milk for Kim,", " delete Ben"]
 */
export function listOrdered(message: string): readonly string[] {
  return (["there", "gone"] as const).flatMap((end) => {
    const [first = [], ...others] = listReaders(message, end).map((reader) =>
      selectOrdered(splitSentences(message).flatMap((sentence) => reader.read(sentence))),
    );
    return others.reduce((one, other) => (other.length < one.length ? other : one), first);
  });
}

/** Selects the clauses that order something and that none behind them takes back. */
function selectOrdered(clauses: readonly AskedClause[]): readonly string[] {
  const refusal = clauses.findLastIndex(({ takesBack }) => takesBack);
  const ordered = clauses.filter(({ standing }, at) => at > refusal && standing === "ordered");
  return ordered
    .filter(({ text, isJoined }, at) => {
      const next = ordered
        .slice(at + 1)
        .find((one) => one.isJoined || readOrder(one.text) !== null);
      // "Plan it for Friday, four people": behind a comma stands what is said of it, unless an "and" ends the list.
      return isJoined || readOrder(text) !== null || next?.isJoined === true;
    })
    .map(({ text }) => text);
}

interface AskedOptions {
  /** True keeps clauses that only tell: "that was wrong" asks for an undo. Default: for a deletion, of which others tell. */
  readonly keepsNarrated?: boolean;
}

function readParts(message: string, reader: ClauseReader, keepsNarrated: boolean): AskedParts {
  const sentences = splitSentences(message).map((sentence) => reader.read(sentence));
  const last = sentences.findLastIndex((clauses) =>
    clauses.some(({ text, standing }) => standing !== "held" && asksFor(text)),
  );
  // Up to an order, clauses may say what it is about: "her phone is now 123, change that".
  const clauses = sentences.flatMap((sentence, at) =>
    sentence.filter(({ standing }) => keepsNarrated || standing !== "narrated" || at <= last),
  );
  const refusal = clauses.findLastIndex(({ takesBack }) => takesBack);
  const isOrdered = clauses.some(({ standing }) => standing === "ordered");
  const kept = clauses.filter(({ standing }, index) => {
    if (standing === "ordered") return index > refusal;
    // "Is Kim still here? Delete him."
    if (standing === "wondering") return isOrdered;
    const isOpen = standing === "open" || standing === "narrated";
    return isOpen && (keepsNarrated || index >= refusal);
  });
  const all = sentences.flat();
  const joinWith = (...tenses: readonly Tense[]): string => {
    const parts = all.filter(
      (one) => kept.includes(one) || (one.tense !== null && tenses.includes(one.tense)),
    );
    return parts.length === all.length ? message : join(parts);
  };
  return {
    ordered: join(kept.filter(({ standing }) => standing === "ordered")),
    asked: joinWith(),
    stated: joinWith("now"),
    happened: joinWith("now", "past"),
  };
}

interface AskedClause {
  readonly text: string;
  readonly standing: Standing;
  /** The time of what one that orders nothing gives as a fact; null for any other. */
  readonly tense: Tense | null;
  /** True for one that says no to what was ordered before it. */
  readonly takesBack: boolean;
  /** True for one that begins with a word like "and". */
  readonly isJoined: boolean;
}

/** `wondering`: it only asks something; `narrated`: it says what was, will be or may be; `excepted`: names that are left out; `held`: it is not to be carried out. */
type Standing = "ordered" | "open" | "narrated" | "wondering" | "excepted" | "held";

/** `now`: it holds from now on. */
type Tense = "now" | "past";

function join(clauses: readonly AskedClause[]): string {
  return clauses.map(({ text }) => text).join("");
}

/** Makes the readers of the languages of which a message has the most words; none where it has none of any. */
function listReaders(message: string, end: ChangeEnd): readonly ClauseReader[] {
  const counts = [...CHANGE_FIELDS].flatMap(([language, changes]) => {
    const held = HELD_FIELDS.get(language);
    if (held === undefined) return [];
    return [{ changes, held, count: changes.count(message) + held.count(message) }];
  });
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return counts
    .filter(({ count }) => count === most)
    .map(({ changes, held }) => new ClauseReader(changes, held, end));
}

function asksFor(text: string): boolean {
  return readOrder(text) !== null || requestsSomething(text);
}

const NO_NEED = "no_need";
/** Most words of the names in one part of a list: "except the oat milk and the eggs". */
const FEW = 5;

/** Reads the clauses of a message in one language. */
class ClauseReader {
  readonly #changes: WordFields;
  readonly #held: WordFields;
  readonly #end: ChangeEnd;

  constructor(changes: WordFields, held: WordFields, end: ChangeEnd) {
    this.#changes = changes;
    this.#held = held;
    this.#end = end;
  }

  /** Lists the clauses of a sentence; one without a verb of its own goes on with what stands before it. */
  read(sentence: string): readonly AskedClause[] {
    const isQuestion = endsAsQuestion(sentence);
    const clauses: AskedClause[] = [];
    let depends = false;
    for (const text of this.#split(sentence)) {
      const words = this.#held.split(foldAnswer(text));
      const before = clauses.at(-1)?.standing ?? "open";
      depends ||= this.#depends(words);
      const standing = depends ? "held" : this.#readStanding({ text, words, before, isQuestion });
      const isJoined = this.#held.has(words[0], "joins");
      const tense = this.#readTense(words);
      clauses.push({ text, standing, tense, takesBack: this.#takesBack(text, words), isJoined });
    }
    // "If he comes, we may move him."
    const main = clauses.filter(({ text }) => !this.#isCondition(text));
    const isNarrated = main.length > 0 && main.every(({ standing }) => standing === "narrated");
    const isSupposed = main.length < clauses.length;
    return clauses.map(({ standing, tense, ...one }) => ({
      text: one.text,
      standing: isNarrated && standing === "open" ? "narrated" : standing,
      tense: isSupposed ? null : tense,
      takesBack: one.takesBack,
      isJoined: one.isJoined,
    }));
  }

  /** Splits a sentence at its marks, and before words that begin a clause or join two. */
  #split(sentence: string): readonly string[] {
    const parts = sentence.split(/(?<=[,;:–—](?!\d))|(?<= - )/u);
    return parts.flatMap((part) => {
      const words = part.split(/(?<=\s)(?=\S)/u);
      const clauses = [""];
      for (const [at, word] of words.entries()) {
        const [one = "", two] = [word, words.slice(at, at + 2).join("")].map(
          (text) => this.#held.split(foldAnswer(text))[0],
        );
        // "È" and "é" are no "and".
        const joins = this.#held.has(one, "joins") && !/[èé]/iu.test(word.normalize("NFC"));
        const excepts = this.#held.has(one, "excepts") && !this.#held.has(one, "denies");
        const begins = joins || excepts || [one, two].some((text) => this.#held.has(text, "opens"));
        if (begins && clauses.at(-1)?.trim() !== "") clauses.push("");
        clauses.push(`${clauses.pop() ?? ""}${word}`);
      }
      return clauses;
    });
  }

  #isCondition(text: string): boolean {
    return this.#changes.has(this.#held.split(foldAnswer(text))[0], "condition");
  }

  /** A deletion is not made to depend on anything; what else does is left to who knows whether it holds. */
  #depends(words: readonly string[]): boolean {
    return (
      this.#end === "gone" &&
      words.some((word) => this.#changes.has(word, "condition")) &&
      !words.every((word) => this.#changes.has(word, "lead"))
    );
  }

  #readStanding({ text, words, before, isQuestion }: ClauseFacts): Standing {
    // A "no" of its own denies nothing behind it.
    if (readYesNo(text) === "no") return "open";
    if (this.#denies(words) || this.#spares(text, words)) return "held";
    const exception = this.#readException(words, before);
    if (exception !== null) return exception;
    if (this.#narrates(text, words)) return "narrated";
    if (readOrder(this.#dropIdioms(text, words)) === this.#end) return "ordered";
    const isDoubtful = this.#end === "gone" && !requestsSomething(text);
    // "I deleted it", "she wants to delete it".
    if (isDoubtful && words.some((word) => this.#isVerb(word, "gone"))) return "held";
    if (this.#goesOn(words, before)) return before;
    return isDoubtful && isQuestion ? "wondering" : "open";
  }

  /** Reads the time of the fact that a clause gives, or of what it wants as it says; null where it denies or supposes it. */
  #readTense(words: readonly string[]): Tense | null {
    const has = (...fields: readonly string[]): boolean =>
      words.some((word) => this.#held.has(word, ...fields) || this.#changes.has(word, ...fields));
    if (has("narrates", "denies", "forbids", "later", "condition")) return null;
    if (has("past")) return "past";
    return has("reports", "spares") ? "now" : null;
  }

  /** Returns true for "she was here" and "I'll do it myself", which ask for no change in known words. */
  #narrates(text: string, words: readonly string[]): boolean {
    const isNarrating = words.some((word) => this.#held.has(word, "narrates", "reports", "past"));
    const isWish = words.some((word) => this.#held.has(word, "affirms"));
    return this.#end === "there" && isNarrating && !isWish && !asksFor(text);
  }

  /** Leaves out conditions that are none, behind which nothing would be an order: "when you can". */
  #dropIdioms(text: string, words: readonly string[]): string {
    const kept = words.filter((word) => !(word.includes("_") && this.#held.has(word, "affirms")));
    if (kept.length === words.length) return text;
    return `${kept.join(" ").replaceAll("_", " ")}${endsAsQuestion(text) ? "?" : ""}`;
  }

  /** Returns true for "do not delete it", and none for "I don't need it". */
  #denies(words: readonly string[]): boolean {
    if (words.some((word) => this.#held.has(word, "later"))) return true;
    const at = words.findIndex((word) => this.#isVerb(word, this.#end));
    const isDenied = words.some(
      (word, place) =>
        this.#held.has(word, "denies", "forbids") &&
        (this.#end === "gone" ||
          at === -1 ||
          place < at ||
          place === words.length - 1 ||
          this.#held.has(word, "behind")),
    );
    if (!isDenied || words.some((word) => this.#held.has(word, "affirms"))) return false;
    const [first, next] = words.filter((word) => !this.#changes.has(word, "lead", "requests"));
    const other = this.#end === "gone" ? "there" : "gone";
    const isOther = words.some((word) => this.#isVerb(word, other));
    const isOwn = at !== -1 || countUndoWords(words.join(" ")) > 0;
    const isForbidden = this.#held.has(first, "forbids") && !this.#held.has(next, "wants");
    return isOwn || (isForbidden && !isOther);
  }

  /** Returns true for a verb of an end, also where it only begins like one: "borres". */
  #isVerb(word: string, end: ChangeEnd): boolean {
    return (
      this.#changes.has(word, `orders ${end}`, `done ${end}`) ||
      this.#changes.begins(word, `orders ${end}`)
    );
  }

  #spares(text: string, words: readonly string[]): boolean {
    if (this.#end === "gone" && words.some((word) => this.#held.has(word, "deletions")))
      return true;
    const isSpared = words.some((word) => this.#held.has(word, "spares"));
    return isSpared && readOrder(text) !== this.#end;
  }

  /** Reads "except Kim" as `excepted`, and "not Kim" and behind an order "pero Kim no" as `held`; null for neither. */
  #readException(words: readonly string[], before: Standing): "excepted" | "held" | null {
    const start = words.findIndex((word) => !this.#held.has(word, "joins", "opens"));
    const isAtStart = this.#held.has(words[start], "excepts");
    const isBare =
      this.#isBare(words.slice(isAtStart ? start + 1 : start)) &&
      !words.some((word) => this.#held.has(word, "affirms"));
    if (isAtStart && !this.#held.has(words[start], "denies")) return "excepted";
    if (isAtStart) return isBare ? "held" : null;
    if (!isBare) return null;
    if (words.slice(0, start).some((word) => this.#held.has(word, "excepts"))) return "excepted";
    return before === "ordered" && this.#held.has(words.at(-1), "denies") ? "held" : null;
  }

  /** Returns true for names alone, which belong to what stands before them: "and the rice". */
  #goesOn(words: readonly string[], before: Standing): boolean {
    // Behind what is not to be done, a word that nobody knows may order something else: "pause Kim".
    const isJoined = before !== "held" || this.#held.has(words[0], "joins");
    return isJoined && !this.#held.has(words[0], "opens") && this.#isBare(words);
  }

  /** Returns true for a few names and small words, none of them a verb or its subject. */
  #isBare(words: readonly string[]): boolean {
    const fields = ["requests", "wishes", "be", "own", "did", "you", "other"];
    const verbs = ["orders there", "orders gone", "done there", "done gone"];
    const names = words.filter((word) => !this.#changes.has(word, "little"));
    return (
      names.length <= FEW &&
      !words.some(
        (word) => this.#changes.has(word, ...fields, ...verbs) || this.#held.has(word, "subjects"),
      )
    );
  }

  /** Returns true for "no need to keep her", "we don't need it": said of a deletion, it gives the reason. */
  #isUnwanted(words: readonly string[]): boolean {
    return words.some((word, at) => {
      const before = words[at - 1] ?? "";
      const isDenied =
        this.#held.has(before, "forbids") ||
        (this.#held.has(before, "denies") && readYesNo(before) !== "no");
      return word === NO_NEED || (isDenied && this.#held.has(word, "needs", "spares"));
    });
  }

  /** Returns true for "no, keep it": it has no name of its own. */
  #takesBack(text: string, words: readonly string[]): boolean {
    if (readYesNo(text) === "no") return true;
    const known = ["little", "things", "lead", "other", "own", "be"];
    const isDenied = words.some((word) => this.#held.has(word, "denies"));
    const verbs = isDenied ? [`orders ${this.#end}`] : [];
    if (this.#end === "gone" && this.#isUnwanted(words)) return false;
    const isRefusal = isDenied || words.some((word) => this.#held.has(word, "spares"));
    const isOpen = words.some(
      (word) =>
        this.#held.has(word, "affirms") ||
        !(this.#held.has(word, "denies", "spares") || this.#changes.has(word, ...known, ...verbs)),
    );
    // "Delete him, won't you?" asks for it.
    return isRefusal && !isOpen && !endsAsQuestion(text);
  }
}

interface ClauseFacts {
  readonly text: string;
  readonly words: readonly string[];
  readonly before: Standing;
  readonly isQuestion: boolean;
}
