import { joinParts, type Lexicon } from "./lexicon.ts";
import { type Clause, isTalk, type Request, type Target } from "./request.ts";
import { UNITS } from "./symbols.ts";
import { singular, splitWords, type Token } from "./tokens.ts";
import { WORDINGS } from "./wordings.ts";

const { remarks: WORDS } = WORDINGS;

/** A piece of a message, up to a sign or to where the next clause begins. */
interface Piece {
  readonly tokens: readonly Token[];
  readonly isRemark: boolean;
}

/**
 * Takes out of a message what only says something: clauses with a subject and a finite verb of their
 * own. The first result keeps those that `isKept` understands, the last keeps none.
 *
 * Contract: a single word more in a message makes no remark; each that stood between two pieces leaves a
 * full stop, so that no name grows together.
 */
export function stripRemarks(
  tokens: readonly Token[],
  lexicon: Lexicon,
  isKept: (tokens: readonly Token[]) => boolean,
) {
  const pieces = cutPieces(tokens, lexicon);
  const strange = pieces.filter((piece) => piece.isRemark && !isKept(piece.tokens));
  const all = pieces.filter((piece) => piece.isRemark);
  return [strange, all]
    .filter(
      (dropped, at, [first]) =>
        dropped.length > 0 && (at === 0 || dropped.length > (first?.length ?? 0)),
    )
    .map((dropped) => ({
      tokens: joinPieces(pieces, dropped),
      remarks: dropped.map((each) => each.tokens),
    }));
}

const STOP: Token = { text: ".", typed: ".", quoted: null };

function isStop(token: Token | undefined): boolean {
  return token !== undefined && /^[,;.!]$/u.test(token.text);
}

function joinPieces(pieces: readonly Piece[], dropped: readonly Piece[]): Token[] {
  const kept = pieces.flatMap((piece) => (dropped.includes(piece) ? [STOP] : piece.tokens));
  return kept.filter(
    (token, at) => !isStop(token) || (!isStop(kept[at + 1]) && at > 0 && at < kept.length - 1),
  );
}

function cutPieces(tokens: readonly Token[], lexicon: Lexicon): Piece[] {
  const pieces: Piece[] = [];
  let first = 0;
  while (first < tokens.length) {
    const end = findEnd(tokens, first, lexicon);
    const piece = tokens.slice(first, end);
    pieces.push({ tokens: piece, isRemark: isStatement(piece) || isExclamation(piece, lexicon) });
    first = end;
  }
  return pieces;
}

/** Finds where the piece ends that begins at a place: behind a sign, before a statement, or before a request behind one. */
function findEnd(tokens: readonly Token[], first: number, lexicon: Lexicon): number {
  const verb = findVerb(tokens, first, true);
  for (let at = first; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.quoted === null && SIGN.test(token.text)) return at + 1;
    if (at === first) continue;
    const before = tokens[at - 1]?.text ?? "";
    if (verb === null || at > verb + 1) {
      if (!WORDS.binds.has(before) && findVerb(tokens, skipLinks(tokens, at), false) !== null)
        return at;
    }
    if (
      verb !== null &&
      at > verb + 1 &&
      !WORDS.binds.has(before) &&
      beginsRequest(tokens.slice(at), lexicon)
    )
      return at;
  }
  return tokens.length;
}

const SIGN = /^[,;.!?:()]$/u;

/** "Because", "as", "and" before a statement go with it. */
function skipLinks(tokens: readonly Token[], at: number): number {
  let next = at;
  while (next < tokens.length && WORDS.links.has(tokens[next]?.text ?? "")) next += 1;
  return next;
}

/** Tells whether some words begin a request that needs no sign before it: "could you", "what is", "so put". */
function beginsRequest(tokens: readonly Token[], { phrases }: Lexicon): boolean {
  const begins = (from: number, tags: ReadonlySet<string>): boolean =>
    (phrases.get(tokens[from]?.text ?? "") ?? []).some(
      (phrase) =>
        phrase.words.every((word, index) => tokens[from + index]?.text === word) &&
        phrase.tags.some((tag) => tags.has(tag)),
    );
  // "Take it off" can be no part of a statement before it.
  const isPointed = WORDS.pronouns.has(tokens[1]?.text ?? "");
  // "Got milk" tells, and "do we" asks.
  if (begins(0, ASKS) && /^(?:i|we|you|there|any|much|many)$/u.test(tokens[1]?.text ?? ""))
    return true;
  // "We have plenty, so that can come off": what follows is asked for.
  const isLet = isPointed && /^(?:can|could|may|should|must)$/u.test(tokens[2]?.text ?? "");
  return tokens[0]?.text === "so"
    ? isLet || begins(1, ORDERS)
    : begins(0, isPointed ? ORDERS : OPENERS);
}

