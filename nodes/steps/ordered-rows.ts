import { keyText } from "../../domain/changes/key-text.ts";
import { meansGone } from "../../output-filter/asked-change.ts";
import type { NameableRow } from "../../state/change.ts";
import { listNouns, listVisibleColumns, type EntityType } from "../../state/entity.ts";
import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { readNumbers } from "../../text/read-numbers.ts";
import { splitClauses, splitSentences } from "../../text/split-sentences.ts";
import { BASE_LANGUAGE } from "../../text/spoken-language.ts";
import { listNamedIn } from "./named-in-text.ts";
import { selectLabelled, selectNamed, type WrittenWords } from "./named-rows.ts";
import { leaveOutNames, nameColumn } from "./row-words.ts";

/** The person's words, by what they ask for. */
export interface OrderedWords extends Omit<WrittenWords, "message"> {
  /** The clauses that order an end. */
  readonly ordered: string;
  /** All that may ask for one. */
  readonly asked: string;
  /** The description of a step that the person has agreed to; empty where there is none. */
  readonly described: string;
  readonly entityTypes: readonly EntityType[];
}

/**
 * Returns those of the rows that are named where their end is asked for: beside a clause that orders it by
 * name, no other one names any. Who orders the end of a column ("delete Kim's phone"), or of something of the
 * row ("remove the discount from the invoice", "take 15 euros off it"), names no row, nor does who calls one
 * off that can be called off and stay ("cancel the lesson", of a type that lists "cancelled"), or who moves one
 * ("take K-104 out of Old Quarry and put it at Mill Meadow"). Pure.
 */
export function selectOrdered<T extends NameableRow>(
  rows: readonly T[],
  { ordered, asked, described, ...words }: OrderedWords,
): readonly T[] {
  const known = [...words.known, ...rows];
  const isOrdered =
    selectLabelled(known, { ...words, message: ordered }).length > 0 ||
    refersByName(ordered, words);
  const request = isOrdered ? ordered : asked;
  const named = selectNamed(rows, { ...words, message: `${request}\n${described}` });
  return named.filter(
    (row) =>
      !speaksOfMove(asked, row, { known, entityTypes: words.entityTypes }) &&
      !callsOff(request, row, words.entityTypes) &&
      !speaksOfSum(request, row) &&
      !speaksOfColumn(request, row, words.entityTypes) &&
      !speaksOfPart(request, row, words.entityTypes),
  );
}

/** Returns true for a text with the words of a reference that are of the name of its row: "take the dolly off the list". */
function refersByName(
  text: string,
  { references, known, entityTypes }: Omit<WrittenWords, "message">,
): boolean {
  const folded = foldText(text);
  return references.some(({ text: words, ref }) => {
    const rows = known.filter((one) => one.ref === ref);
    return folded.includes(foldText(words)) && listNamedIn(words, rows, entityTypes).length > 0;
  });
}

/** Words before the place that a row leaves, or goes to. */
const FROM_OR_TO = "from|out of|off|to|into|onto|aus|nach|uit|naar|vers|hacia|verso";
/** Words before the place where a row is, or is put down: "drop K-104 at Mill Meadow". */
const AT = "at|in|on|bei|beim|im|auf|am|en|a|au|sur|chez|op|aan|presso|em|no|na";

/** Returns true where a row goes from or to another, of a type that its own points at, or between two: "remove K-104 from Old Quarry". */
function speaksOfMove(
  request: string,
  { type: name, label, before }: NameableRow,
  { known, entityTypes }: Pick<OrderedWords, "known" | "entityTypes">,
): boolean {
  const columns = entityTypes.find(({ type }) => type === name)?.columns ?? [];
  const pointed = new Set(columns.map(({ references }) => references));
  const links = new Set(Object.values(before ?? {}).map(keyText));
  const text = foldText(request).replaceAll(foldText(label), "  ");
  const places = known
    .filter((row) => row.type !== name && pointed.has(row.type) && row.label.trim() !== "")
    .filter((row) => text.includes(foldText(row.label)));
  const isWay = (place: NameableRow): boolean => {
    // Where the row is already, the place may as well tell it from others.
    const isElsewhere = before != null && place.id !== null && !links.has(place.id);
    const words = isElsewhere ? `${FROM_OR_TO}|${AT}` : FROM_OR_TO;
    const way = ` (?:${words}) (?:the |dem |der |het |de )?${foldText(place.label).trim()} `;
    return new RegExp(way, "u").test(text);
  };
  return new Set(places.map((place) => foldText(place.label))).size > 1 || places.some(isWay);
}

