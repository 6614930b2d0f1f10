import { joinParts, type Lexicon, namePart } from "../language/lexicon.ts";
import { readClauses, readMessage } from "../language/read-message.ts";
import {
  type Clause,
  createTarget,
  describeClause,
  describeNew,
  isChange,
  isTalk,
  type Target,
} from "../language/request.ts";
import { singular } from "../language/tokens.ts";
import { holdsName, isWholeLabel } from "../understand/match-things.ts";
import { belongsTo, compareNumbers, type PromptRef } from "./read-entities.ts";

/** Begins the question for the day of a dish: a day alone answers it. */
export const ASKS_DAY = "For which day?";

/** Begins the question which of two days is meant. */
export const ASKS_WHICH_DAY = "Which day do you mean:";

/** Begins the list of what a name can mean: one of them, or its place or day, answers it. */
export const LISTS_SEVERAL = "There is more than one: ";

/** Asks which thing a pointing word means: its name alone answers it. */
export function askWhichThing(pointer: string): string {
  return `Which one do you mean by "${pointer}"? Please name it.`;
}

/** A message with the last turn, which it can answer or put right. */
interface Answering {
  readonly message: string;
  readonly lastMessage: string;
  readonly lastReply: string;
  readonly lexicon: Lexicon;
  /** Things that are in play. */
  readonly things: readonly PromptRef[];
}

/** Writes a message that answers or corrects the last turn as the whole command that it stands for; null for any other message. */
export function completeAnswer(given: Answering): string | null {
  const { message, lastMessage, lastReply, lexicon } = given;
  if (asksForDay(lastReply)) return addDay(lastMessage, message, lexicon);
  const [, amended] = AMENDMENT.exec(message) ?? [];
  if (amended !== undefined && IS_DONE.test(lastReply)) return amended;
  return addName(given) ?? correctName(given) ?? chooseOption(given);
}

/** "Yes, but only 2" puts right what was done. */
const AMENDMENT = /^\W*(?:yes|yeah|yep|ok|okay)\W+but\s+(.+)$/iu;

const IS_DONE = /^(?:Added|Changed): /u;

/** Tells whether a reply asks for a day. */
export function asksForDay(reply: string): boolean {
  return reply.includes(ASKS_DAY) || reply.includes(ASKS_WHICH_DAY);
}

/** Says the message before again, with the name that answers the question for it; null where it is no such answer. */
function addName({ message, lastMessage, lastReply, lexicon }: Answering): string | null {
  const pointer = findAskedPointer(lastReply);
  const name = message
    .trim()
    .replace(/[.!]+$/u, "")
    .replace(/,? i (?:mean|meant)$/iu, "");
  if (pointer === null) return null;
  if (readClauses(message, lexicon).some(({ kind }) => kind === "exclude")) return null;
  const given = readClauses(`show ${name}`, lexicon);
  // "The jam in the fridge" is named with its place.
  const isName = given.every(({ kind, names }) => kind === "open" || names.length > 0);
  if (given.length === 0 || !isName) return null;
  // "Remove it from my list": the one word stands in no name.
  const [first, ...rest] = lastMessage.split(new RegExp(`\\b${pointer}\\b`, "iu"));
  return rest.length === 1 ? `${first}${name}${rest[0]}` : null;
}

/** The pointing word that a reply asks about; null where it asks about none. */
export function findAskedPointer(reply: string): string | null {
  const [before = "", behind = ""] = askWhichThing("|").split("|");
  const start = reply.indexOf(before);
  const rest = start === -1 ? "" : reply.slice(start + before.length);
  const pointer = rest.includes(behind) ? rest.slice(0, rest.indexOf(behind)) : "";
  return /^[\p{L} ]+$/u.test(pointer) ? pointer : null;
}

