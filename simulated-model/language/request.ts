import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { Day } from "./dates.ts";
import { namePart, type Part } from "./lexicon.ts";

/** A thing as a message names it, with what the message says of this one thing. */
export interface Target {
  /** As it was typed. */
  readonly text: string;
  /** Set where prompt or catalogue know it as one name. */
  readonly known: boolean;
  readonly ref: string | null;
  /** "It", "the second one": 1 for the first, -1 for the last, 0 for a pronoun; null for a name. */
  readonly points: number | null;
  readonly quantity: number | null;
  /** "Another 250 g": as much more than there is. */
  readonly more: boolean;
  readonly unit: string | null;
  readonly day: Day | null;
  readonly slot: string | null;
  readonly people: number | null;
}

/** Kinds of clauses that change the data by naming what is to change. */
const CHANGES = ["add", "remove", "clear", "mark", "change", "plan", "allergy"] as const;

/** Kinds of clauses that ask for nothing that is stored. "Take that back" is an undo, or speaks of what is left out. */
export const TALK = [
  "yes",
  "no",
  "thanks",
  "hello",
  "help",
  "undo",
  "takeback",
  "report",
  "meant",
] as const;

type Look = "show" | "lacking" | "open" | "options" | "suggest" | Wish;
type Wish = "exclude" | "restore" | "fill" | "save";

/** One thing that a message asks for; what does not belong to its kind is empty. */
export interface Clause {
  readonly kind: (typeof CHANGES)[number] | (typeof TALK)[number] | Look;
  readonly part: Part | null;
  readonly names: readonly Target[];
  /** The names of a look are what its rows are made with; what can be chosen is wanted by its time. */
  readonly uses: boolean;
  readonly day: Day | null;
  readonly slot: string | null;
  readonly count: number | null;
  /** Person who has the allergy; null for the one who talks, and where there is none. */
  readonly person: Target | null;
  /** Values that a row is to have: an amount, a day, or a time of day or place as `slot`. */
  readonly to: Target | null;
  /** The change that a question about earlier messages is about; null for all. */
  readonly deed: "created" | "updated" | "deleted" | null;
  /** "We need milk" says what is so and asks for nothing. */
  readonly stated: boolean;
  /** "And eggs" has no verb: it goes on with what the message before asked for. */
  readonly isFragment: boolean;
}

/** Everything that a message asks for. */
export interface Request {
  readonly clauses: readonly Clause[];
  /** False where a clause is the bare name of a part or of a thing. */
  readonly hasVerb: boolean;
  /** It ends with a question mark and does not begin with "can you" or the like. */
  readonly isQuestion: boolean;
}

/** Result of reading a message: a request, several of them, or the words that have no place. */
export type Reading =
  | { readonly kind: "understood"; readonly request: Request }
  | { readonly kind: "ambiguous"; readonly requests: readonly Request[] }
  | Unread;

/** A message with words that have no place. */
export interface Unread {
  readonly kind: "unknown";
  readonly words: readonly string[];
  /** The request of its other sentences, a question before every change; null where they make none. */
  readonly rest: Request | null;
}

/** Makes a clause in which nothing is set but what is given. */
export function createClause(kind: Clause["kind"], given: Partial<Clause> = {}): Clause {
  const empty = { part: null, names: [], uses: false, day: null, slot: null, count: null };
  const none = { person: null, to: null, deed: null, stated: false, isFragment: false };
  return { kind, ...empty, ...none, ...given };
}

/** Makes a target in which nothing is set but what is given. */
export function createTarget(text: string, given: Partial<Target> = {}): Target {
  const none = { known: false, ref: null, points: null, quantity: null, more: false, unit: null };
  return { text, ...none, day: null, slot: null, people: null, ...given };
}

/** Tells whether a clause changes the data by naming what is to change. */
export function isChange({ kind }: Clause): boolean {
  return CHANGES.some((change) => change === kind);
}

