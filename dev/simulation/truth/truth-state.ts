import type { WorkingItem, WorkingSet } from "../../../registry/working-set.ts";
import type { EntityType } from "../../../state/entity.ts";
import type { Json, JsonObject } from "../../../state/json.ts";
import type { TurnState } from "../../../state/turn.ts";
import type { MadeUpRow, WishBrief } from "../brief.ts";
import { makeValues } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import type { World } from "../world.ts";
import { NOTHING, step, type Commit } from "./briefs.ts";

/** An open choice; the last one is in focus. */
export interface ChoiceTruth {
  readonly type: EntityType;
  readonly of: number;
  readonly things: readonly MadeUpRow[];
  readonly title: string;
  /** The line of the analysis; empty for a list. */
  readonly conclusion: string;
  /** Turns in which it was opened and spoken of last. */
  readonly opened: number;
  readonly touched: number;
}

/** A wish that holds beyond its turn. */
export type WishTruth = Omit<WishBrief, "replaces">;

/** A fact that the person has stated. */
export interface StatedTruth {
  readonly cue: string;
  readonly words: string;
}

/** Changes of a turn. */
interface ChangedTurn {
  readonly turn: number;
  readonly rows: boolean;
  /** The wishes before it; null where it has changed none. */
  wishes: readonly WishTruth[] | null;
}

interface Pending {
  readonly kind: "confirmation" | "proposal";
  readonly turn: number;
  readonly commit: Commit;
}

type Snapshot = ReadonlyMap<MadeUpRow, MadeUpRow>;

/** Turns for which what was read or spoken of stays known without being listed or chosen from. */
const WINDOW = 2;
export const LISTED_SHOWN = 12;
const OPEN_CHOICES = 4;

/** Rows, choices and wishes as they really are, in plain lists, and what moves them. */
export class TruthState {
  readonly types: readonly EntityType[];
  things: MadeUpRow[];
  choices: ChoiceTruth[] = [];
  listed: readonly MadeUpRow[] = [];
  /** Wishes that hold beyond their turn. */
  wishes: readonly WishTruth[] = [];
  /** Facts that the person has stated, oldest first. */
  stated: readonly StatedTruth[] = [];
  /** Turns that have changed rows or wishes, oldest first. */
  changed: ChangedTurn[] = [];
  turn = 0;
  pending: Pending | null = null;
  lastMentioned: MadeUpRow | null = null;
  undoable: Snapshot[] = [];
  hasOutside = false;
  readonly world: World;
  /** True where models plan the calls of their steps: a proposal then lists what they change. */
  readonly givesCalls: boolean;

  constructor(world: World) {
    this.world = world;
    this.givesCalls = world.givesCalls;
    this.types = world.madeUp.types;
    this.things = this.types.flatMap((type) =>
      Object.values(world.tables.readTable(type)).map((values) =>
        Object.assign(newThing(type, values), { seen: -WINDOW }),
      ),
    );
  }

  get focus(): ChoiceTruth | undefined {
    return this.choices.at(-1);
  }

  /** Returns true where a question or a proposal waits for an answer. */
  get isPending(): boolean {
    return this.pending !== null;
  }

  get drafts(): readonly MadeUpRow[] {
    return this.things.filter(({ saved, gone, excluded }) => !saved && !gone && excluded === null);
  }

  /** Returns what is left of a choice, in order. */
  left({ things }: ChoiceTruth): readonly MadeUpRow[] {
    return things.filter(isLeft);
  }

  /** Returns the rows that are stored, by type and label. */
  stored(type: EntityType): Readonly<Record<string, JsonObject>> {
    const own = this.things.filter((thing) => thing.type === type && thing.saved && !thing.gone);
    return Object.fromEntries(own.map(({ label, values }) => [label, values]));
  }