/** Says the message before again, with the day that answers the question for it; null where it is no such answer. */
function addDay(before: string, message: string, lexicon: Lexicon): string | null {
  const [given, asked] = [message, before].map((text) => readClauses(text, lexicon));
  const [answer] = given?.filter((clause) => !isTalk(clause)) ?? [];
  const on = answer?.kind === "change" ? answer.to : (answer?.names[0] ?? null);
  const isDay = on !== null && on.day !== null && answer?.names[0]?.points === 0;
  if (!isDay || asked === undefined || asked.length === 0) return null;
  // What was only pointed at keeps its words.
  if (asked.some(({ names }) => names.some(({ points }) => points !== null)))
    return `${before} ${describeNew(on)}`;
  const dated = asked.map(({ names, to, ...clause }) => {
    const filled = clause.kind === "plan" ? names.map((name) => fillDay(name, on)) : names;
    const moved = to === null || to.day === null ? to : fillDay(to, on);
    return describeClause(Object.assign(clause, { names: filled, to: moved }), lexicon.words);
  });
  return dated.join("; ");
}

function fillDay(target: Target, { day, slot }: Target): Target {
  const isOpen = target.day === null || target.day.or !== null;
  return isOpen ? { ...target, day, slot: slot ?? target.slot } : target;
}

/** Words around the right name: "no, oat milk", "I meant oat milk", "oat milk instead, not milk". */
const CORRECTION =
  /^\W*(?:(?:no|nope)(?:[,.!]\s*|\s+(?=(?:i|we) mea))|(?:sorry|oops|wait|actually|not [^,]+,)[\s,.!]+)*(?:(?:i|we) meant? |make (?:it|that) )?(.+?)(?: instead| i meant?)?(?:,? not [^,]+)?[.!]*$/iu;

/** Exchanges the one thing that was just added, or the dish that was just planned, for the one that was meant; null where nothing is put right. */
function correctName({ message, lastMessage, lastReply, lexicon }: Answering): string | null {
  const [, name = ""] = CORRECTION.exec(message) ?? [];
  if (!lastReply.startsWith("Added: ") || name === message.trim()) return null;
  const isOpen = readClauses(message, lexicon).every(
    (clause) =>
      isTalk(clause) ||
      (clause.kind === "plan" && clause.names.every(({ points }) => points === 0)),
  );
  if (!isOpen) return null;
  const moved = `${name} instead`;
  if (readClauses(moved, lexicon)[0]?.kind === "change") return moved;
  const [last, ...others] = readClauses(lastMessage, lexicon).filter(isChange);
  const [old, ...more] = last?.names ?? [];
  const [item, ...items] = readClauses(`add ${name}`, lexicon).flatMap(({ names }) => names);
  if (last === undefined || old === undefined || item === undefined) return null;
  const isOne = others.length + more.length + items.length === 0 && old.points === null;
  const word = item.text.toLowerCase().split(" ").at(-1) ?? "";
  const isName = item.points === null && lexicon.nameWords.has(singular(word));
  if (!isOne || !isName || isWholeLabel(item.text, old.text)) return null;
  if (!holdsName(lastReply, old.text)) return null;
  const when = createTarget("", { day: old.day, slot: old.slot });
  if (last.kind === "plan") return `"${item.text}" instead of "${old.text}" ${describeNew(when)}`;
  if (last.kind !== "add" || last.part === null) return null;
  const amount = item.quantity === null ? old : item;
  const place = namePart(last.part, lexicon.words);
  return `Swap "${old.text}" on the ${place} for ${describeNew(amount)} "${item.text}"`;
}

/** All that was listed or asked about. */
const ALL =
  /^\W*(?:(?:yes|yeah|ok|okay)\W+)?(?:(?:both|all)(?: of)?(?: (?:them|these|those|it))?)\W*$/iu;

/** Words around the place, the day or the name of one option: "the one in the freezer", "just the milk". */
const ONE =
  /^\W*(?:just |only |i meant? )?(?:the |those |that )?(?:ones? )?(?:(?:that (?:is|are) )?(?:in|on|from|for|at) )?(.+?)(?: ones?)?[.!]*$/iu;