const LANGUAGES = [...CHANGE_FIELDS.values()];

/** "Knock 15 euros off it": a sum, or a share, is taken from a row, which stays. */
function speaksOfSum(request: string, { label }: NameableRow): boolean {
  const numbers = readNumbers(leaveOutNames(request, [label]), BASE_LANGUAGE);
  return numbers.some(({ isMoney, isPercent }) => isMoney || isPercent);
}

/** Verbs by which something is called off, beside those by which it goes: in Italian, "cancella" deletes. */
const CALLED_OFF = /^(?:cancel(?!l[ao])|storn|anul|annul|disdi|absag|sag$|desmarc)/u;

/** Returns true for words that call a row off or do not say how it is to go ("it is off"), where its type lists a value for that. */
function callsOff(
  request: string,
  { type: name }: NameableRow,
  entityTypes: readonly EntityType[],
): boolean {
  const columns = entityTypes.find(({ type }) => type === name)?.columns ?? [];
  const verbs = LANGUAGES.flatMap((language) =>
    language.split(request).filter((word) => language.has(word, "orders gone")),
  );
  return (
    columns.some(({ values = [] }) => values.some(meansGone)) &&
    verbs.every((word) => CALLED_OFF.test(word))
  );
}

/** Words between a thing and what it belongs to. */
const BELONGS = new Set(
  "from of off for about on von vom bei beim zu zum zur fur aus an am de du des del d da do dal della di para pour por sur sobre su per van voor bij over uit aan".split(
    " ",
  ),
);

/** Words for what is stored of something: "the entry for Kim" is Kim. */
const STORED = new Set(
  "entry record row item profile eintrag datensatz zeile profil entree fiche registro ficha voce scheda profilo invoer regel perfil".split(
    " ",
  ),
);

/** Returns true where a row is named only as what another thing belongs to: "the discount of R-5", "R-5's attachment". */
function speaksOfPart(
  request: string,
  { type: name, label }: NameableRow,
  entityTypes: readonly EntityType[],
): boolean {
  const type = entityTypes.find((candidate) => candidate.type === name);
  const nouns = new Set((type === undefined ? [] : listNouns(type)).flatMap(foldWords));
  const isThing = (word: string): boolean =>
    LANGUAGES.every((language) => !language.knows(word)) &&
    ![BELONGS, STORED, nouns].some((words) => words.has(word));
  const [clause = "", ...others] = splitSentences(request)
    .flatMap(splitClauses)
    .map(foldText)
    .filter((each) => each.includes(foldText(label)));
  if (clause === "" || others.length > 0) return false;
  const [before = "", after = ""] = clause.split(foldText(label));
  const [mark, owned = ""] = foldWords(after);
  if (mark === POSSESSIVE && owned !== "" && isThing(owned)) return true;
  // Each language has its own verbs of several words: "get rid of".
  return LANGUAGES.every((language) => {
    const words = language.split(before);
    const place = words.findLastIndex((word) => BELONGS.has(word));
    // Nothing stands between the two but an article.
    return (
      place !== -1 && words.slice(0, place).some(isThing) && !words.slice(place + 1).some(isThing)
    );
  });
}

/** The letter behind an apostrophe: "Kim's". */
const POSSESSIVE = "s";

/** Returns true for words that name a column of a row's type, beside the row's label and words for types. */
function speaksOfColumn(
  request: string,
  { type: name, label }: NameableRow,
  entityTypes: readonly EntityType[],
): boolean {
  const type = entityTypes.find((candidate) => candidate.type === name);
  const nouns = new Set(entityTypes.flatMap(listNouns).map(foldText));
  const columns = type === undefined ? [] : listVisibleColumns(type).map(nameColumn).map(foldText);
  const rest = foldText(request).replaceAll(foldText(label), " ");
  return columns.some((column) => rest.includes(column) && !nouns.has(column));
}
