import { distance } from "fastest-levenshtein";
import { RequestBuilder } from "./build-request.ts";
import { findDays } from "./dates.ts";
import { matchSymbols } from "./grammar.ts";
import type { Lexicon } from "./lexicon.ts";
import {
  type Clause,
  isChange,
  isTalk,
  type Reading,
  type Request,
  type Target,
} from "./request.ts";
import { fillPronouns, isHarmless, stripRemarks } from "./remarks.ts";
import { findSymbols, type Symbol } from "./symbols.ts";
import { isShort, joinTyped, singular, splitTokens, type Token } from "./tokens.ts";
import { WORDINGS } from "./wordings.ts";

/** A message of more words is talk, not a command. */
const MOST_TOKENS = 60;

/** Most words that a refusal quotes. */
const MOST_QUOTED = 5;

/**
 * Reads what a message asks for.
 *
 * Contract: it is understood only when every word has exactly one place in a parse and all parses
 * that know as many of its words ask for the same.
 */
export function readMessage(message: string, lexicon: Lexicon): Reading {
  const tokens = splitTokens(message);
  const reading = readWhole(tokens, lexicon, message);
  const dated = placeDay(tokens, lexicon.today);
  const isOpen =
    reading.kind === "unknown" ||
    (reading.kind === "understood" &&
      reading.request.clauses.some(
        ({ kind, names: [name] }) => kind === "plan" && name?.day === null,
      ));
  const again = isOpen && dated !== null ? readWhole(dated, lexicon, message) : reading;
  return nameNumbers(again.kind === "understood" ? again : reading, tokens, lexicon);
}

/** Reads the clauses of a message; none where it is not understood. */
export function readClauses(message: string, lexicon: Lexicon): readonly Clause[] {
  return listClauses(readMessage(message, lexicon));
}

function listClauses(reading: Reading): readonly Clause[] {
  return reading.kind === "understood" ? reading.request.clauses : [];
}

/** Reads the numbers of a message as parts of names where what it names has no amount: "add Fahrenheit 451 to my books". */
function nameNumbers(reading: Reading, tokens: readonly Token[], lexicon: Lexicon): Reading {
  const { uncounted } = lexicon;
  const given = listClauses(reading);
  const isNamed = ({ part }: Clause): boolean => uncounted.has(part?.subdomain ?? null);
  const counted = given.filter(isNamed).flatMap(listCounted);
  const isOpen = reading.kind !== "understood" || counted.length > 0;
  if (uncounted.size === 0 || !isOpen || !tokens.some(isNumber)) return reading;
  const message = joinTyped(tokens);
  const again = readTokens(tokens, { ...lexicon, namesNumbers: true }, message);
  if (again.kind !== "understood") return reading;
  const { clauses } = again.request;
  // Where some things are counted, only a change of others says that a number is no amount.
  const isMeant = (clause: Clause): boolean =>
    isNamed(clause) && (isChange(clause) || uncounted.has(null));
  // "2 Emmas" are two of a thing that is known.
  const isAmount =
    counted.some(({ known }) => known) &&
    clauses.some(({ names }) => names.some(({ text }) => isNumber(splitTokens(text)[0])));
  return isAmount || !clauses.every(isMeant) ? reading : again;
}

/** The things of which a clause says how many there are or shall be. */
function listCounted({ names, to }: Clause): readonly Target[] {
  return to !== null && to.quantity !== null
    ? names
    : names.filter(({ quantity }) => quantity !== null);
}

function isNumber(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    token.quoted === null &&
    (/^\d/u.test(token.text) || WORDINGS.numbers.has(token.text))
  );
}

/** Puts the one day that a message names in the place of "that day" or "then" behind it; null where there is none. */
function placeDay(tokens: readonly Token[], today: string): Token[] | null {
  const words = tokens.map(({ text }) => text);
  const at = words.findIndex((_, index) => THAT_DAY.test(words.slice(index, index + 2).join(" ")));
  const days = words
    .slice(0, Math.max(0, at))
    .flatMap((_, index) => findDays(words.slice(index, at), today)[0]?.day ?? []);
  const found = new Set(days.map(({ first, last, or }) => (first === last && !or ? first : "")));
  const [day = ""] = found;
  if (found.size > 1 || day === "") return null;
  const isLate = /^(?:evening|night)$/u.test(words[at + 1] ?? "");
  const placed = [day, ...(isLate ? ["evening"] : [])];
  const date = placed.map((text): Token => ({ text, typed: words[at] ?? "", quoted: null }));
  return tokens.toSpliced(at, words[at] === "then" ? 1 : 2, ...date);
}