/** An answer's choice: all of what was offered, the one at a place in it, what is somewhere or on a day, or what has a name. */
type Choice =
  | { readonly kind: "all"; readonly isBoth: boolean }
  | { readonly kind: "place"; readonly place: number }
  | { readonly kind: "where"; readonly look: Clause }
  | { readonly kind: "name"; readonly name: Target; readonly look: Clause };

/** Repeats a command for those of its meanings that the answer chooses; null where it chooses none. */
function chooseOption(given: Answering): string | null {
  const { message, lastMessage, lastReply, lexicon, things } = given;
  const [, listed] = new RegExp(`${LISTS_SEVERAL}(.+)\\.$`, "mu").exec(lastReply) ?? [];
  if (listed === undefined && !/\b(?:Shall I|Do it\?)/u.test(lastReply)) return null;
  const [asked, ...others] = readClauses(lastMessage, lexicon).filter(isChange);
  const choice = asked === undefined || others.length > 0 ? null : readChoice(message, lexicon);
  if (asked === undefined || choice === null) return null;
  if (
    choice.kind === "name" &&
    choice.look.kind === "open" &&
    !holdsName(lastReply, choice.name.text)
  )
    return null;
  return listed === undefined
    ? chooseAsked(choice, asked, given)
    : chooseListed(
        choice,
        identifyAlike(
          listed.split(/, | and /u).map((option) => readOption(option, asked, lexicon)),
          things,
        ),
        lexicon,
      );
}

function readChoice(message: string, lexicon: Lexicon): Choice | null {
  if (ALL.test(message)) return { kind: "all", isBoth: /\bboth\b/iu.test(message) };
  const own = readMessage(message, lexicon);
  const [clause] = own.kind === "understood" ? own.request.clauses : [];
  // "What's in the freezer?" asks for something else, and "in the freezer" answers.
  if (own.kind === "understood" && own.request.hasVerb && clause?.kind === "show") return null;
  const place = (clause?.kind === "open" && clause.names[0]?.points) || 0;
  if (place !== 0) return { kind: "place", place };
  const [, rest = ""] = ONE.exec(message) ?? [];
  const [look, ...looks] = readClauses(`show ${rest}`, lexicon);
  if (look === undefined || looks.length > 0) return null;
  const [name, ...names] = look.names;
  if (name === undefined) return look.kind === "show" ? { kind: "where", look } : null;
  const isName = look.kind === "show" ? names.length === 0 : look.kind === "open";
  return isName && name.points === null ? { kind: "name", name, look } : null;
}

/** Chooses among the meanings that were listed. */
function chooseListed(choice: Choice, options: readonly Clause[], lexicon: Lexicon): string | null {
  switch (choice.kind) {
    case "all":
      return meansAll(choice, options) ? describeAll(options, lexicon) : null;
    case "place":
      return describeOne(selectPlaced(options, choice.place), lexicon);
    case "where":
      return describeOne(narrow(options, choice.look), lexicon);
    case "name": {
      // "The milk in the fridge" has its name and its place.
      const named = selectNamed(options, choice.name);
      const { look } = choice;
      return describeOne(look.kind === "show" ? narrow(named, look) : named, lexicon);
    }
    default:
      return choice satisfies never;
  }
}

/** Narrows or redirects what a yes was asked for. */
function chooseAsked(
  choice: Choice,
  asked: Clause,
  { message, lexicon }: Pick<Answering, "message" | "lexicon">,
): string | null {
  const options = asked.names.map((name) => Object.assign({}, asked, { names: [name] }));
  const isMany = options.length > 1;
  switch (choice.kind) {
    case "all":
      return meansAll(choice, options) ? "yes" : null;
    case "place":
      return isMany ? describeOne(selectPlaced(options, choice.place), lexicon) : null;
    case "where": {
      // "From the shopping list" after "Shall I remove “milk” from the inventory?"
      const { part } = choice.look;
      const isElsewhere = part !== null && asked.kind !== "add" && asked.names.length > 0;
      return isElsewhere ? describeAll([{ ...asked, part }], lexicon) : null;
    }
    case "name": {
      const { name, look } = choice;
      if (look.kind === "show" || !/^\W*(?:just|only)\b/iu.test(message)) return null;
      return asked.kind === "clear"
        ? describeAll([{ ...asked, kind: "remove", names: [name] }], lexicon)
        : describeOne(isMany ? selectNamed(options, name) : [], lexicon);
    }
    default:
      return choice satisfies never;
  }
}

