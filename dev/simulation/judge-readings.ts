import { Temporal } from "temporal-polyfill";
import { blotIds, isUuid } from "../../registry/hide-ids.ts";
import { listNamedInMessage } from "../../registry/named-in-message.ts";
import { readEndDay } from "../../registry/read-end-day.ts";
import {
  findOneMeant,
  scoreSharedWords,
  sharesWord,
  splitDistinctiveWords,
} from "../../registry/shared-words.ts";
import {
  expectDistinctive,
  expectMeant,
  expectScores,
  expectShared,
  PLAIN_WORDS,
  splitIntoWords,
} from "./expected-words.ts";
import { makeWord } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";
import { compare, type Violation } from "./violation.ts";

/** 2, 7: days, words, names and ids are read the same way, however a person writes them. */
export function judgeReadings(numbers: Numbers): Violation[] {
  return [
    ...judgeEndDays(numbers),
    ...judgeSharedWords(numbers),
    ...judgeMeant(numbers),
    ...judgeNames(numbers),
    ...judgeIdForms(numbers),
  ];
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The last day of a wish, in the ways in which people write one. */
function judgeEndDays(numbers: Numbers): Violation[] {
  const today = Temporal.PlainDate.from("2026-01-12").add({ days: numbers.below(400) });
  const day = today.add({ days: numbers.below(500) - 100 });
  const iso = day.toString();
  const { year, month, day: date } = day;
  const named = numbers.below(7);
  const away = (named + 1 - today.dayOfWeek + 7) % 7;
  const weekday = WEEKDAYS[named] ?? "";
  const coming = away === 0 ? null : today.add({ days: away }).toString();
  const isClear = date > 12 || date === month;
  const short = day.toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric" });
  const ways: readonly (readonly [text: string, day: string | null])[] = [
    [iso, iso],
    [`  until ${iso} `, iso],
    [`${date}.${month}.${year}`, iso],
    [`till ${date}. ${month}. ${year}`, iso],
    [`${month}/${date}/${year}`, isClear ? iso : null],
    [`${date}-${month}-${year}`, isClear ? iso : null],
    [`31/31/${year}`, null],
    [`${year}-02-30`, null],
    [`30.2.${year}`, null],
    [short, iso],
    ["tomorrow", today.add({ days: 1 }).toString()],
    ["through and including tomorrow", today.add({ days: 1 }).toString()],
    [`by ${weekday}`, coming],
    [`next ${weekday}`, null],
    [`${weekday} or so`, null],
    [`tomorrow, then on ${short}`, null],
    [`${short} to ${day.add({ days: 3 }).toLocaleString("en-US")}`, null],
    [String(year), null],
    ["", null],
    [makeWord(numbers), null],
  ];
  return ways.flatMap(([text, expected]) =>
    compare(`2 end "${text}"`, String(expected), String(readEndDay(text, today.toString()))),
  );
}

/** Forms of one word, and words that are none of its forms. */
function makeForms(numbers: Numbers): readonly [string, ...string[]] {
  // No word of any language begins like this, nor is one of its forms a plain one.
  const word = `z${makeWord(numbers, 2 + numbers.below(3))}`;
  const at = 1 + numbers.below(word.length - 2);
  const without = `${word.slice(0, at)}${word.slice(at + 1)}`;
  const longer = `${word}${numbers.pick(["a", "o"])}${makeWord(numbers, 1)}`;
  return [
    word,
    `${word}s`,
    `${word}es`,
    `${word}ing`,
    `${word}y`,
    `${word}ies`,
    `${word.toUpperCase()}!`,
    `${word.slice(0, at)}\u00E9${word.slice(at + 1)}`,
    without,
    `${without.slice(0, -2)}${without.slice(-1)}`,
    `x${word}`,
    `xx${word}`,
    `xxx${word.slice(2)}`,
    word.slice(0, 2),
    word.slice(0, 3),
    word.slice(0, 4),
    `${word.slice(0, 3)}s`,
    `${word.slice(0, 2)}q`,
    `${word}1`,
    `${word}2`,
    longer,
  ];
}

function judgeSharedWords(numbers: Numbers): Violation[] {
  const forms = makeForms(numbers);
  const say = (): string =>
    Array.from({ length: 1 + numbers.below(4) }, () =>
      numbers.below(3) === 0 ? numbers.pick(PLAIN_WORDS) : numbers.pick(forms),
    ).join(" ");
  const texts = Array.from({ length: 6 }, say);
  const messages = [...texts, ...PLAIN_WORDS];
  const shared = texts.flatMap((text) =>
    messages.flatMap((message) =>
      compare(
        `2 "${text}" shares a word with "${message}"`,
        String(expectShared(text, message)),
        String(sharesWord(text, message)),
      ),
    ),
  );
  const words = texts.flatMap((text) =>
    compare(
      `2 words of "${text}"`,
      expectDistinctive(text).join(),
      [...splitDistinctiveWords(text)].join(),
    ),
  );
  const scores = messages.flatMap((message) =>
    compare(
      `2 scores for "${message}"`,
      expectScores(texts, message).map(round).join(),
      scoreSharedWords(texts, message).map(round).join(),
    ),
  );
  return [...shared, ...words, ...scores];
}

/** Sums of the same parts differ in their last digits. */
function round(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

/** Of several texts the one that other words can only mean. */
function judgeMeant(numbers: Numbers): Violation[] {
  const words = Array.from({ length: 4 }, () => `z${makeWord(numbers)}`);
  const say = (): string =>
    [numbers.pick(PLAIN_WORDS), ...words.filter(() => numbers.below(2) === 0)].join(" ");
  const texts = Array.from({ length: 4 }, say);
  return [...texts, say(), say(), `z${makeWord(numbers)}`].flatMap((meant) =>
    compare(
      `2 meant by "${meant}" among "${texts.join('", "')}"`,
      String(expectMeant(meant, texts)),
      String(findOneMeant(meant, texts, (text) => text)),
    ),
  );
}

/** Rows that a message names, by the whole label or by a number of their own. */
function judgeNames(numbers: Numbers): Violation[] {
  const word = makeWord(numbers);
  const number = String(10_000 + numbers.below(90_000));
  const entries = [
    word,
    `${word} ${makeWord(numbers)}`,
    `Cr\u00E9me ${word}`,
    word.slice(0, 2),
    word.slice(0, 3),
    "!",
    `order #W${number}`,
    `order ${number.slice(0, 4)}`,
    `abcdef ${word}s`,
  ].map((label, at) => ({
    ref: `row_${at + 1}`,
    label,
    facts: at % 2 === 0 ? "" : `number ${number}9`,
  }));
  const shown = entries.map(({ label }) => label);
  const messages = [
    ...shown,
    ...shown.map((label) => `What about ${label.toUpperCase()}?`),
    `where is w${number}?`,
    `where is ${number}9, please`,
    `abcdef ${number.slice(0, 4)}`,
    "",
  ];
  return messages.flatMap((message) =>
    compare(
      `2 named in "${message}"`,
      expectNamed(entries, message).join(),
      listNamedInMessage({ entries }, message).join(),
    ),
  );
}

interface Nameable {
  readonly ref: string;
  readonly label: string;
  readonly facts: string;
}

function expectNamed(entries: readonly Nameable[], message: string): readonly string[] {
  const written = splitIntoWords(message);
  return entries.flatMap(({ ref, label, facts }) => {
    const own = splitIntoWords(label);
    const isNamed =
      own.join(" ").length > 2 &&
      written.some((_, at) => own.every((word, place) => written[at + place] === word));
    const numbers = [...own, ...splitIntoWords(facts)].filter((word) =>
      /^(?=.*\d).{5,}$/u.test(word),
    );
    return isNamed || numbers.some((one) => written.includes(one)) ? [ref] : [];
  });
}

/** A text is an id, or holds some. */
function judgeIdForms(numbers: Numbers): Violation[] {
  const id = `5eed0000-0000-4000-9000-${String(numbers.below(1e9)).padStart(12, "0")}`;
  const word = makeWord(numbers);
  const forms = [id, id.toUpperCase(), `${id}${id}`, `${id} `, "", word, "x".repeat(36)];
  const text = `${word} ${id}, ${id.toUpperCase()} and ${id.slice(1)}`;
  return [
    ...forms.flatMap((form) =>
      compare(`7 id "${form}"`, String(form.toLowerCase() === id), String(isUuid(form))),
    ),
    ...compare("7 blotted", `${word} [id], [id] and ${id.slice(1)}`, blotIds(text)),
  ];
}