  /** Returns the rows of a type that may be listed, in their order. */
  rows(type: EntityType): readonly MadeUpRow[] {
    return this.things
      .filter((thing) => thing.type === type && thing.saved && isLeft(thing))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1));
  }

  /** Takes in the reply: two or more rows of one type that it names are the list that the person sees. */
  readReply(text: string): void {
    const found = this.things
      .filter(({ gone }) => !gone)
      .flatMap((thing) => {
        const at = findLabel(text, thing.label);
        return at === -1 ? [] : [{ thing, line: readLine(text, at) }];
      })
      .toSorted((a, b) => text.indexOf(a.thing.label) - text.indexOf(b.thing.label));
    const numbered = found.filter(({ line }) => /^\d+\. /u.test(line));
    const isNumbered = numbered.length > 1;
    // What was left out is named by a line of a list, not in passing.
    const named = found
      .filter(({ thing, line }) => isLeft(thing) || /^(?:\d+\.|-) /u.test(line))
      .map(({ thing }) => thing);
    for (const thing of named) {
      if (thing.excluded?.turn !== this.turn) this.markSeen([thing]);
    }
    const kinds = Map.groupBy(named, ({ type }) => type);
    if (isNumbered) this.listed = numbered.map(({ thing }) => thing);
    else if ([...kinds.values()].some((own) => own.length > 1)) this.listed = named;
    this.choices = this.choices.slice(-OPEN_CHOICES);
  }

  /** Wraps a commit that changes wishes, so that it can be taken back. */
  recordWishes(commit: Commit): Commit {
    return () => {
      const before = this.wishes;
      commit();
      if (JSON.stringify(before) !== JSON.stringify(this.wishes))
        this.changed.push({ turn: this.turn, rows: false, wishes: before });
    };
  }

  /** Believes what was really decided, after models have lied. */
  adopt({ registry, pending, turn }: TurnState, view: WorkingSet): void {
    const stored = this.types.flatMap((type) =>
      Object.values(this.world.tables.readTable(type)).map((values) => newThing(type, values)),
    );
    const drafts = view.drafts.flatMap(({ type: name, label, ref }) => {
      const type = this.types.find((each) => each.type === name);
      const values = registry.entries.find((entry) => entry.ref === ref)?.row ?? {};
      return type === undefined ? [] : [{ ...newThing(type, values), label, saved: false }];
    });
    this.things = [...stored, ...drafts];
    for (const thing of this.things) {
      const entry = registry.entries.find(
        ({ type, label, action }) =>
          type === thing.type.type && label === thing.label && action !== "deleted",
      );
      thing.seen = entry?.referencedTurn ?? -WINDOW;
      thing.excluded = entry?.demotion ?? null;
    }
    const find = (items: readonly WorkingItem[]): MadeUpRow[] =>
      items.flatMap(({ label }) => this.things.find((thing) => thing.label === label) ?? []);
    this.listed = find(view.listed);
    this.choices = view.choices.toReversed().flatMap((choice) => {
      const { of, left, excluded, title, conclusion } = choice;
      const type = this.types.find((each) => each.type === choice.type);
      const turns = { opened: choice.openedTurn, touched: choice.touchedTurn };
      const things = find([...left, ...excluded]);
      return type === undefined ? [] : [{ type, of, things, title, conclusion, ...turns }];
    });
    this.pending =
      pending === null || pending.kind === "question" || pending.kind === "budget"
        ? null
        : { kind: pending.kind, turn, commit: NOTHING };
    this.lastMentioned = null;
    this.undoable = [];
  }

  /** Wraps a commit that stores something, so that it can be taken back. */
  recordWrite(commit: Commit): Commit {
    return () => {
      this.undoable.push(new Map(this.things.map((thing) => [thing, { ...thing }])));
      this.changed.push({ turn: this.turn, rows: true, wishes: null });
      commit();
      this.closeEmptyChoices();
    };
  }

  closeEmptyChoices(): void {
    this.choices = this.choices.filter(
      ({ things, of }) => things.some(({ gone }) => !gone) || (of > 0 && things.length === 0),
    );
  }

  setValue(thing: MadeUpRow, column: string, value: Json): void {
    const before = thing.label;
    thing.values = { ...thing.values, [column]: value };
    thing.label = thing.type.label(thing.values);
    if (before !== thing.label) this.relink(thing.type, before, thing.label);
  }

  removeRow(thing: MadeUpRow): void {
    thing.gone = true;
    this.relink(thing.type, thing.label, null);
  }

  /** Rows that point at a row show its new label, or nothing. */
  relink({ type }: EntityType, from: string, to: string | null): void {
    for (const thing of this.things) {
      // A draft keeps what it was made with, and cannot be saved while that is gone.
      if (to === null && !thing.saved) continue;
      const links = thing.type.columns.filter(
        ({ name, references }) => references === type && thing.values[name] === from,
      );
      for (const { name } of links) thing.values = { ...thing.values, [name]: to };
    }
  }

  /** Returns true where stored rows of another type point at a row. */
  hasPointers({ type, label }: MadeUpRow): boolean {
    return this.things.some(
      (other) =>
        other.saved &&
        !other.gone &&
        other.type !== type &&
        other.type.columns.some(
          ({ name, references }) => references === type.type && other.values[name] === label,
        ),
    );
  }

  /** Returns true for a draft that points at something which is gone. */
  lacksRow({ type, values }: MadeUpRow): boolean {
    return type.columns.some(({ name, references }) => {
      const label = references === undefined ? null : (values[name] ?? null);
      const isTarget = (thing: MadeUpRow): boolean =>
        thing.type.type === references && thing.label === label && thing.saved && !thing.gone;
      return label !== null && !this.things.some(isTarget);
    });
  }

  makeRowValues(type: EntityType, numbers: Numbers) {
    const values = makeValues(type, this.world.makeLabel(numbers), numbers);
    const linked = type.columns.flatMap(({ name, references }) => {
      const known = this.things.filter(
        (thing) => thing.type.type === references && thing.saved && this.isKnown(thing),
      );
      const target = known[numbers.below(known.length + 1)];
      return target === undefined ? [] : [{ name, target }];
    });
    const links = linked.map(({ name, target }): [string, Json] => [name, target.label]);
    return {
      values: { ...values, ...Object.fromEntries(links) },
      linked: linked.map(({ target }) => target),
    };
  }

  addRow(type: EntityType, { values, saved }: Pick<MadeUpRow, "values" | "saved">): MadeUpRow {
    const thing = { ...newThing(type, values), saved, seen: this.turn };
    this.things.push(thing);
    return thing;
  }

  /** Rows that the conversation has in view are referred to; any other has to be looked up by its name. */
  planFinding(things: readonly MadeUpRow[]) {
    const [first] = things;
    if (first === undefined || things.every((thing) => this.isKnown(thing))) {
      return { references: things, decision: "answer" as const, steps: [] };
    }
    const steps = [step(first.type, { kind: "find", thing: first })];
    return { references: [], decision: "plan" as const, steps };
  }

  /** Returns true for what every prompt that names entities has to show. */
  isKnown(thing: MadeUpRow): boolean {
    if (thing.gone) return false;
    return (
      !thing.saved ||
      thing.excluded !== null ||
      (!this.world.isTight && thing.seen >= this.turn - WINDOW) ||
      this.listed.slice(0, LISTED_SHOWN).includes(thing) ||
      this.#isChosenFrom(thing)
    );
  }

  /** Returns true for what is chosen from; in a world with hardly any room only the choice in focus is shown with its refs. */
  #isChosenFrom(thing: MadeUpRow): boolean {
    const choices = this.world.isTight ? this.choices.slice(-1) : this.choices;
    return choices.some(({ things }) => things.includes(thing));
  }

  /** Spoken of: choices that hold it come into focus, or the list that it stands in becomes one. */
  mention(things: readonly MadeUpRow[]): void {
    const known = things.filter((thing) => this.isKnown(thing));
    this.lastMentioned = things.at(-1) ?? this.lastMentioned;
    this.refocus(known);
    this.markSeen(things);
  }

  refocus(things: readonly MadeUpRow[]): void {
    for (const thing of things) {
      const holding = this.choices.filter((choice) => choice.things.includes(thing));
      for (const choice of holding) this.bringToFront(choice, choice);
      if (holding.length === 0 && this.listed.includes(thing)) this.openFromList(thing.type);
    }
  }

  /** Returns true for what a choice holds, or will once something is done with it. */
  isChosen(thing: MadeUpRow): boolean {
    const alike = this.listed.filter(({ type, gone }) => type === thing.type && !gone);
    const isOpening = this.listed.includes(thing) && alike.length > 1;
    return isOpening || this.choices.some(({ things }) => things.includes(thing));
  }

  openFromList(type: EntityType): void {
    const things = this.listed.filter((thing) => thing.type === type && !thing.gone);
    if (things.length < 2) return;
    const title = type.words.many;
    const opened = this.turn;
    const choice = { type, of: things.length, things, title, conclusion: "", opened };
    this.bringToFront(choice, undefined);
  }

  bringToFront(choice: Omit<ChoiceTruth, "touched">, before: ChoiceTruth | undefined): void {
    const touched = { ...choice, touched: this.turn };
    this.choices = [...this.choices.filter((other) => other !== before), touched];
  }

  markSeen(things: readonly MadeUpRow[]): void {
    for (const thing of things) thing.seen = this.turn;
  }
}

/** Returns true for what may be offered. */
export function isLeft({ gone, excluded }: MadeUpRow): boolean {
  return !gone && excluded === null;
}

/** Returns the line of a text that a place is in. */
function readLine(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at) + 1;
  return text.slice(start).split("\n")[0] ?? "";
}

/** Returns the place of a label as whole words; -1 where it does not stand. */
function findLabel(text: string, label: string): number {
  if (!text.includes(label)) return -1;
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}])${label}(?![\\p{L}\\p{N}])`, "u"));
}

export function newThing(type: EntityType, values: JsonObject): MadeUpRow {
  const label = type.label(values);
  return { type, label, values, saved: true, gone: false, excluded: null, seen: 0 };
}

export function pickRow({ label, values, saved, gone }: MadeUpRow): Partial<MadeUpRow> {
  return { label, values, saved, gone };
}
