import type { EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import {
  SMALL_TALK,
  type Brief,
  type ChoiceBrief,
  type StepBrief,
  type MadeUpRow,
  type Work,
} from "./brief.ts";
import type { Intent, IntentKind } from "./intents.ts";
import type { WorkingItem, WorkingSet } from "../../registry/working-set.ts";
import type { TurnState } from "../../state/turn.ts";
import { Numbers } from "./numbers.ts";
import { makeValue, makeValues, makeWord, toText } from "./made-up-domain.ts";
import type { World } from "./world.ts";

/** An open choice; the last one is in focus. */
export interface ChoiceTruth {
  readonly type: EntityType;
  readonly of: number;
  readonly things: readonly MadeUpRow[];
}

type Commit = () => void;
const NOTHING: Commit = () => undefined;

interface Resolved {
  readonly brief: Brief;
  /** Makes true what the turn has done, before the reply. */
  readonly commit: Commit;
}

interface Pending {
  readonly kind: "confirmation" | "proposal";
  readonly turn: number;
  readonly commit: Commit;
}

type Snapshot = ReadonlyMap<MadeUpRow, MadeUpRow>;

/** Turns for which what was read or spoken of stays known without being listed or chosen from. */
const WINDOW = 2;
const LISTED_SHOWN = 12;
const OPEN_CHOICES = 4;

/** The reference model: what is true after each intent, in plain lists. */
export class Truth {
  readonly types: readonly EntityType[];
  things: MadeUpRow[];
  choices: ChoiceTruth[] = [];
  listed: readonly MadeUpRow[] = [];
  /** Wishes that hold beyond their turn. */
  wishes: readonly string[] = [];
  turn = 0;
  #pending: Pending | null = null;
  #lastNamed: MadeUpRow | null = null;
  #undoable: Snapshot[] = [];
  #hasOutside = false;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.types = world.madeUp.types;
    this.things = this.types.flatMap((type) =>
      Object.entries(world.table(type)).map(([label, values]) => ({
        type,
        label,
        values,
        saved: true,
        gone: false,
        excluded: null,
        seen: -WINDOW,
      })),
    );
  }

  get focus(): ChoiceTruth | undefined {
    return this.choices.at(-1);
  }

  /** Returns true where a question or a proposal waits for an answer. */
  get isPending(): boolean {
    return this.#pending !== null;
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

  /** Turns an intent into what it means now. What it cannot mean becomes a word of thanks. */
  resolve(intent: Intent): Resolved {
    this.turn += 1;
    const pending = this.#pending;
    const resolved = this.#resolveKind(intent);
    this.#pending = this.#pending === pending ? this.#keepPending(pending) : this.#pending;
    return resolved;
  }

  /** Takes in the reply: two or more rows of one type that it names are the list that the person sees. */
  readReply(text: string): void {
    const named = this.things
      .filter(isLeft)
      .flatMap((thing) => {
        const at = findLabel(text, thing.label);
        return at === -1 ? [] : [{ thing, at }];
      })
      .toSorted((a, b) => a.at - b.at)
      .map(({ thing }) => thing);
    this.#see(named);
    const kinds = Map.groupBy(named, ({ type }) => type);
    if ([...kinds.values()].some((own) => own.length > 1)) this.listed = named;
    this.choices = this.choices.slice(-OPEN_CHOICES);
  }

  /** Believes what was really decided, after models have lied. */
  adopt({ registry, pending, turn }: TurnState, view: WorkingSet): void {
    const stored = this.types.flatMap((type) =>
      Object.values(this.#world.table(type)).map((values) => newThing(type, values)),
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
    this.choices = view.choices.toReversed().flatMap(({ type: name, of, left, excluded }) => {
      const type = this.types.find((each) => each.type === name);
      return type === undefined ? [] : [{ type, of, things: find([...left, ...excluded]) }];
    });
    this.#pending =
      pending === null || pending.kind === "question"
        ? null
        : { kind: pending.kind, turn, commit: NOTHING };
    this.#lastNamed = null;
    this.#undoable = [];
  }

  #keepPending(pending: Pending | null): Pending | null {
    return pending?.kind === "confirmation" && this.turn <= pending.turn + 1 ? pending : null;
  }

  #resolveKind({ kind, pick }: Intent): Resolved {
    const numbers = new Numbers(pick[0] * 1_000_000 + pick[1] * 1_000 + pick[2]);
    const [first] = this.types;
    if (first === undefined) throw new RangeError("Cannot play a world without types");
    const type = this.types[pick[0] % this.types.length] ?? first;
    const rows = this.things.filter(({ saved, gone }) => saved && !gone);
    const target = rows[pick[1] % Math.max(1, rows.length)];
    const left = this.focus === undefined ? [] : this.left(this.focus);
    const offered = (left.length > 0 ? left : this.listed.filter(isLeft)).slice(0, LISTED_SHOWN);
    const one = offered[pick[1] % Math.max(1, offered.length)];
    const listed = this.listed.slice(0, LISTED_SHOWN);
    const place = pick[1] % Math.max(1, listed.length);
    const inList = listed[place];
    switch (kind) {
      case "list":
        return this.#list(type, { quick: true });
      case "side":
        return this.#list(type, { quick: true });
      case "look":
        return this.#list(type, { quick: false });
      case "narrow":
        return this.#narrow(offered, numbers);
      case "exclude": {
        const some = offered.filter((_, index) => (pick[1] + index * pick[2]) % 3 === 0);
        return this.#exclude(some, { words: names(some), reason: "not wanted" });
      }
      case "exclude-ordinal":
        return inList === undefined || !isLeft(inList)
          ? talk()
          : this.#exclude([inList], { words: `number ${place + 1}`, reason: "not that one" });
      case "exclude-property":
        return this.#excludeProperty(offered, numbers);
      case "restore": {
        const out = this.things.filter(({ excluded, gone }) => excluded !== null && !gone);
        const back = out[pick[1] % Math.max(1, out.length)];
        return back === undefined ? talk() : this.#restore(back);
      }
      case "ask":
        return target === undefined ? talk() : this.#ask([target], numbers);
      case "ask-ordinal":
        return inList === undefined || inList.gone
          ? talk()
          : this.#ask([inList], numbers, `number ${place + 1}`);
      case "ask-pronoun":
        return this.#lastNamed === null || this.#lastNamed.gone
          ? talk()
          : this.#ask([this.#lastNamed], numbers, "it");
      case "compare": {
        const two = offered.filter((thing) => thing.type === offered[0]?.type).slice(0, 2);
        return two.length < 2 ? talk() : this.#ask(two, numbers);
      }
      case "why": {
        const out = this.things.filter(({ excluded, gone }) => excluded !== null && !gone);
        const why = out[pick[1] % Math.max(1, out.length)];
        return why === undefined ? talk() : this.#why(why);
      }
      case "left":
        return this.focus === undefined ? talk() : this.#returnTo(this.focus);
      case "return": {
        const choice = this.choices[pick[1] % Math.max(1, this.choices.length)];
        return choice === undefined ? talk() : this.#returnTo(choice);
      }
      case "add":
        return this.#add(type, numbers);
      case "change":
        return target === undefined ? talk() : this.#change(target, numbers);
      case "rename":
        return target === undefined ? talk() : this.#rename(target, numbers);
      case "delete": {
        const some = offered.filter(({ saved }) => saved).slice(0, 1 + (pick[2] % 5));
        const doomed = some.length > 0 ? some : target === undefined ? [] : [target];
        return doomed.length === 0 ? talk() : this.#delete(doomed);
      }
      case "draft":
        return this.#draft(type, numbers);
      case "redraft": {
        const draft = this.drafts[pick[1] % Math.max(1, this.drafts.length)];
        return draft === undefined ? talk() : this.#redraft(draft, numbers);
      }
      case "save": {
        const draft = this.drafts[pick[1] % Math.max(1, this.drafts.length)];
        return draft === undefined ? talk() : this.#save(draft);
      }
      case "offer":
        return one === undefined || !one.saved ? talk() : this.#offer(one, numbers);
      case "wish":
        return this.#wish(numbers);
      case "plan-many":
        return this.#planMany(type, numbers);
      case "two-changes":
        return target === undefined ? talk() : this.#twoChanges(target, type, numbers);
      case "accept":
        return this.#accept();
      case "reject":
        return this.#pending === null ? talk() : this.#reject();
      case "undo":
        return this.#undo();
      case "outside-change":
      case "outside-rename":
      case "outside-delete":
        return target === undefined ? talk() : this.#changeOutside(kind, target, numbers);
      case "talk":
        return talk();
    }
    return kind satisfies never;
  }

  #list(type: EntityType, { quick }: { readonly quick: boolean }): Resolved {
    return {
      brief: {
        ...SMALL_TALK,
        message: `show me all ${type.words.many}`,
        ...(quick ? { look: type } : { decision: "plan", steps: [step(type, { kind: "read" })] }),
        goal: `Show the ${type.words.many}`,
        reply: { kind: "rows", type },
      },
      commit: () => this.#see(this.things.filter((each) => each.type === type && each.saved)),
    };
  }

  #narrow(offered: readonly MadeUpRow[], numbers: Numbers): Resolved {
    const about = offered.filter(({ type, saved }) => saved && type === offered[0]?.type);
    const [first, ...others] = about;
    if (first === undefined) return talk();
    const { type } = first;
    const column = pickColumn(type, numbers);
    const wanted = toText(numbers.pick([first, ...others]).values[column]);
    const keeps = (text: string): boolean => text === wanted;
    const kept = about.filter(({ values }) => keeps(toText(values[column])));
    const goal = `${type.words.many} for turn ${this.turn}`;
    return {
      brief: {
        ...SMALL_TALK,
        message: `only those with "${wanted}" as ${column}`,
        decision: "plan",
        steps: [step(type, { kind: "judge", column, keeps }, about)],
        goal,
        reply: { kind: "left" },
      },
      commit: () => {
        const shares = ({ things }: ChoiceTruth): boolean =>
          things.some((each) => kept.includes(each));
        const before = this.choices.findLast((choice) => choice.type === type && shares(choice));
        const out = before?.things.filter(({ excluded }) => excluded !== null) ?? [];
        const of = before?.of ?? about.length;
        this.#focus({ type, of, things: [...kept, ...out] }, before);
      },
    };
  }

  #exclude(
    things: readonly MadeUpRow[],
    { words, reason }: { readonly words: string; readonly reason: string },
  ): Resolved {
    if (things.length === 0) return talk();
    return {
      brief: {
        ...SMALL_TALK,
        message: `not ${words}, please`,
        exclude: things,
        reason,
        goal: "Leave something out",
        reply: { kind: things.some((thing) => this.#isChosen(thing)) ? "left" : "talk" },
      },
      commit: () => {
        for (const thing of things) thing.excluded = { turn: this.turn, reason };
        this.#touch(things);
      },
    };
  }

  #excludeProperty(offered: readonly MadeUpRow[], numbers: Numbers): Resolved {
    const [first] = offered;
    if (first === undefined) return talk();
    const column = first.type.summary[1];
    if (column === undefined) return talk();
    const own = offered.filter(({ type }) => type === first.type);
    const unwanted = toText(own[numbers.below(own.length)]?.values[column]);
    const out = own.filter(({ values }) => toText(values[column]) === unwanted);
    return this.#exclude(out, {
      words: `those with "${unwanted}" as ${column}`,
      reason: `${column} is ${unwanted === "" ? "unknown" : unwanted}`,
    });
  }

  #restore(thing: MadeUpRow): Resolved {
    const hasChoice = this.choices.some(({ type }) => type === thing.type);
    return {
      brief: {
        ...SMALL_TALK,
        message: `bring ${thing.label} back`,
        references: [thing],
        restore: [thing],
        reason: "welcome again",
        goal: "Bring something back",
        reply: { kind: this.#isChosen(thing) || hasChoice ? "left" : "talk" },
      },
      commit: () => {
        thing.excluded = null;
        this.#touch([thing]);
        const isHeld = this.choices.some(({ things }) => things.includes(thing));
        const focus = this.choices.findLast(({ type }) => type === thing.type);
        if (isHeld || focus === undefined) return;
        this.#focus({ ...focus, things: [...focus.things, thing] }, focus);
      },
    };
  }

  #ask(things: readonly MadeUpRow[], numbers: Numbers, words = names(things)): Resolved {
    const [first] = things;
    if (first === undefined) return talk();
    const column = pickColumn(first.type, numbers);
    const finding = this.#finding(things);
    return {
      brief: {
        ...SMALL_TALK,
        message: `what is the ${column} of ${words}?`,
        ...finding,
        goal: "Answer the question",
        reply: { kind: "values", things, column },
      },
      commit: () => this.#name(things),
    };
  }

  #why(thing: MadeUpRow): Resolved {
    return {
      brief: {
        ...SMALL_TALK,
        message: `why did we leave out ${thing.label}?`,
        references: [thing],
        goal: "Answer the question",
        reply: { kind: "why", thing },
      },
      commit: () => this.#name([thing]),
    };
  }

  #returnTo(choice: ChoiceTruth): Resolved {
    const topic = this.#toBrief(choice);
    const text = JSON.stringify(topic);
    const alike = this.choices.filter((other) => JSON.stringify(this.#toBrief(other)) === text);
    // Nobody can say which of two that look the same is meant.
    if (alike.length > 1) return talk();
    return {
      brief: {
        ...SMALL_TALK,
        message: `so which ${choice.type.words.many} were left?`,
        topic,
        goal: "Show what is left",
        reply: { kind: "left" },
      },
      commit: () => this.#focus(choice, choice),
    };
  }

  #toBrief(choice: ChoiceTruth): ChoiceBrief {
    const left = this.left(choice).map(({ label }) => label);
    return { type: choice.type.type, of: choice.of, left };
  }

  #add(type: EntityType, numbers: Numbers): Resolved {
    const { values, linked } = this.#newValues(type, numbers);
    const label = type.label(values);
    return {
      brief: {
        ...SMALL_TALK,
        message: `add ${label}`,
        references: linked,
        decision: "plan",
        steps: [step(type, { kind: "create", values }, linked)],
        goal: "Add something",
        reply: { kind: "stored" },
      },
      commit: this.#writing(() => {
        this.#name(linked);
        this.#make(type, { values, saved: true });
      }),
    };
  }

  #change(thing: MadeUpRow, numbers: Numbers): Resolved {
    const column = pickColumn(thing.type, numbers);
    const kind = thing.type.columns.find(({ name }) => name === column);
    if (kind === undefined) return talk();
    return this.#update(thing, column, makeValue(kind, numbers));
  }

  #rename(thing: MadeUpRow, numbers: Numbers): Resolved {
    return this.#update(thing, "name", this.#world.makeLabel(numbers));
  }

  #update(thing: MadeUpRow, column: string, value: Json): Resolved {
    const isSame = toText(thing.values[column]) === toText(value);
    if (isSame) return talk();
    const finding = this.#finding([thing]);
    const work = { kind: "update", column, value } as const;
    return {
      brief: {
        ...SMALL_TALK,
        message: `set the ${column} of ${thing.label} to "${toText(value)}"`,
        ...finding,
        decision: "plan",
        steps: [...finding.steps, step(thing.type, work, [thing])],
        goal: "Change something",
        reply: { kind: "stored" },
      },
      commit: this.#writing(() => {
        this.#name([thing]);
        this.#set(thing, column, value);
      }),
    };
  }

  #delete(things: readonly MadeUpRow[]): Resolved {
    const [first] = things;
    if (first === undefined) return talk();
    const finding = this.#finding(things);
    const doomed =
      finding.steps.length > 0 ? [first] : things.filter((one) => one.type === first.type);
    const remove = this.#writing(() => {
      for (const thing of doomed) this.#remove(thing);
      this.#see(doomed);
    });
    const brief: Brief = {
      ...SMALL_TALK,
      message: `delete ${names(doomed)}`,
      ...finding,
      references: finding.steps.length > 0 ? [] : doomed,
      decision: "plan",
      steps: [...finding.steps, step(first.type, { kind: "delete" }, doomed)],
      goal: "Delete something",
      reply: { kind: "stored" },
    };
    if (doomed.length <= 3) {
      return {
        brief,
        commit: () => {
          this.#name(doomed);
          remove();
        },
      };
    }
    this.#pending = { kind: "confirmation", turn: this.turn, commit: remove };
    return { brief, commit: () => this.#name(doomed) };
  }

  #draft(type: EntityType, numbers: Numbers): Resolved {
    const { values, linked } = this.#newValues(type, numbers);
    const drafted = (): MadeUpRow => this.#make(type, { values, saved: false });
    const shown: MadeUpRow = { ...newThing(type, values), saved: false };
    return {
      brief: {
        ...SMALL_TALK,
        message: `draft a ${type.words.one} called ${shown.label}`,
        references: linked,
        decision: "plan",
        steps: [step(type, { kind: "draft", drafts: [values] }, linked)],
        goal: "Draft something",
        reply: { kind: "drafts", things: [shown] },
      },
      commit: () => {
        this.#name(linked);
        this.#see([drafted()]);
      },
    };
  }

  #planMany(type: EntityType, numbers: Numbers): Resolved {
    const made = Array.from({ length: 2 + numbers.below(3) }, () => this.#newValues(type, numbers));
    const linked = [...new Set(made.flatMap((one) => one.linked))];
    const drafts = made.map(({ values }) => values);
    const shown = drafts.map((values) => newThing(type, values));
    return {
      brief: {
        ...SMALL_TALK,
        message: `plan ${drafts.length} ${type.words.many}: ${names(shown)}`,
        references: linked,
        decision: "plan",
        steps: [step(type, { kind: "draft", drafts }, linked)],
        goal: "Draft some",
        reply: { kind: "drafts", things: shown },
      },
      commit: () => {
        this.#name(linked);
        this.#see(drafts.map((values) => this.#make(type, { values, saved: false })));
      },
    };
  }

  /** A wish of its own, or one in the place of the last: people contradict themselves. */
  #wish(numbers: Numbers): Resolved {
    const text = `no ${makeWord(numbers, 3)}`;
    const last = this.wishes.at(-1) ?? null;
    const replaces = numbers.below(2) === 0 ? last : null;
    return {
      brief: { ...SMALL_TALK, message: `from now on ${text}`, wish: { text, replaces } },
      commit: () => {
        this.wishes = [...this.wishes.filter((wish) => wish !== replaces), text];
      },
    };
  }

  #twoChanges(thing: MadeUpRow, type: EntityType, numbers: Numbers): Resolved {
    const [first, second] = [this.#change(thing, numbers), this.#add(type, numbers)];
    const [change] = first.brief.steps;
    const [add] = second.brief.steps;
    if (first.brief.references.length === 0 || change === undefined || add === undefined)
      return talk();
    return {
      brief: {
        ...second.brief,
        message: `${first.brief.message}, and ${second.brief.message}`,
        references: [...first.brief.references, ...second.brief.references],
        steps: [change, add],
      },
      commit: this.#writing(() => {
        const linked = second.brief.references;
        this.#name([thing, ...linked]);
        if (change.work.kind === "update") this.#set(thing, change.work.column, change.work.value);
        if (add.work.kind === "create") this.#make(type, { values: add.work.values, saved: true });
      }),
    };
  }

  #redraft(draft: MadeUpRow, numbers: Numbers): Resolved {
    const column = pickColumn(draft.type, numbers);
    const kind = draft.type.columns.find(({ name }) => name === column);
    const value = kind === undefined ? null : makeValue(kind, numbers);
    return {
      brief: {
        ...SMALL_TALK,
        message: `in the draft of ${draft.label}, set the ${column} to "${toText(value)}"`,
        references: [draft],
        decision: "plan",
        steps: [step(draft.type, { kind: "redraft", draft, column, value }, [draft])],
        goal: "Change a draft",
        reply: { kind: "drafts", things: [draft] },
      },
      commit: () => {
        this.#name([draft]);
        draft.values = { ...draft.values, [column]: value };
      },
    };
  }

  #save(draft: MadeUpRow): Resolved {
    return {
      brief: {
        ...SMALL_TALK,
        message: `save ${draft.label}`,
        references: [draft],
        decision: "plan",
        steps: [step(draft.type, { kind: "save", draft }, [draft])],
        goal: "Save a draft",
        reply: { kind: "stored" },
      },
      commit: this.#writing(() => {
        this.#name([draft]);
        draft.saved = true;
      }),
    };
  }

  #offer(thing: MadeUpRow, numbers: Numbers): Resolved {
    const column = pickColumn(thing.type, numbers);
    const kind = thing.type.columns.find(({ name }) => name === column);
    const value = kind === undefined ? null : makeValue(kind, numbers);
    if (toText(thing.values[column]) === toText(value)) return talk();
    const change = this.#writing(() => this.#set(thing, column, value));
    this.#pending = { kind: "proposal", turn: this.turn, commit: change };
    return {
      brief: {
        ...SMALL_TALK,
        message: `is the ${column} of ${thing.label} right?`,
        references: [thing],
        decision: "propose",
        steps: [step(thing.type, { kind: "update", column, value }, [thing])],
        goal: "Change something",
      },
      commit: () => this.#name([thing]),
    };
  }

  #accept(): Resolved {
    const pending = this.#pending;
    if (pending === null) return talk();
    this.#pending = null;
    return {
      brief: { ...SMALL_TALK, message: "yes, do it", answers: "accept", reply: { kind: "stored" } },
      commit: pending.commit,
    };
  }

  #reject(): Resolved {
    this.#pending = null;
    return {
      brief: { ...SMALL_TALK, message: "no, leave it", answers: "reject" },
      commit: NOTHING,
    };
  }

  /** Something else changes a row before the message, which is about nothing of the kind. */
  #changeOutside(kind: IntentKind, thing: MadeUpRow, numbers: Numbers): Resolved {
    const isKnown = this.#isKnown(thing);
    const before = thing.label;
    const column = kind === "outside-rename" ? "name" : pickColumn(thing.type, numbers);
    const found = thing.type.columns.find(({ name }) => name === column);
    if (kind === "outside-delete") {
      this.#world.changeOutside(thing.type, before, null);
      this.#remove(thing);
      this.#closeEmptyChoices();
    } else {
      const value =
        column === "name" || found === undefined
          ? this.#world.makeLabel(numbers)
          : makeValue(found, numbers);
      if (toText(value) === toText(thing.values[column])) return talk();
      this.#world.changeOutside(thing.type, before, { [column]: value });
      this.#set(thing, column, value);
    }
    // What has been changed since cannot simply be taken back.
    this.#hasOutside = true;
    // A value that no line shows is loaded with its row, and not reported where the row is not held.
    const isShown =
      kind === "outside-delete" || column === "name" || thing.type.summary.includes(column);
    const outside = isKnown && isShown ? (kind === "outside-delete" ? before : thing.label) : null;
    return { brief: { ...SMALL_TALK, outside }, commit: NOTHING };
  }

  #undo(): Resolved {
    if (this.#hasOutside) return talk();
    return {
      brief: { ...SMALL_TALK, message: "undo that", undo: true },
      commit: () => {
        const before = this.#undoable.pop();
        if (before === undefined) return;
        for (const thing of this.things) {
          const old = before.get(thing);
          // Drafts, exclusions and what was seen are no rows: they stay as they are.
          if (old === undefined) thing.gone ||= thing.saved;
          else if (!old.saved && thing.saved) thing.gone = true;
          else if (old.saved) Object.assign(thing, pickRow(old));
        }
      },
    };
  }

  /** Wraps a commit that stores something, so that it can be taken back. */
  #writing(commit: Commit): Commit {
    return () => {
      this.#undoable.push(new Map(this.things.map((thing) => [thing, { ...thing }])));
      commit();
      this.#closeEmptyChoices();
    };
  }

  #closeEmptyChoices(): void {
    this.choices = this.choices.filter(
      ({ things, of }) => things.some(({ gone }) => !gone) || (of > 0 && things.length === 0),
    );
  }

  #set(thing: MadeUpRow, column: string, value: Json): void {
    const before = thing.label;
    thing.values = { ...thing.values, [column]: value };
    thing.label = thing.type.label(thing.values);
    if (before !== thing.label) this.#relink(thing.type, before, thing.label);
  }

  #remove(thing: MadeUpRow): void {
    thing.gone = true;
    this.#relink(thing.type, thing.label, null);
  }

  /** Rows that point at a row show its new label, or nothing. */
  #relink({ type }: EntityType, from: string, to: string | null): void {
    for (const thing of this.things) {
      const links = thing.type.columns.filter(
        ({ name, references }) => references === type && thing.values[name] === from,
      );
      for (const { name } of links) thing.values = { ...thing.values, [name]: to };
    }
  }

  #newValues(type: EntityType, numbers: Numbers) {
    const values = makeValues(type, this.#world.makeLabel(numbers), numbers);
    const linked = type.columns.flatMap(({ name, references }) => {
      const known = this.things.filter(
        (thing) => thing.type.type === references && thing.saved && this.#isKnown(thing),
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

  #make(type: EntityType, { values, saved }: Pick<MadeUpRow, "values" | "saved">): MadeUpRow {
    const thing = { ...newThing(type, values), saved, seen: this.turn };
    this.things.push(thing);
    return thing;
  }

  /** Rows that the conversation has in view are referred to; any other has to be looked up by its name. */
  #finding(things: readonly MadeUpRow[]) {
    const [first] = things;
    if (first === undefined || things.every((thing) => this.#isKnown(thing))) {
      return { references: things, decision: "answer" as const, steps: [] };
    }
    const steps = [step(first.type, { kind: "find", thing: first })];
    return { references: [], decision: "plan" as const, steps };
  }

  /** Returns true for what every prompt that names entities has to show. */
  #isKnown(thing: MadeUpRow): boolean {
    if (thing.gone) return false;
    return (
      !thing.saved ||
      thing.excluded !== null ||
      (!this.#world.isTight && thing.seen >= this.turn - WINDOW) ||
      this.listed.slice(0, LISTED_SHOWN).includes(thing) ||
      this.choices.some(({ things }) => things.includes(thing))
    );
  }

  /** Spoken of: choices that hold it come into focus, or the list that it stands in becomes one. */
  #name(things: readonly MadeUpRow[]): void {
    const known = things.filter((thing) => this.#isKnown(thing));
    this.#lastNamed = things.at(-1) ?? this.#lastNamed;
    this.#touch(known);
    this.#see(things);
  }

  #touch(things: readonly MadeUpRow[]): void {
    for (const thing of things) {
      const holding = this.choices.filter((choice) => choice.things.includes(thing));
      for (const choice of holding) this.#focus(choice, choice);
      if (holding.length === 0 && this.listed.includes(thing)) this.#openFromList(thing.type);
    }
  }

  /** Returns true for what a choice holds, or will once something is done with it. */
  #isChosen(thing: MadeUpRow): boolean {
    const alike = this.listed.filter(({ type, gone }) => type === thing.type && !gone);
    const isOpening = this.listed.includes(thing) && alike.length > 1;
    return isOpening || this.choices.some(({ things }) => things.includes(thing));
  }

  #openFromList(type: EntityType): void {
    const things = this.listed.filter((thing) => thing.type === type && !thing.gone);
    if (things.length < 2) return;
    this.#focus({ type, of: things.length, things }, undefined);
  }

  #focus(choice: ChoiceTruth, before: ChoiceTruth | undefined): void {
    this.choices = [...this.choices.filter((other) => other !== before), choice];
  }

  #see(things: readonly MadeUpRow[]): void {
    for (const thing of things) thing.seen = this.turn;
  }
}