const THAT_DAY = /^(?:that (?:day|evening|night)|then(?: [,.!]| please)?)$/u;

function readWhole(tokens: readonly Token[], lexicon: Lexicon, message: string): Reading {
  const reading = readTokens(tokens, lexicon, message);
  if (reading.kind !== "unknown") return reading;
  const plain = readPlain(tokens, lexicon);
  if (plain !== null) return plain;
  const sentences = readSentences(splitSentences(tokens, false), lexicon, message);
  if (sentences !== null) return sentences;
  // Half a command is none; half of what is asked can be shown.
  const halves = readSentences(splitSentences(tokens, true), lexicon, message);
  const isLook = halves?.rest.clauses.every((each) => !isChange(each) && each.kind !== "exclude");
  return halves !== null && isLook === true ? halves : reading;
}

/** Reads what a message asks for beside its remarks; null where it has none, or one that is not harmless. */
function readPlain(tokens: readonly Token[], lexicon: Lexicon): Reading | null {
  const read = (part: readonly Token[]): Reading => readTokens(part, lexicon, joinTyped(part));
  const readItem = (item: readonly Token[]): Target | null => {
    const reading = read([{ text: "add", typed: "add", quoted: null }, ...item]);
    return reading.kind === "understood" ? (reading.request.clauses[0]?.names[0] ?? null) : null;
  };
  const isKept = (part: readonly Token[]): boolean => read(part).kind === "understood";
  for (const { tokens: kept, remarks } of stripRemarks(tokens, lexicon, isKept)) {
    const reading = kept.every(isPolite) ? null : read(kept);
    if (reading?.kind !== "understood") continue;
    // "In the freezer I have two loaves" says where they are, and asks for nothing.
    if (!reading.request.hasVerb && PLACES.test(kept[0]?.text ?? "")) continue;
    // "Delete the books that are lent" is about some of them.
    const isWhole = reading.request.clauses.some(({ names }) => names.length === 0);
    if (isWhole && remarks.some((remark) => narrows(remark, tokens))) continue;
    const isSafe = remarks.every((remark) => isHarmless(remark, reading.request, lexicon));
    const request = isSafe ? fillPronouns(reading.request, remarks, lexicon, readItem) : null;
    if (request !== null) return { kind: "understood", request };
  }
  return null;
}

/** Tells whether a remark stands directly behind other words, with no sign and no "because" between. */
function narrows(remark: readonly Token[], tokens: readonly Token[]): boolean {
  const [first] = remark;
  const before = first === undefined ? undefined : tokens[tokens.indexOf(first) - 1];
  return (
    first !== undefined &&
    before !== undefined &&
    !/^[\p{P}]$/u.test(before.text) &&
    !WORDINGS.remarks.links.has(first.text)
  );
}

/** "I would like to dance, please" agrees to nothing. */
function isPolite({ text }: Token): boolean {
  return /^(?:please|[,;.!])$/u.test(text);
}

const PLACES = /^(?:in|on|at|inside)$/u;

/** A message of more sentences is a story, of which a part says little. */
const MOST_SENTENCES = 8;

/** Kinds of clauses that can be carried out beside a sentence that is not understood. */
const STANDS_ALONE: ReadonlySet<string> = new Set(
  "show open options add remove clear mark change plan exclude thanks hello".split(" "),
);

/**
 * Reads the sentences of a message that is not understood as a whole, as many at once as make sense
 * together; null where none of them does, or one of them turns or answers something.
 */
function readSentences(
  sentences: readonly (readonly Token[])[],
  lexicon: Lexicon,
  message: string,
) {
  if (sentences.length < 2 || sentences.length > MOST_SENTENCES) return null;
  const clauses: Clause[] = [];
  const words: string[] = [];
  let first = 0;
  while (first < sentences.length) {
    let end = sentences.length;
    let reading = readTokens(sentences.slice(first).flat(), lexicon, message);
    while (reading.kind !== "understood" && end > first + 1) {
      end -= 1;
      reading = readTokens(sentences.slice(first, end).flat(), lexicon, message);
    }
    if (reading.kind === "understood") {
      const asked = reading.request.clauses;
      if (!asked.every((each) => STANDS_ALONE.has(each.kind) && !each.isFragment)) return null;
      clauses.push(...asked.filter((clause) => !isTalk(clause)));
    } else words.push(quoteSentence(sentences[first] ?? []));
    first = end;
  }
  if (clauses.length === 0 || words.length === 0) return null;
  const rest = { clauses, hasVerb: true, isQuestion: true };
  return { kind: "unknown" as const, words: words.slice(0, MOST_QUOTED), rest };
}

