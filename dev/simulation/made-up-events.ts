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

  make(): RegistryEvent {
    const { turn } = this.#context;
    const { choices } = this.#registry;
    const numbers = this.#numbers;
    const type = this.#pickType();
    const ids = this.#entries(type).flatMap(({ id }) => id ?? []);
    switch (numbers.below(14)) {
      case 0:
      case 1:
      case 2:
        return {
          kind: "judged",
          turn,
          type: type.type,
          refs: this.#some(2),
          of: numbers.pick([null, 1, 9]),
          title: makeWord(numbers, numbers.pick([2, 40])),
          conclusion: makeWord(numbers),
          topic: numbers.pick([null, null, "new", "choice_99", ...choices.map(({ id }) => id)]),
        };
      case 3:
        return {
          kind: "focused",
          turn,
          choice: numbers.pick(["choice_99", ...choices.map(({ id }) => id)]),
        };
      case 4:
        return { kind: "referenced", turn, refs: this.#some(3) };
      case 5: {
        const isNumbered = numbers.pick([true, false]);
        const beside = numbers.below(2) === 0 ? {} : { beside: this.#some(4) };
        return { kind: "listed", turn, refs: this.#some(2), isNumbered, ...beside };
      }
      case 6:
      case 7:
        return this.#curate();
      case 8: {
        const known = ids.slice(0, numbers.below(3)).map((id) => this.#row(type, id));
        const rows = [...known, this.#row(type, this.#makeId())].slice(numbers.below(2));
        const detail = numbers.pick<Detail>(["summary", "full"]);
        return { kind: "read", turn, type: type.type, ids: ids.slice(-1), rows, detail };
      }
      case 9: {
        const [id = this.#makeId()] = ids.slice(numbers.below(2));
        const drafts = this.#registry.entries.filter((entry) => entry.id === null);
        const draft = numbers.pick([null, ...drafts.map(({ ref }) => ref)]);
        const action = numbers.pick<Written["action"]>(["created", "updated", "deleted"]);
        const row = this.#row(type, action === "created" ? this.#makeId() : id);
        const byUser = numbers.below(2) === 0;
        return { kind: "written", turn, type: type.type, action, row, draft, byUser };
      }
      case 10: {
        const { id, label: before } = this.#entries(type)[numbers.below(3)] ?? {
          id: null,
          label: "",
        };
        const isGone = numbers.below(3) === 0;
        const row = isGone ? null : this.#row(type, id ?? NOWHERE);
        const named = row !== null && numbers.below(2) === 0 ? type.label(row.values) : before;
        const who = numbers.pick<Outside["who"]>(["conversation", "unknown"]);
        return {
          kind: "outside",
          turn,
          type: type.type,
          id: id ?? NOWHERE,
          row,
          who,
          before: named,
        };
      }
      case 11: {
        const refs = this.#registry.entries.map(({ ref }) => ref);
        const content = this.#makeContent(type);
        return {
          kind: "drafted",
          turn,
          type: type.type,
          ref: numbers.pick([null, ...refs]),
          content,
        };
      }
      case 12: {
        const known = ids.slice(0, numbers.below(3)).map((id) => this.#row(type, id));
        const rows = [...known, this.#row(type, this.#makeId())].slice(numbers.below(2));
        return { kind: "linked", turn, type: type.type, rows };
      }
      default: {
        const unchecked = this.#some(3).map((ref) => ({ ref, since: "1" }));
        const seen = String(numbers.below(99));
        return numbers.below(2) === 0
          ? { kind: "looked", turn, seen }
          : { kind: "looked", turn, seen, unchecked };
      }
    }
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
    return { kind: "curated", turn: this.#context.turn - numbers.below(2), curation };
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

  #makeId(): string {
    const number = String(this.#registry.entries.length + 1).padStart(12, "0");
    return `5eed0000-0000-4000-8${this.#numbers.pick(["a", "b", "c"])}00-${number}`;
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
