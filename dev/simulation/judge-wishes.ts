import {
  compareWishes,
  listWishChanges,
  mergeConstraints,
  renderConstraints,
  withLastingWishes,
} from "../../registry/constraints.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { CountTokens } from "../../state/model.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { clipTo, expectWishes } from "./expected-sections.ts";
import { makeWord } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";
import { compare, compareValues, type Violation } from "./violation.ts";

type Update = UnderstandAnswer["constraints"][number];

interface Merge {
  readonly turn: number;
  readonly today: string;
  readonly most: number;
}

/** Returns the wishes and notices that a turn's updates have to come to. */
export function expectMerge(
  before: readonly Constraint[],
  updates: readonly Update[],
  merge: Merge,
): ReturnType<typeof mergeConstraints> {
  const wishes = new PlainWishes(before, merge);
  wishes.take(updates);
  return { constraints: wishes.lines, notices: wishes.notices };
}

/** Wishes as a list of lines that is changed in place. */
class PlainWishes {
  lines: Constraint[];
  notices: string[] = [];
  readonly #merge: Merge;

  constructor(before: readonly Constraint[], merge: Merge) {
    this.lines = [...before];
    this.#merge = merge;
  }

  take(updates: readonly Update[]): void {
    const given = [...joinRepeated(updates).values()];
    const forgotten = updates.flatMap(({ text, replaces }) =>
      text.trim() === "" &&
      replaces !== null &&
      !given.some((one) => toKey(one.text) === toKey(replaces))
        ? [replaces]
        : [],
    );
    const over = given.filter((one) => this.#isOver(one));
    const held = given.filter((one) => !this.#isOver(one));
    const ended = [...this.lines.filter((one) => this.#isOver(one)), ...over];
    this.lines = this.lines.filter((one) => !this.#isOver(one));
    for (const { text } of over) this.#remove(text);
    const known = forgotten.filter((text) => this.#find(text) !== undefined);
    for (const text of forgotten) this.#remove(text);
    const keys = new Set(held.map(({ text }) => toKey(text)));
    const replacing = held.flatMap((by) => {
      if (by.replaces === null || keys.has(toKey(by.replaces))) return [];
      const old = this.#find(by.replaces);
      return old === undefined ? [] : [{ by, old, text: by.replaces }];
    });
    for (const { by, text } of replacing) this.#replace(text, by);
    for (const kind of ["hard", "soft"])
      for (const one of held) if (one.kind === kind) this.#add(one);
    while (this.lines.length > this.#merge.most && this.#joinTwo());
    this.notices = [
      ...replacing.flatMap(({ by, old }) =>
        old.kind === "hard" ? [`${short(old)} no longer holds: replaced by ${short(by)}`] : [],
      ),
      ...ended.map((one) => `${short(one)} has ended (${one.until})`),
      ...known.map((text) => `${short({ text })} is forgotten`),
    ];
  }

  #isOver({ until }: Pick<Constraint, "until">): boolean {
    return until !== null && until < this.#merge.today;
  }

  /** The line of a wish: its own, or one that it shares. */
  #find(text: string): Constraint | undefined {
    const holding = this.lines.filter((line) => splitLine(line).map(toKey).includes(toKey(text)));
    return holding.find((line) => splitLine(line).length === 1) ?? holding[0];
  }

  #remove(text: string): void {
    this.lines = this.lines.flatMap((line) => {
      const rest = splitLine(line).filter((part) => toKey(part) !== toKey(text));
      return rest.length === 0 ? [] : [{ ...line, text: rest.join("; ") }];
    });
  }

  #replace(text: string, by: Update): void {
    const old = this.#find(text);
    const at = old === undefined ? -1 : this.lines.indexOf(old);
    this.#remove(text);
    if (at >= 0 && this.#find(by.text) === undefined) this.lines.splice(at, 0, this.#create(by));
  }

  #create({ text, kind, count, until, scope }: Update): Constraint {
    return { text, kind, count, until, scope, turn: this.#merge.turn };
  }

  #add(update: Update): void {
    const old = this.#find(update.text);
    if (old === undefined) {
      this.lines.push(this.#create(update));
    } else if (splitLine(old).length === 1) {
      const { kind, count, until, scope } = update;
      this.#put(old, {
        kind: old.kind === "hard" ? "hard" : kind,
        count: count ?? old.count,
        until,
        scope: old.scope === "person" ? "person" : scope,
      });
    } else if (update.kind === "hard" || update.scope === "person") {
      this.#remove(update.text);
      this.lines.push(this.#create(update));
    } else {
      this.#put(old, { until: findLatest(old, update) });
    }
  }

  #put(line: Constraint, changes: Partial<Constraint>): void {
    this.lines = this.lines.map((one) => (one === line ? { ...one, ...changes } : one));
  }

  /** The two oldest wishes that end on one day share a line, else the two oldest. */
  #joinTwo(): boolean {
    const free = this.lines
      .filter(({ kind, scope }) => kind === "soft" && scope === "conversation")
      .toSorted((a, b) => a.turn - b.turn);
    const pairs = free.flatMap((one, at) =>
      free.slice(at + 1).map((other) => [one, other] as const),
    );
    const [first, second] =
      pairs.find(([one, other]) => one.until === other.until) ?? pairs[0] ?? [];
    if (first === undefined || second === undefined) return false;
    const hasOneEnd = first.until === second.until;
    const text = [first, second].map((one) => {
      const number = one.count === null || isNamed(one.count, one.text) ? "" : ` (${one.count})`;
      const end = hasOneEnd || one.until === null ? "" : ` (until ${one.until})`;
      return `${one.text}${number}${end}`;
    });
    this.#put(first, { text: text.join("; "), count: null, until: findLatest(first, second) });
    this.lines = this.lines.filter((one) => one !== second);
    return true;
  }
}

function short({ text }: Pick<Constraint, "text">): string {
  return `"${clipTo(text, 80)}"`;
}

/** A wish that an answer gives twice counts once: the last words, and a rule stays a rule. */
function joinRepeated(updates: readonly Update[]): ReadonlyMap<string, Update> {
  const given = new Map<string, Update>();
  for (const update of updates) {
    const text = update.text.trim().split("; ").join(", ").split(/\s+/u).join(" ");
    if (text === "") continue;
    const before = given.get(toKey(text));
    const kind = before?.kind === "hard" ? "hard" : update.kind;
    given.set(toKey(text), { ...update, text, kind, count: update.count ?? before?.count ?? null });
  }
  return given;
}

function splitLine({ text }: Constraint): readonly string[] {
  return text.split("; ");
}

/** The words of a wish, without the notes of a line that it shares. */
export function toKey(text: string): string {
  const bare = text.toLowerCase().replace(/(?: \((?:until )?[\d-]+\))+$/u, "");
  const words = bare.split(/[^a-z0-9]+/u).filter((word) => word !== "");
  return words.join(" ") || bare.trim();
}

function isNamed(count: number, text: string): boolean {
  return text.match(/\d+/gu)?.includes(String(count)) === true;
}

function findLatest(one: Pick<Constraint, "until">, other: Pick<Constraint, "until">) {
  if (one.until === null || other.until === null) return null;
  return [one.until, other.until].toSorted().at(-1) ?? null;
}

const TODAY = "2026-01-12";
const MOST = 2;

/** 2, 9: however wishes share lines, repeat, end and take one another's place, none is lost. */
export function judgeWishMerging(numbers: Numbers, countTokens: CountTokens): Violation[] {
  const words = [makeWord(numbers), makeWord(numbers), makeWord(numbers, 50), "!!"] as const;
  let held: readonly Constraint[] = [];
  const wrong: Violation[] = [];
  for (let turn = 1; turn <= 16; turn += 1) {
    const updates = Array.from({ length: 1 + numbers.below(2) }, () => makeUpdate(words, numbers));
    const before = held;
    const found = mergeConstraints(before, updates, {
      turn,
      today: TODAY,
      limits: { constraints: MOST },
    });
    const expected = expectMerge(before, updates, { turn, today: TODAY, most: MOST });
    held = found.constraints;
    const kept = held.filter((_, index) => (index + turn) % 2 === 0);
    wrong.push(
      ...compareValues("2 wishes merged", expected, found),
      ...compareValues(
        "2 wishes changed",
        expectChanges(before, held),
        listWishChanges(before, held),
      ),
      ...compareValues(
        "2 wishes compared",
        expectDifference(before, held),
        compareWishes(before, held),
      ),
      ...compareValues(
        "2 lasting wishes",
        expectLasting(before, kept),
        withLastingWishes(before, kept),
      ),
      ...[0, 20, 40, 1000].flatMap((budget) => {
        const ruleBudget = Math.floor(budget / 2);
        const limits = { constraintTokens: budget, ruleTokens: ruleBudget };
        const message = `and ${words[0]} too`;
        return compare(
          "9 wishes shown",
          expectWishes(held, { limits, message, countTokens }),
          renderConstraints(held, { budget, ruleBudget, message, countTokens }),
        );
      }),
    );
  }
  return wrong;
}

function makeUpdate(words: readonly [string, ...string[]], numbers: Numbers): Update {
  const say = (): string => {
    const word = numbers.pick(words);
    return numbers.pick([
      `no ${word}`,
      `3 ${word}`,
      `No  ${word}!`,
      word,
      `${word}; ${word}`,
      `no${word}`,
      " ",
    ]);
  };
  return {
    text: say(),
    kind: numbers.pick(["soft", "soft", "hard"]),
    count: numbers.pick([null, 3, 4]),
    until: numbers.pick([null, null, "2026-02-01", "2026-03-01", TODAY, "2026-01-11"]),
    scope: numbers.pick(["conversation", "conversation", "person"]),
    replaces: numbers.below(3) === 0 ? say() : null,
  };
}

function expectChanges(before: readonly Constraint[], after: readonly Constraint[]) {
  const [old, now] = [before, after].map((list) => list.filter(({ scope }) => scope === "person"));
  const isHeld = (wish: Constraint): boolean =>
    now?.some(({ text }) => text === wish.text) === true;
  const isSame = (wish: Constraint): boolean =>
    old?.some((one) => JSON.stringify(one) === JSON.stringify(wish)) === true;
  return [
    ...(old ?? []).flatMap((wish) => (isHeld(wish) ? [] : [{ wish, isWithdrawn: true }])),
    ...(now ?? []).flatMap((wish) => (isSame(wish) ? [] : [{ wish, isWithdrawn: false }])),
  ];
}

/** The lines of either that are not in the other. */
function expectDifference(before: readonly Constraint[], after: readonly Constraint[]) {
  const [old, now] = [before, after].map((list) => list.map((one) => JSON.stringify(one)));
  const gone = before.filter((_, at) => now?.includes(old?.[at] ?? "") === false);
  const added = after.filter((_, at) => old?.includes(now?.[at] ?? "") === false);
  return gone.length === 0 && added.length === 0 ? null : { before: gone, after: added };
}

function expectLasting(own: readonly Constraint[], lasting: readonly Constraint[]) {
  const keys = new Set(lasting.flatMap(({ text }) => toKey(text)));
  const rest = own.flatMap((line) => {
    const parts = splitLine(line).filter((part) => !keys.has(toKey(part)));
    if (line.scope === "person" || parts.length === 0) return [];
    return [{ ...line, text: parts.join("; ") }];
  });
  return [...lasting, ...rest];
}
