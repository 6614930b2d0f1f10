import { applyEvent } from "../../registry/apply-event.ts";
import type { Detail, EntityRow, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { makeValues, makeWord } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";

type Written = Extract<RegistryEvent, { kind: "written" }>;
type Outside = Extract<RegistryEvent, { kind: "outside" }>;

interface EventContext {
  readonly types: readonly EntityType[];
  readonly numbers: Numbers;
  readonly turn: number;
}

/** Makes events that few conversations come to, each about what the ones before have left. */
export function makeEvents(
  registry: Registry,
  { count, ...context }: EventContext & { readonly count: number },
): readonly RegistryEvent[] {
  const events: RegistryEvent[] = [];
  let current = registry;
  for (let at = 0; at < count; at += 1) {
    const event = new EventMaker(current, context).make();
    events.push(event);
    current = applyEvent(current, event, context.types);
  }
  return events;
}

const NOWHERE = "5eed0000-0000-4000-9000-999999999999";

/** Makes one event about a registry. */
class EventMaker {
  readonly #registry: Registry;
  readonly #context: EventContext;
  readonly #numbers: Numbers;

  constructor(registry: Registry, context: EventContext) {
    this.#registry = registry;
    this.#context = context;
    this.#numbers = context.numbers;
  }

  get #turn(): number {
    return this.#context.turn;
  }

  make(): RegistryEvent {
    const type = this.#pickType();
    const makers = [
      () => this.#judge(type),
      () => this.#judge(type),
      () => this.#judge(type),
      () => this.#focus(),
      () => this.#refer(),
      () => this.#list(),
      () => this.#curate(),
      () => this.#curate(),
      () => this.#read(type),
      () => this.#write(type),
      () => this.#changeOutside(type),
      () => this.#draft(type),
      () => this.#link(type),
      () => this.#look(),
      () => this.#recall(),
    ] as const;
    return this.#numbers.pick(makers)();
  }

  #judge({ type }: EntityType): RegistryEvent {
    const numbers = this.#numbers;
    return {
      kind: "judged",
      turn: this.#turn,
      type,
      refs: this.#some(2),
      of: numbers.pick([null, 1, 9]),
      title: makeWord(numbers, numbers.pick([2, 40])),
      conclusion: makeWord(numbers),
      topic: numbers.pick([null, null, "new", ...this.#listChoices()]),
    };
  }

  #focus(): RegistryEvent {
    return { kind: "focused", turn: this.#turn, choice: this.#numbers.pick(this.#listChoices()) };
  }

  #refer(): RegistryEvent {
    return { kind: "referenced", turn: this.#turn, refs: this.#some(3) };
  }

  #list(): RegistryEvent {
    const isNumbered = this.#numbers.pick([true, false]);
    const beside = this.#numbers.below(2) === 0 ? {} : { beside: this.#some(4) };
    return { kind: "listed", turn: this.#turn, refs: this.#some(2), isNumbered, ...beside };
  }

  #read(type: EntityType): RegistryEvent {
    const detail = this.#numbers.pick<Detail>(["summary", "full"]);
    const ids = this.#listIds(type).slice(-1);
    const rows = this.#rows(type);
    return { kind: "read", turn: this.#turn, type: type.type, ids, rows, detail };
  }

  #link(type: EntityType): RegistryEvent {
    return { kind: "linked", turn: this.#turn, type: type.type, rows: this.#rows(type) };
  }

  #write(type: EntityType): RegistryEvent {
    const numbers = this.#numbers;
    const [id = this.#makeId()] = this.#listIds(type).slice(numbers.below(2));
    const drafts = this.#registry.entries.filter((entry) => entry.id === null || entry.id === id);
    const action = numbers.pick<Written["action"]>(["created", "updated", "deleted"]);
    return {
      kind: "written",
      turn: this.#turn,
      type: type.type,
      action,
      row: this.#row(type, action === "created" ? this.#makeId() : id),
      draft: numbers.pick([null, ...drafts.map(({ ref }) => ref)]),
      byUser: numbers.below(2) === 0,
    };
  }

  #changeOutside(type: EntityType): RegistryEvent {
    const numbers = this.#numbers;
    const entry = this.#entries(type)[numbers.below(3)];
    const id = entry?.id ?? NOWHERE;
    const row = numbers.below(3) === 0 ? null : this.#row(type, id);
    const isOldName = row === null || numbers.below(2) === 0;
    const before = isOldName ? (entry?.label ?? "") : type.label(row.values);
    const who = numbers.pick<Outside["who"]>(["conversation", "unknown"]);
    const isBack = entry?.action === "deleted";
    return { kind: "outside", turn: this.#turn, type: type.type, id, row, who, before, isBack };
  }

  #draft(type: EntityType): RegistryEvent {
    const refs = this.#registry.entries.map(({ ref }) => ref);
    const content = this.#makeContent(type);
    const ref = this.#numbers.pick([null, ...refs]);
    return { kind: "drafted", turn: this.#turn, type: type.type, ref, content };
  }

  #look(): RegistryEvent {
    const numbers = this.#numbers;
    const unchecked = this.#some(3).map((ref) => ({ ref, since: "1" }));
    const seen = String(numbers.below(99));
    const isWhole = numbers.below(2) === 0;
    return { kind: "looked", turn: this.#turn, seen, ...(isWhole ? {} : { unchecked }) };
  }

  /** Brings something back that is like what is known: by its ref, or by one that was not given yet. */
  #recall(): RegistryEvent {
    const numbers = this.#numbers;
    const known = this.#registry.entries[numbers.below(5)];
    if (known === undefined) return this.#refer();
    const number = String(50 + numbers.below(50));
    const later = known.ref.replace(/\d+$/u, number);
    // No other row has that id: a row has one ref.
    const id = known.id === null ? null : `5eed0000-0000-4000-8d00-${number.padStart(12, "0")}`;
    const entry = numbers.below(3) === 0 ? known : { ...known, id, ref: later };
    return { kind: "recalled", turn: this.#turn, entry };
  }

  #curate(): RegistryEvent {
    const numbers = this.#numbers;
    const decide = () =>
      this.#some(4).map((ref) => ({
        ref,
        reason: numbers.pick(["", "too big", "too big", makeWord(numbers, 60)]),
      }));
    const curation = {
      retain: decide(),
      demote: decide(),
      restore: decide(),
      drop: this.#some(numbers.pick([9, 4])),
      clearAll: numbers.below(20) === 0,
      summary: null,
    };
    return { kind: "curated", turn: this.#turn - numbers.below(2), curation };
  }

  /** One in so many of the refs, and sometimes one that nobody knows. */
  #some(one: number): string[] {
    const refs = [...this.#registry.entries.map(({ ref }) => ref), "nothing_7"];
    return refs.filter(() => this.#numbers.below(one) === 0);
  }

  /** The content of a draft, which has refs where a row has ids. */
  #makeContent(type: EntityType): JsonObject {
    const links = type.columns.flatMap(({ name, references }): [string, Json][] => {
      const refs = this.#registry.entries.flatMap((one) =>
        one.type === references ? one.ref : [],
      );
      return references === undefined ? [] : [[name, this.#numbers.pick([null, ...refs])]];
    });
    return { ...this.#row(type, "").values, ...Object.fromEntries(links) };
  }

  #pickType(): EntityType {
    const [first, ...others] = this.#context.types;
    if (first === undefined) throw new RangeError("Cannot make events without a type");
    return this.#numbers.pick([first, ...others]);
  }

  #entries({ type }: EntityType): readonly RegistryEntry[] {
    return this.#registry.entries.filter((entry) => entry.type === type);
  }

  #listIds(type: EntityType): readonly string[] {
    return this.#entries(type).flatMap(({ id }) => id ?? []);
  }

  /** The ids of the open choices, and one that there is not. */
  #listChoices(): readonly [string, ...string[]] {
    return ["choice_99", ...this.#registry.choices.map(({ id }) => id)];
  }

  #makeId(): string {
    const number = String(this.#registry.entries.length + 1).padStart(12, "0");
    return `5eed0000-0000-4000-8${this.#numbers.pick(["a", "b", "c"])}00-${number}`;
  }

  /** Rows that are known, and a new one. */
  #rows(type: EntityType): EntityRow[] {
    const ids = this.#listIds(type).slice(0, this.#numbers.below(3));
    const rows = [...ids, this.#makeId()].map((id) => this.#row(type, id));
    return rows.slice(this.#numbers.below(2));
  }

  /** A row of few names, so that some are alike; it points at rows that are known, or at none. */
  #row(type: EntityType, id: string): EntityRow {
    const numbers = this.#numbers;
    const name = numbers.pick(["", "Velmor", "Solun", makeWord(numbers, 45)]);
    const links = type.columns.flatMap(({ name: column, references }): [string, Json][] => {
      const ids = this.#registry.entries.flatMap((entry) =>
        entry.type === references && entry.id !== null ? [entry.id] : [],
      );
      return references === undefined ? [] : [[column, numbers.pick([null, NOWHERE, ...ids])]];
    });
    const values = { ...makeValues(type, name, numbers), ...Object.fromEntries(links) };
    return { id, rowVersion: 1 + numbers.below(3), values };
  }
}