/** Returns true for what may be offered. */
export function isLeft({ gone, excluded }: MadeUpRow): boolean {
  return !gone && excluded === null;
}

function talk(): Resolved {
  return { brief: SMALL_TALK, commit: NOTHING };
}

function step(type: EntityType, work: Work, about: readonly MadeUpRow[] = []): StepBrief {
  return { type, work, about };
}

function names(things: readonly MadeUpRow[]): string {
  return things.map(({ label }) => label).join(" and ");
}

function newThing(type: EntityType, values: JsonObject): MadeUpRow {
  const label = type.label(values);
  return { type, label, values, saved: true, gone: false, excluded: null, seen: 0 };
}

function pickRow({ label, values, saved, gone }: MadeUpRow): Partial<MadeUpRow> {
  return { label, values, saved, gone };
}

/** Returns a column that is neither the name nor a pointer. */
function pickColumn({ columns }: EntityType, numbers: Numbers): string {
  const plain = columns.filter(({ name, references }) => name !== "name" && !references);
  return plain[numbers.below(plain.length)]?.name ?? "name";
}

/** Returns the place of a label as whole words; -1 where it does not stand. */
function findLabel(text: string, label: string): number {
  if (!text.includes(label)) return -1;
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}])${label}(?![\\p{L}\\p{N}])`, "u"));
}