const OPENERS = new Set(
  "canyou please whatis what eating whenis lacksfor canmake options".split(" "),
);
const ASKS = new Set(["ask"]);
const ORDERS = new Set([
  ...OPENERS,
  ..."add put buy remove take throw clear mark tick show changeverb move".split(" "),
]);

/** Tells whether a piece of a message states something, and is no question. */
function isStatement(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)?.text ?? "";
  const words = tokens.filter(({ text }) => !SIGN.test(text));
  const from = skipLinks(words, 0);
  return last !== "?" && findVerb(words, from, true) !== null;
}

/** Tells whether a piece only says how something is, and names nothing: "so sweet of her", "much better for the planet". */
function isExclamation(tokens: readonly Token[], { names, phrases }: Lexicon): boolean {
  const [first = "", ...rest] = tokens.map(({ text }) => text);
  const isPlain = (word: string): boolean =>
    word !== "?" &&
    !names.has(singular(word)) &&
    !isNumber(word) &&
    !(phrases.get(word) ?? []).some(
      ({ words, part, tags }) =>
        words.length === 1 && (part !== null || tags.some((tag) => ORDERS.has(tag))),
    );
  const [second = "to"] = rest;
  const isOpen = !WORDINGS.closed.has(second) || /^an?$/u.test(second);
  return WORDS.exclaims.has(first) && isOpen && rest.every(isPlain);
}

/**
 * Finds the finite verb of a statement that begins at a place; null where none does. A noun is the subject
 * only of a verb that can be no part of a name ("the organic smoked salmon"), or where it is a person or
 * the like; inside of a sentence it has an article.
 */
function findVerb(tokens: readonly Token[], from: number, isFirst: boolean): number | null {
  const at = isFirst ? skipLinks(tokens, from) : from;
  const word = (place: number): string => tokens[place]?.text ?? "";
  const isPronoun = WORDS.subjects.has(word(at));
  // "She insists": of another person every word in "s" is one.
  const isOther = /^(?:s?he|it|every(?:one|body)|some(?:one|body)|nobody)$/u.test(word(at));
  const isVerb = (place: number): boolean =>
    WORDS.verbs.has(word(place)) ||
    WORDS.safe.has(word(place)) ||
    /^\p{L}{2,}ed$/u.test(word(place)) ||
    (isOther && place === at + 1 && THIRD.test(word(place))) ||
    (place > at && WORDS.idle.has(word(place - 1)) && THIRD.test(word(place)));
  const hasArticle = WORDS.articles.has(word(at));
  // "Went to the market" leaves its subject out.
  const skipped = isFirst ? tokens.slice(at).findIndex(({ text }) => !isAdverb(text)) : -1;
  const past = at + skipped;
  if (skipped !== -1 && WORDS.pasts.has(word(past)) && tokens.length > past + 1) return past;
  if (!isPronoun && !hasArticle && (!isFirst || WORDINGS.closed.has(word(at)))) return null;
  let end = at + 1;
  const most = at + (isPronoun ? 1 : hasArticle ? 6 : 3);
  while (end < most && !isVerb(end) && !isAdverb(word(end))) {
    const isOpen = WORDINGS.closed.has(word(end)) && !WORDS.joins.has(word(end));
    if (isOpen || SIGN.test(word(end)) || word(end) === "") return null;
    end += 1;
  }
  // "The milk" needs its noun before the verb, and "that" may be all of the subject.
  if (hasArticle && end === at + 1 && !WORDS.pointers.has(word(at))) return null;
  const isAny = isPronoun || WORDS.idle.has(singular(word(end - 1)));
  const fits = (place: number): boolean => (isAny ? isVerb(place) : WORDS.safe.has(word(place)));
  const start = end;
  while (isAdverb(word(end))) end += 1;
  // "I have a feeling", "we do".
  while (end > start && !fits(end)) end -= 1;
  return fits(end) && tokens[end]?.quoted === null ? end : null;
}

/** "Swears", of somebody else. */
const THIRD = /^\p{L}{3,}[^s\P{L}]s$/u;

