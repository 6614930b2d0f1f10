import { checkWishes, fitWishes, type WishDoubt } from "../../registry/fit-wishes.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { clipTo } from "./expected-sections.ts";
import { expectMeant, expectShared } from "./expected-words.ts";
import { toKey } from "./judge-wishes.ts";
import { makeWord } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";
import { compare, compareValues, type Violation } from "./violation.ts";

type Update = UnderstandAnswer["constraints"][number];

const TODAY = "2026-01-12";

/** Ends as a model gives them, and the day that each is; null for one that is none. */
const ENDS: ReadonlyMap<string | null, string | null> = new Map([
  ["2026-03-01", "2026-03-01"],
  ["1.2.2026", "2026-02-01"],
  [TODAY, TODAY],
  ["tomorrow", "2026-01-13"],
  ["2026-01-11", "2026-01-11"],
  ["3.1.2026", "2026-01-03"],
  ["some day", null],
  ["x".repeat(130), null],
]);

/** 2: of a turn's wishes each is kept as far as it can be read, and no rule goes that nobody spoke of. */
export function judgeFittedWishes(numbers: Numbers): Violation[] {
  return Array.from({ length: 8 }, () => judgeAnswer(numbers)).flat();
}

function judgeAnswer(numbers: Numbers): Violation[] {
  const words = Array.from({ length: 5 }, () => `z${makeWord(numbers)}`);
  const constraints = words.slice(0, 4).map((word, at): Constraint => ({
    text: at === 3 ? `no ${word}; only ${words[0]} ${word}` : `no ${word}${"x".repeat(at * 60)}`,
    kind: numbers.pick(["soft", "hard"]),
    count: null,
    until: null,
    scope: "conversation",
    turn: at,
  }));
  const known = constraints.flatMap(({ text }) => text.split("; "));
  const message = numbers.pick([
    null,
    "as I said",
    "never before 3",
    "from tomorrow on",
    "from tomorrow on",
    ...words.map((word) => `about ${word}s`),
  ]);
  const updates = Array.from({ length: 1 + numbers.below(3) }, () =>
    makeUpdate(numbers, { words, known }),
  );
  const holding = { constraints, today: TODAY, message };
  return [
    ...compareValues(
      "2 wishes fitted",
      expectFitted(updates, holding),
      fitWishes(updates, holding),
    ),
    ...compare(
      "2 wishes checked",
      expectProblems(updates, known).join("\n"),
      checkWishes(updates, holding).join("\n"),
    ),
    ...compare(
      "2 wishes checked, none known",
      expectProblems(updates, []).join("\n"),
      checkWishes(updates, { ...holding, constraints: [] }).join("\n"),
    ),
  ];
}

interface WishWords {
  readonly words: readonly string[];
  readonly known: readonly string[];
}

function makeUpdate(numbers: Numbers, { words, known }: WishWords): Update {
  const say = (): string => {
    const word = words[numbers.below(words.length)] ?? "";
    const text = known[numbers.below(known.length)] ?? "";
    return numbers.pick([text, `${text.toUpperCase()}!`, `my rule about ${word}`, `no ${word}y z`]);
  };
  return {
    text: numbers.pick([say(), say(), ""]),
    kind: "soft",
    count: null,
    until: numbers.pick([null, null, "", "2026-03-01", "tomorrow", ...ENDS.keys()]),
    scope: "conversation",
    replaces: numbers.pick([null, say(), say(), "y".repeat(150)]),
  };
}

interface Holding {
  readonly constraints: readonly Constraint[];
  readonly message: string | null;
}

function expectFitted(updates: readonly Update[], { constraints, message }: Holding) {
  const doubts: WishDoubt[] = [];
  const known = constraints.flatMap(({ text }) => text.split("; "));
  const rules = constraints.flatMap(({ kind, text }) => (kind === "hard" ? text.split("; ") : []));
  const isUnspoken = (gone: string): boolean => {
    const rule = rules.find((text) => toKey(text) === toKey(gone));
    return rule !== undefined && message !== null && !expectShared(rule, message);
  };
  const kept = updates.flatMap((given) => {
    const update = expectEnd(given, known, doubts);
    const { replaces } = update;
    if (replaces !== null && !isKnownWish(replaces, updates, known)) {
      const meant = expectMeant(replaces, known);
      if (meant === null) doubts.push({ kind: "unknown", wish: clipTo(replaces, 120) });
      Object.assign(update, { replaces: meant });
    }
    const { until } = update;
    const isDayNamed = message === null || /\d|tomorrow/u.test(message);
    // Of the days that are given, the message names tomorrow alone.
    const isNamed = /tomorrow/u.test(message ?? "") ? until === "2026-01-13" : isDayNamed;
    if (until !== null && (until < TODAY || !isNamed) && isUnspoken(update.text)) {
      doubts.push({ kind: "kept", wish: clipTo(update.text, 120) });
      return [];
    }
    const ends = until !== null && (until < TODAY || !isNamed);
    if (!ends && update.replaces !== null && isUnspoken(update.replaces)) {
      doubts.push({ kind: "kept", wish: clipTo(update.replaces, 120) });
      return [{ ...update, replaces: null }];
    }
    return [update];
  });
  return { updates: kept, doubts };
}

function expectEnd(update: Update, known: readonly string[], doubts: WishDoubt[]): Update {
  const { until, text } = update;
  if (until === null || until === "") return { ...update };
  const day = ENDS.get(until) ?? null;
  const isKnown = known.some((one) => toKey(one) === toKey(text));
  if (day !== null && (day >= TODAY || isKnown)) return { ...update, until: day };
  const meant = day === null ? null : expectMeant(text, known);
  if (meant !== null) return { ...update, text: "", replaces: meant, until: null };
  doubts.push({ kind: "end", wish: clipTo(text, 120), until: clipTo(until, 120) });
  return { ...update, until: null };
}

function expectProblems(updates: readonly Update[], known: readonly string[]): readonly string[] {
  const named = known.slice(-8).map((text) => `"${clipTo(text, 120)}"`);
  const hint =
    known.length === 0
      ? "there is none: leave it null"
      : `copy the words of one: ${named.join(", ")}`;
  return updates.flatMap((update, at) => {
    const { until, replaces } = update;
    const doubts: WishDoubt[] = [];
    expectEnd(update, known, doubts);
    return [
      ...doubts.map(
        () =>
          `constraints.${at}.until: "${clipTo(until ?? "", 120)}" is no day to come as YYYY-MM-DD`,
      ),
      ...(replaces === null || isKnownWish(replaces, updates, known)
        ? []
        : [
            `constraints.${at}.replaces: "${clipTo(replaces, 120)}" is no wish that holds; ${hint}`,
          ]),
    ];
  });
}

/** Returns true for the words of a wish that holds, or of one of the same answer. */
function isKnownWish(words: string, updates: readonly Update[], known: readonly string[]): boolean {
  const keys = new Set([...known, ...updates.map(({ text }) => text)].map(toKey));
  return keys.has(toKey(words));
}
