import type { EntityType } from "../../state/entity.ts";
import type { Choice, Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { clipTo } from "./expected-sections.ts";

type Judged = Extract<RegistryEvent, { kind: "judged" }>;

/** The entities and the list that a choice is opened from. */
interface ChoiceContext {
  readonly entries: readonly RegistryEntry[];
  readonly listed: readonly string[];
  readonly types: readonly EntityType[];
}

/** The open choices as a list that is changed in place, the one in focus at its end. */
export class PlainChoices {
  open: Choice[];
  /** The number of the choice that was opened last. */
  last: number;

  constructor({ choices, counters }: Registry) {
    this.open = choices.map((choice) => structuredClone(choice));
    this.last = counters.find(({ prefix }) => prefix === "choice")?.last ?? 0;
  }

  judge({ type, refs, topic, title, ...event }: Judged, { entries }: ChoiceContext): void {
    const own = refs.filter((ref) => entries.some((one) => one.ref === ref && one.type === type));
    const alike = this.open.filter((choice) => choice.type === type);
    const named = alike.find(({ id }) => id === topic);
    const kin = alike.filter(
      (choice) => own.length === 0 || own.some((ref) => choice.refs.includes(ref)),
    );
    const old = topic === "new" ? undefined : (named ?? kin.at(-1));
    const { turn, conclusion } = event;
    if (old === undefined) {
      const saved = entries.filter((one) => one.type === type && one.row && one.id !== null);
      const of = Math.max(own.length, event.of ?? saved.length);
      this.#add({ type, refs: own, of, title, basis: "analysis", conclusion }, turn);
      return;
    }
    const out = old.refs.filter((ref) => entries.find((one) => one.ref === ref)?.demotion);
    const all = [...own, ...out].filter((ref, at, both) => both.indexOf(ref) === at);
    this.#focus(old.id, {
      title: old.basis === "list" ? clipTo(title, 60) : old.title,
      refs: all,
      of: Math.max(old.of, all.length),
      basis: "analysis",
      conclusion,
      touchedTurn: turn,
    });
  }

  focus(id: string, turn: number): void {
    this.#focus(id, { touchedTurn: turn });
  }

  touch(refs: readonly string[], turn: number, { entries, listed, types }: ChoiceContext): void {
    for (const ref of refs) {
      const holding = this.open.filter((choice) => choice.refs.includes(ref));
      for (const { id } of holding) this.focus(id, turn);
      const type = entries.find((one) => one.ref === ref)?.type;
      if (holding.length > 0 || type === undefined || !listed.includes(ref)) continue;
      const own = listed.filter((each) =>
        entries.some((one) => one.ref === each && one.type === type && one.action !== "deleted"),
      );
      const title = types.find((one) => one.type === type)?.words.many ?? "";
      const content = { type, refs: own, of: own.length, title, conclusion: "" };
      if (own.length > 1) this.#add({ ...content, basis: "list" }, turn);
    }
  }

  /** Takes back into the choice of its type that was touched last what no choice holds. */
  restore(refs: readonly string[], turn: number, entries: readonly RegistryEntry[]): void {
    for (const ref of refs) {
      const type = entries.find((one) => one.ref === ref)?.type;
      const last = this.open.findLast((choice) => choice.type === type);
      if (last === undefined || this.open.some((choice) => choice.refs.includes(ref))) continue;
      const all = [...last.refs, ref];
      this.#focus(last.id, { refs: all, of: Math.max(last.of, all.length), touchedTurn: turn });
    }
  }

  /** Closes those of which nothing is there any more. */
  close(entries: readonly RegistryEntry[]): void {
    const there = new Set(entries.flatMap(({ ref, action }) => (action === "deleted" ? [] : ref)));
    this.open = this.open.filter(
      ({ refs, basis }) =>
        (basis === "analysis" && refs.length === 0) || refs.some((ref) => there.has(ref)),
    );
  }

  #add(choice: Omit<Choice, "id" | "openedTurn" | "touchedTurn">, turn: number): void {
    this.last += 1;
    const id = `choice_${this.last}`;
    const title = clipTo(choice.title, 60);
    this.open.push({ ...choice, id, title, openedTurn: turn, touchedTurn: turn });
  }

  #focus(id: string, changes: Partial<Choice>): void {
    const at = this.open.findIndex((choice) => choice.id === id);
    for (const old of this.open.splice(at, at === -1 ? 0 : 1))
      this.open.push({ ...old, ...changes });
  }
}