function isAdverb(word: string): boolean {
  return WORDS.adverbs.has(word) || /^\p{L}{3,}ly$/u.test(word);
}

/** Kinds of clauses that take something away: a denial agrees with them. */
const AWAY: ReadonlySet<Clause["kind"]> = new Set(["remove", "clear", "exclude"]);

/** Kinds of clauses that only show something. */
const LOOKS: ReadonlySet<Clause["kind"]> = new Set(["show", "open", "options", "lacking"]);

/** "We have some" says that a thing is there, and "I've just unpacked" does not. */
const OWNS =
  /\b(?:have|has|had|got|found|bought) (?:some|it|them|one|ones|any|that|those|these|this|more)\b/u;

/** Tells whether a remark leaves what a message asks for as it is: it limits, denies, doubts and repeats none of it. */
export function isHarmless(
  remark: readonly Token[],
  { clauses }: Request,
  lexicon: Lexicon,
): boolean {
  const words = remark.map(({ text }) => text);
  const has = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));
  const asked = clauses.filter((clause) => !isTalk(clause));
  const denies = has(WORDS.denials);
  // What people say of themselves may all be for the concierge.
  if (asked.some(({ kind }) => kind === "allergy")) return false;
  const content = words.filter((word) => !WORDINGS.closed.has(word) && /\p{L}/u.test(word));
  const isNamed = content.some((word) => lexicon.nameWords.has(singular(word)));
  if (asked.every(({ kind }) => LOOKS.has(kind)))
    return (
      !has(WORDS.limits) &&
      (!denies || !isNamed || asked.every(({ kind }) => kind === "show" || kind === "open"))
    );
  // "We had chili yesterday, so no chili", "I changed my mind about it": a wish writes nothing.
  if (asked.every(({ kind }) => kind === "exclude" || kind === "restore"))
    return !has(WORDS.limits) && (!denies || !isNamed);
  const texts = clauses.flatMap(({ names }) => names.map(({ text }) => text));
  const named = new Set(splitWords(texts.join(" ")).map(singular));
  if (content.some((word) => named.has(singular(word)))) return false;
  if (has(WORDS.limits) || has(WORDS.doubts)) return false;
  const isOther = content.length > 0 && !has(WORDS.pointers);
  if (asked.every(({ kind }) => AWAY.has(kind))) return denies || isOther || !has(WORDS.keeps);
  // "They each need two" says how many.
  const isCount = (word: string, at: number): boolean =>
    isNumber(word) && word !== "one" && !WORDS.idle.has(singular(words[at + 1] ?? ""));
  // What a pronoun stands for brings its amount.
  const isOpen = asked.every(({ kind, names: [name] }) => kind === "add" && name?.points === 0);
  if (!isOpen && words.some(isCount)) return false;
  const { list } = lexicon.words.roles;
  // What is marked as bought is there.
  const isBought = asked.some(({ kind, part }) => kind === "add" && part?.subdomain === list);
  if (isBought && (has(WORDS.owns) || OWNS.test(words.join(" ")))) return false;
  return !denies || (isOther && !has(WORDS.keeps));
}

/**
 * Puts the one known thing that the remarks name in the place of a pronoun that nothing else explains:
 * "The kids finished the jam, put it on the list". Null where a remark may name another thing.
 */