function quoteSentence(sentence: readonly Token[]): string {
  const words = sentence.map(({ typed }) => typed).filter((word) => /[^\p{P}]/u.test(word));
  return words.join(" ").replace(/^and /iu, "");
}

/** Cuts a message behind its commas and full stops, and before every "and" where its clauses are cut, too. */
function splitSentences(tokens: readonly Token[], cutsClauses: boolean): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    if (cutsClauses && token.text === "and") sentences.push([]);
    const before = sentences.at(-1)?.at(-1);
    sentences.at(-1)?.push(token);
    const isEnd = token.quoted === null && /^[,;.!?]$/u.test(token.text);
    if (isEnd && !isShort(before, token)) sentences.push([]);
  }
  return sentences.filter((sentence) => sentence.some(({ text }) => /[^\p{P}\s]/u.test(text)));
}

function readTokens(tokens: readonly Token[], lexicon: Lexicon, message: string): Reading {
  const rows = tokens.length > MOST_TOKENS ? null : findSymbols(tokens, lexicon);
  const requests: { readonly request: Request; readonly unknown: number }[] = [];
  let furthest: readonly Symbol[] = [];
  let reached = -1;
  for (const row of rows ?? []) {
    const match = matchSymbols(row);
    if (typeof match === "number") {
      if (match > reached) [furthest, reached] = [row, match];
      continue;
    }
    const request = new RequestBuilder(row, lexicon).build(match, message);
    const isCounted = request?.clauses.some((clause) => listCounted(clause).length > 0);
    if (request !== null && !(lexicon.namesNumbers && isCounted))
      requests.push({ request, unknown: row.filter(isUnknown).length });
  }
  const fewest = Math.min(...requests.map(({ unknown }) => unknown));
  const best = requests.filter(({ unknown }) => unknown === fewest).map(({ request }) => request);
  const meanings = [...new Map(best.map((each) => [describeMeaning(each), each])).values()];
  // "Plan my week" has a verb; that "plan" is a noun in it as well is no other wish.
  const spoken = meanings.filter(({ hasVerb }) => hasVerb);
  const found = spoken.length > 0 && !spoken.some(writes) ? spoken : meanings;
  const [only] = found;
  // "Forget it" is a no, or leaves out what "it" is: a no changes nothing.
  const refusal = found.find(({ clauses }) => clauses.every(({ kind }) => kind === "no"));
  // "Go ahead and save the plan" agrees, however it is cut.
  const agrees = found.every(({ clauses }) =>
    clauses.every(({ kind }) => kind === "yes" || kind === "save"),
  );
  const certain = found.length === 1 || agrees ? only : refusal;
  if (certain !== undefined) return { kind: "understood", request: certain };
  if (only !== undefined) return { kind: "ambiguous", requests: found };
  const rest = furthest.slice(Math.min(reached, furthest.length - 1));
  // "Plan cod tacos yesterday" has a place for the tacos, and none for the day.
  const isPlaced = rest[0] !== undefined && SPOILS.test(rest[0].typed) && !rest.some(isUnknown);
  const strange = isPlaced ? [] : furthest.filter(isUnknown);
  const unplaced = [strange, rest, tokens].map((row) =>
    row.map(({ typed }) => typed).filter((word) => /[^\p{P}\s]/u.test(word)),
  );
  const words = unplaced.find(({ length }) => length > 0) ?? [];
  return { kind: "unknown", words: words.slice(0, MOST_QUOTED), rest: null };
}

/** Words, and dates in figures, that no place takes whatever stands before them. */
const SPOILS = /^(?:yesterday|last|every|each|next|ago|except|but|or|because|if|unless|[\d/.]+)$/iu;

function writes({ clauses }: Request): boolean {
  return clauses.some(isChange);
}