/** "Both" are two, and "all of them" more than one. */
function meansAll(
  { isBoth }: Extract<Choice, { kind: "all" }>,
  options: readonly Clause[],
): boolean {
  return isBoth ? options.length === 2 : options.length !== 1;
}

/** The option at a place, from the end where it is below zero. */
function selectPlaced(options: readonly Clause[], place: number): readonly Clause[] {
  return options.slice(place > 0 ? place - 1 : place).slice(0, 1);
}

/** The options that an answer names. */
function selectNamed(options: readonly Clause[], { text }: Target): readonly Clause[] {
  return options.filter(({ names: [each] }) => holdsName(each?.text ?? "", text));
}

/** The options in the place or on the day of an answer. */
function narrow(options: readonly Clause[], { part, day }: Clause): readonly Clause[] {
  if (day !== null) return options.filter((option) => option.day?.first === day.first);
  return options.flatMap((option) => {
    const place = joinParts(option.part, part);
    return place === null ? [] : [{ ...option, part: place }];
  });
}

function describeOne(clauses: readonly Clause[], lexicon: Lexicon): string | null {
  return clauses.length === 1 ? describeAll(clauses, lexicon) : null;
}

/** Writes clauses as commands, one for those that differ in their names alone. */
function describeAll(clauses: readonly Clause[], { words }: Lexicon): string {
  const alike = Map.groupBy(clauses, (clause) => JSON.stringify({ ...clause, names: [] }));
  return [...alike.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, names: [first, ...others].flatMap(({ names }) => names) }],
    )
    .map((clause) => describeClause(clause, words))
    .join("; ");
}

/** Gives options of one name and place their refs, in the order in which they were listed. */
function identifyAlike(options: readonly Clause[], things: readonly PromptRef[]): Clause[] {
  return options.map((option) => {
    const [name] = option.names;
    const alike = options.filter(
      ({ names: [other], part }) =>
        other?.text === name?.text && JSON.stringify(part) === JSON.stringify(option.part),
    );
    if (name === undefined || alike.length === 1) return option;
    const found = things
      .filter(({ ref, label }) => {
        const isThere = option.part === null || belongsTo(ref, option.part.subdomain);
        return isThere && isWholeLabel(name.text, label);
      })
      .toSorted((one, other) => compareNumbers(one.ref, other.ref));
    const ref = (found.length === alike.length && found[alike.indexOf(option)]?.ref) || null;
    return { ...option, names: [{ ...name, ref }] };
  });
}

/** Reads `"coffee" in the shopping list`, `"Rex" (weight 30) in the dogs` or `Mushroom Risotto 2026-01-12 dinner` as what a command is to mean. */
function readOption(option: string, asked: Clause, lexicon: Lexicon): Clause {
  const [, name = "", place = "", date = ""] =
    /^"?(.+?)"?(?: \([^()]*\))?(?: in (?:the )?(.+?))?(?: (\d{4}-\d\d-\d\d(?: [a-z]+)?))?$/u.exec(
      option,
    ) ?? [];
  const [look] =
    place + date === "" ? [] : readClauses(`show ${place || "meals"} ${date}`, lexicon);
  const names = [createTarget(name, { ...asked.names[0], text: name, known: true })];
  const { part = asked.part, day = asked.day, slot = asked.slot } = look ?? {};
  return { ...asked, names, part, day, slot };
}