/** Tells whether a clause asks for nothing that is stored. */
export function isTalk({ kind }: Clause): boolean {
  return TALK.some((talk) => talk === kind);
}

/**
 * Writes a clause as a command that the grammar reads back as the same clause: every name in
 * quotation marks, every day as a date. It is how a plan hands its request to a step.
 */
export function describeClause(clause: Clause, words: SimulatedWords): string {
  const { kind, names, day, slot, uses, count } = clause;
  const part = clause.part === null ? "" : `the ${namePart(clause.part, words)}`;
  const listed = names.map(describeTarget).join(kind === "plan" ? " and " : ", ");
  switch (kind) {
    case "show":
      return join(
        "Show",
        part,
        listed && (uses ? "using" : "called"),
        listed,
        describeWhen(slot, day),
      );
    case "lacking":
      return join(COMPARE, listed);
    case "open":
      return join("Show", listed);
    case "add":
      return join("Add", listed, "to", part);
    case "remove":
      return join("Remove", listed, part && listed && `from ${part}`, describeWhen(slot, day));
    case "clear":
      return join("Clear", part);
    case "mark":
      return join("Mark", listed || "everything", part && `on ${part}`, "as bought");
    case "change":
      if ((clause.to?.quantity ?? 0) < 0)
        return join("Remove", describeNew(clause.to), listed, part && `from ${part}`);
      return join(
        clause.to?.quantity == null || isShift(clause.to) ? "Move" : "Change",
        listed || `${day?.first ?? ""} ${slot ?? ""}`,
        part && `on ${part}`,
        listed && describeWhen(slot, day),
        isShift(clause.to) ? "by" : "to",
        describeNew(clause.to),
      );
    case "plan":
      return join("Plan", listed);
    case "allergy":
      return clause.person === null
        ? join("I am allergic to", listed)
        : join(describeTarget(clause.person), "is allergic to", listed);
    case "suggest":
      return join("Suggest", listed, describeWhen(slot, day));
    case "fill":
      return join("Plan", `${count ?? ""}`, slot ?? "meals", describeWhen(null, day));
    case "report":
      return join("Report", clause.deed ?? "", listed);
    case "exclude":
      return "Show the options that remain";
    case "restore":
      return "Show the options that remain with what is back";
    default:
      return join("Show what can be chosen", uses ? QUICKEST : "", listed && `with ${listed}`);
  }
}

/** Tells whether a row is to be moved, by "days later" or "days earlier". */
export function isShift(to: Target | null): boolean {
  return to?.unit?.startsWith("days ") === true;
}

/** Tells whether a row is to be on another day. */
export function isMove(to: Target | null): boolean {
  return isShift(to) || (to !== null && to.day !== null);
}

/** Writes the values that a row is to have: "1 kg", "2026-11-29 dinner". */
export function describeNew(to: Target | null): string {
  const { quantity, unit, day, slot } = to ?? createTarget("");
  return join(
    quantity === null ? "" : `${Math.abs(quantity)}`,
    unit ?? "",
    day?.first ?? "",
    slot ?? "",
  );
}

function describeTarget({ text, ref, quantity, more, unit, day, slot, people }: Target): string {
  const name = `"${text.replaceAll(/["“”„«»]/g, "")}"`;
  const size = people === null ? "" : `for ${people} people`;
  return join(
    `${quantity ?? ""}`,
    unit ?? "",
    more ? "more" : "",
    name,
    ref === null ? "" : `(${ref})`,
    describeWhen(slot, day),
    size,
  );
}

function describeWhen(slot: string | null, day: Day | null): string {
  const date = day === null || day.first === day.last ? day?.first : `${day.first} to ${day.last}`;
  return join(slot === null ? "" : `for ${slot}`, date === undefined ? "" : `for ${date}`);
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

/** Begins what is said of a look for what a choice lacks. */
export const COMPARE = "Show what is missing for";

/** Ends what is said of a choice by time. */
export const QUICKEST = "by its time";