export function fillPronouns(
  request: Request,
  remarks: readonly (readonly Token[])[],
  lexicon: Lexicon,
  readItem: (tokens: readonly Token[]) => Target | null,
): Request | null {
  const { nameWords } = lexicon;
  const isOpen = request.clauses.some((clause) => clause.names.some(({ points }) => points === 0));
  if (!isOpen || remarks.length === 0) return request;
  // "I fancy the curry again, Friday lunch" moves no curry.
  if (request.clauses.some(({ kind }) => kind === "change")) return null;
  const found = remarks.flatMap((remark) => findNames(remark, lexicon));
  // Half a name will do where no whole one stands: "she loves that risotto".
  const whole =
    found.length > 0 ? found : remarks.flatMap((remark) => findHalves(remark, nameWords));
  const texts = new Set(whole.map(({ at, end, remark }) => typeWords(remark.slice(at, end))));
  const [text] = texts;
  if (text === undefined)
    return remarks.flat().some((token) => isStrange(token, nameWords) || isNumber(token.text))
      ? null
      : request;
  // "He left a kilo of pears. They are on the counter. Add them to the stock": how many, and where.
  const adds = request.clauses.every(({ kind }) => kind === "add");
  const [named] = whole;
  if (named === undefined || texts.size > 1) return null;
  const before = named.remark.slice(0, named.at);
  const start = adds ? before.findLastIndex(({ text: word }) => !isAmount(word)) + 1 : named.at;
  const item = start === named.at ? null : readItem(named.remark.slice(start, named.end));
  const rest = remarks.flatMap((remark) =>
    remark === named.remark ? [...before.slice(0, start), ...remark.slice(named.end)] : remark,
  );
  const places = rest.flatMap(({ text: word }) =>
    (lexicon.phrases.get(word) ?? []).flatMap(({ part, words }) =>
      words.length === 1 && part !== null ? [part] : [],
    ),
  );
  // An amount or a place that a remark names would be lost.
  const clauses = request.clauses.map((clause) => ({
    ...clause,
    part: places.reduce((part, place) => (adds ? joinParts(part, place) : null), clause.part),
    names: clause.names.map((name) =>
      name.points === 0 ? { ...name, ...item, text, known: named.isWhole, points: null } : name,
    ),
  }));
  const isLost = places.length > 0 && clauses.some(({ part }) => part === null);
  // How many there were says nothing of what is marked or left out.
  const counts = !request.clauses.every(({ kind }) => UNCOUNTED.has(kind));
  const isCounted = counts && rest.some(({ text: word }) => isNumber(word));
  return isLost || isCounted ? null : { ...request, clauses };
}

function isNumber(word: string): boolean {
  return /\d|^half$/u.test(word) || WORDINGS.numbers.has(word);
}

function isAmount(word: string): boolean {
  return isNumber(word) || /^(?:an?|of|more)$/u.test(word) || UNITS.has(singular(word));
}

function isStrange({ text }: Token, nameWords: ReadonlySet<string>): boolean {
  const { verbs, idle, adverbs, links } = WORDS;
  const known = [WORDINGS.closed, verbs, idle, adverbs, links];
  return (
    /\p{L}/u.test(text) &&
    !known.some((list) => list.has(text)) &&
    !nameWords.has(singular(text)) &&
    !/(?:ed|ly|ing)$/u.test(text)
  );
}

/** Kinds of clauses to which an amount says nothing. */
const UNCOUNTED: ReadonlySet<Clause["kind"]> = new Set(["mark", "exclude", "restore"]);

/** The words in a remark that are part of a known name. */
function findHalves(remark: readonly Token[], nameWords: ReadonlySet<string>) {
  return remark.flatMap((token, at) =>
    isHalf(token, nameWords) ? [{ at, end: at + 1, remark, isWhole: false }] : [],
  );
}

function isHalf(token: Token | undefined, nameWords: ReadonlySet<string>): boolean {
  return (
    token !== undefined &&
    nameWords.has(singular(token.text)) &&
    !WORDINGS.closed.has(token.text) &&
    !UNITS.has(singular(token.text))
  );
}

/** The known names in a remark, each the longest at its place. */
function findNames(remark: readonly Token[], { names, nameWords }: Lexicon) {
  const words = remark.map(({ text }) => singular(text));
  const found = words.flatMap((first, at) => {
    const fitting = (names.get(first) ?? []).filter(
      (name) =>
        // "In my bag" names none.
        !(name.length === 1 && UNITS.has(first)) &&
        name.every((word, index) => words[at + index] === word),
    );
    const length = Math.max(0, ...fitting.map((name) => name.length));
    // "Mushroom risotto" is more than its mushroom.
    const isMore = length > 0 && isHalf(remark[at + length], nameWords);
    const end = at + length + (isMore ? 1 : 0);
    return length === 0 ? [] : [{ at, end, remark, isWhole: !isMore }];
  });
  const apart = found.filter(({ at }, index) =>
    found.slice(0, index).every(({ end }) => end <= at),
  );
  // "Cod tacos" are one thing, whatever is known of them.
  return apart.reduce<typeof apart>((done, each) => {
    const last = done.at(-1);
    return last?.end === each.at
      ? done.with(done.length - 1, { ...last, end: each.end, isWhole: false })
      : [...done, each];
  }, []);
}

function typeWords(tokens: readonly Token[]): string {
  return tokens.map(({ typed }) => typed).join(" ");
}