function isUnknown({ tags }: Symbol): boolean {
  return tags.includes("u");
}

/** Two readings are one where they ask for the same, however the words were cut, thanks apart. */
function describeMeaning({ clauses }: Request): string {
  const asked = clauses.filter(({ kind }) => kind !== "thanks" && kind !== "hello");
  return JSON.stringify(asked.length === 0 ? clauses : asked, (key, value: unknown) =>
    key === "known" ? undefined : value,
  );
}

/**
 * Exchanges the one unknown word of a message for the one known name word that is close to it, so that
 * every name is known; null where there is none. Verbs, numbers, days and negations are never corrected.
 */
export function correctMessage(message: string, lexicon: Lexicon) {
  const tokens = splitTokens(message);
  const strange = tokens.filter((token) => isStrange(token, lexicon));
  const [token] = strange;
  if (token === undefined || strange.length > 1) return null;
  const stem = singular(token.text);
  const most = stem.length >= 7 ? 2 : 1;
  const parts = [...lexicon.phrases.values()].flat().filter(({ part }) => part !== null);
  const close = [...new Set([...lexicon.nameWords, ...parts.flatMap((each) => each.words)])].filter(
    (known) =>
      known.length > 3 &&
      !WORDINGS.closed.has(known) &&
      (distance(stem, known) <= most || isSwap(stem, known)),
  );
  // A letter less or more than a word that is known counts before two.
  const nearest = Math.min(...close.map((known) => distance(stem, known)));
  const near = close.filter((known) => distance(stem, known) === nearest);
  const [typed] = near;
  if (typed === undefined || near.length > 1) return null;
  const corrected = tokens.with(tokens.indexOf(token), { text: typed, typed, quoted: null });
  const reading = readTokens(corrected, lexicon, message);
  if (reading.kind !== "understood") return null;
  const isLook = reading.request.clauses.some(({ kind }) => kind === "show" || kind === "open");
  if (isLook && stem.length < SURE_LENGTH) return null;
  // "Black bean chilli" is no name either: what was typed may be one.
  const names = reading.request.clauses.flatMap((clause) => clause.names);
  if (!names.every(({ known, points }) => known || points !== null)) return null;
  return { text: joinTyped(corrected), request: reading.request };
}

/** Most words that one fault has. */
const MOST_AT_FAULT = 4;

/**
 * Finds the words without which the rest of a message would be a command: the fewest, and none that
 * names something; null where there are none, or where a name that nobody knows would be left.
 */
export function findFault(message: string, lexicon: Lexicon): readonly string[] | null {
  const tokens = splitTokens(message);
  if (tokens.length > MOST_TRIED) return null;
  const isFree = ({ text, quoted }: Token): boolean =>
    quoted === null && (WORDINGS.closed.has(text) || !lexicon.nameWords.has(singular(text)));
  for (let length = 1; length <= MOST_AT_FAULT; length++) {
    for (let at = 0; at + length <= tokens.length; at++) {
      const words = tokens.slice(at, at + length);
      const typed = words.map((each) => each.typed).filter((word) => /[\p{L}\p{N}+]/u.test(word));
      if (typed.length === 0 || !words.every(isFree)) continue;
      const rest = readTokens(tokens.toSpliced(at, length), lexicon, message);
      const clauses = rest.kind === "understood" ? rest.request.clauses : [];
      const names = clauses.flatMap((clause) => clause.names);
      if (!clauses.every(isTalk) && names.every(({ known, points }) => known || points !== null))
        return [typed.join(" ")];
    }
  }
  return null;
}

/** A longer message has more faults than one. */
const MOST_TRIED = 16;

/** Letters of a word of which one can be wrong: "joke" is no coke. */
const SURE_LENGTH = 5;

/** Tells whether no phrase and no name has a word. */
function isStrange({ text, quoted }: Token, { nameWords, phraseWords }: Lexicon): boolean {
  if (quoted !== null || WORDINGS.closed.has(text) || !/^\p{L}{4,}$/u.test(text)) return false;
  return !phraseWords.has(text) && !nameWords.has(singular(text));
}

/** Two neighbouring letters changed places. */
function isSwap(one: string, other: string): boolean {
  return [...one].some(
    (letter, at) =>
      `${one.slice(0, at)}${one[at + 1] ?? ""}${letter}${one.slice(at + 2)}` === other,
  );
}
