import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { Limits } from "../../state/limits.ts";
import type { Choice, Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { PlainChoices } from "./plain-choices.ts";
import { toText } from "./made-up-domain.ts";
import { compare, compareValues, violation, type Violation } from "./violation.ts";

type Entry = { -readonly [K in keyof RegistryEntry]: RegistryEntry[K] };

/** The events of a turn, and what they happened to. */
export interface RegistryTurn {
  readonly before: Registry;
  readonly events: readonly RegistryEvent[];
  readonly types: readonly EntityType[];
}

/** 12: the entries, the list and the numbers of refs are what the events make of them. */
export function judgeEntries(folded: Registry, turn: RegistryTurn): Violation[] {
  const plain = new PlainRegistry(turn);
  for (const event of turn.events) plain.apply(event);
  return [
    ...plain.entries.flatMap((entry) =>
      compare(
        `12 entry ${entry.ref}`,
        writeEntry(entry),
        writeEntry(folded.entries.find(({ ref }) => ref === entry.ref)),
      ),
    ),
    ...compare("12 refs", listRefs(plain.entries), listRefs(folded.entries)),
    ...compare("12 listed", plain.listed.join(), folded.listed.join()),
    ...compare("12 choices", writeChoices(plain.choices.open), writeChoices(folded.choices)),
    ...compareValues("12 unchecked", plain.unchecked, folded.unchecked ?? []),
    ...compare("12 journal", String(plain.journalSeen), String(folded.journalSeen)),
    ...compare("12 counters", writeCounters(plain.listCounters()), writeCounters(folded.counters)),
  ];
}

function writeCounters(counters: Registry["counters"]): string {
  return counters
    .map(({ prefix, last }) => `${prefix} ${last}`)
    .toSorted()
    .join(", ");
}

function writeChoices(choices: readonly Choice[]): string {
  return choices.map(writeFields).join("\n");
}

const RANK = ["none", "summary", "full"];

/** The entries of a registry as a list that is changed in place: what each event means, and nothing else. */
class PlainRegistry {
  entries: Entry[];
  listed: readonly string[];
  counters: Registry["counters"];
  journalSeen: string | null;
  unchecked: Registry["unchecked"];
  readonly choices: PlainChoices;
  readonly #types: readonly EntityType[];

  constructor({ before, types }: RegistryTurn) {
    this.unchecked = before.unchecked ?? [];
    this.choices = new PlainChoices(before);
    this.entries = before.entries.map((entry) => structuredClone(entry));
    this.listed = before.listed;
    this.counters = before.counters;
    this.journalSeen = before.journalSeen;
    this.#types = types;
  }

  apply(event: RegistryEvent): void {
    const { turn } = event;
    switch (event.kind) {
      case "read":
        return this.#read(event);
      case "linked":
        for (const row of event.rows) this.#link(this.#type(event.type), row, turn);
        return;
      case "written":
        return this.#write(event);
      case "drafted":
        return this.#draft(event);
      case "curated":
        return this.#curate(event);
      case "referenced":
        for (const entry of this.#known(event.refs)) {
          if (entry.action === "linked") entry.action = "mentioned";
          touch(entry, turn);
        }
        this.#touchChoices(event.refs, turn);
        return;
      case "listed":
        return this.#list(event);
      case "looked":
        this.journalSeen = event.seen;
        this.unchecked = event.unchecked ?? [];
        return;
      case "outside":
        return this.#changeOutside(event);
      case "recalled": {
        const { entry } = event;
        if (this.#find(entry.ref) !== undefined) return;
        if (entry.id !== null && this.#findRow(entry.type, entry.id) !== undefined) return;
        const back = { ...entry, referencedTurn: turn };
        if (!isDraft(back)) letGo(back);
        this.entries.push(back);
        this.#reserve(entry.ref);
        return;
      }
      case "judged":
        this.choices.judge(event, this.#context);
        return;
      case "focused":
        this.choices.focus(event.choice, turn);
        return;
    }
    event satisfies never;
  }

  listCounters(): Registry["counters"] {
    const others = this.counters.filter(({ prefix }) => prefix !== "choice");
    const { last } = this.choices;
    return last === 0 ? others : [...others, { prefix: "choice", last }];
  }

  get #context() {
    return { entries: this.entries, listed: this.listed, types: this.#types };
  }

  #touchChoices(refs: readonly string[], turn: number): void {
    this.choices.touch(refs, turn, this.#context);
  }

  #read({ turn, type: name, ids, rows, detail }: Extract<RegistryEvent, { kind: "read" }>): void {
    const type = this.#type(name);
    for (const id of [...ids, ...rows.map((row) => row.id)]) this.#meet(type, id, turn);
    for (const row of rows) {
      const entry = this.#meet(type, row.id, turn);
      const isHeld = entry.row !== null && entry.rowVersion === row.rowVersion;
      if (!isHeld || RANK.indexOf(entry.detail) <= RANK.indexOf(detail)) {
        this.#fill(entry, type, row.values);
        entry.detail = detail;
      }
      Object.assign(entry, {
        rowVersion: row.rowVersion,
        action: "read",
        byUser: false,
        readTurn: turn,
      });
    }
  }

  #link(type: EntityType, row: EntityRow, turn: number): void {
    const known = this.#findRow(type.type, row.id);
    const { label, facts } = this.#show(type, row.values);
    if (known === undefined) {
      Object.assign(this.#meet(type, row.id, turn), { label, facts, action: "linked" });
    } else {
      if (label !== "") known.label = label;
      if (known.facts === "") known.facts = facts;
      // Nothing else has spoken of it.
      if (known.action === "linked") known.referencedTurn = turn;
    }
  }

  #write({
    turn,
    type: name,
    action,
    row,
    draft,
    byUser,
  }: Extract<RegistryEvent, { kind: "written" }>): void {
    const type = this.#type(name);
    const drafted = draft === null ? undefined : this.#find(draft);
    const isNew = action !== "deleted" && this.#findRow(name, row.id) === undefined;
    if (isNew && drafted !== undefined && isDraft(drafted) && drafted.type === name)
      Object.assign(drafted, { id: row.id, savedAs: row.id });
    const entry = this.#meet(type, row.id, turn);
    this.#fill(entry, type, row.values);
    if (action === "deleted" && entry.ref === draft) {
      const content = Object.entries(entry.row ?? {}).filter(([, value]) => value !== null);
      Object.assign(entry, { id: null, rowVersion: null, action: "generated", byUser: false });
      Object.assign(entry, { row: Object.fromEntries(content), detail: "full" });
      return;
    }
    Object.assign(entry, { detail: "full", rowVersion: row.rowVersion, action, byUser });
    if (action === "deleted") {
      letGo(entry);
      entry.retention = null;
      this.choices.close(this.entries);
    }
  }

  #draft({ turn, type: name, ref, content }: Extract<RegistryEvent, { kind: "drafted" }>): void {
    const type = this.#type(name);
    const known = ref === null ? undefined : this.#find(ref);
    const isOwn = known !== undefined && known.type === name && isDraft(known);
    const entry = isOwn ? known : this.#append(type, null, turn);
    const { label, facts } = describe(type, content);
    const action = "generated" as const;
    Object.assign(entry, { row: content, label, facts, action, byUser: false, detail: "full" });
    entry.referencedTurn = turn;
  }

  #curate({ turn, curation }: Extract<RegistryEvent, { kind: "curated" }>): void {
    if (curation.clearAll) {
      this.entries = [];
      this.listed = [];
      this.unchecked = [];
      this.choices.open = [];
      return;
    }
    this.entries = this.entries.filter(({ ref }) => !curation.drop.includes(ref));
    for (const entry of this.entries) {
      const points = Object.values(entry.row ?? {}).some((value) => isIn(value, curation.drop));
      if (points && !isDraft(entry)) letGo(entry);
    }
    for (const { ref, reason } of curation.retain) {
      const entry = this.#find(ref);
      if (entry !== undefined && entry.action !== "deleted") entry.retention = reason;
    }
    for (const { ref, reason } of curation.demote) {
      const entry = this.#find(ref);
      if (entry !== undefined)
        Object.assign(entry, { demotion: { turn, reason }, retention: null });
    }
    for (const { ref } of curation.restore) {
      const entry = this.#find(ref);
      if (entry !== undefined)
        Object.assign(entry, { demotion: null, restoredTurn: turn, referencedTurn: turn });
    }
    const restored = curation.restore.map(({ ref }) => ref);
    this.#touchChoices([...curation.demote.map(({ ref }) => ref), ...restored], turn);
    this.choices.restore(restored, turn, this.entries);
    this.choices.close(this.entries);
  }

  #list({ refs, beside = [], isNumbered, turn }: Extract<RegistryEvent, { kind: "listed" }>): void {
    const named = this.#known(refs);
    for (const entry of [...named, ...this.#known(beside)]) touch(entry, turn);
    const isList = named.some((one) => named.some((two) => one !== two && one.type === two.type));
    if (isNumbered === true) this.listed = refs;
    else if (isList) this.listed = named.map(({ ref }) => ref);
  }

  #changeOutside({ turn, type: name, id, row }: Extract<RegistryEvent, { kind: "outside" }>): void {
    const entry = this.#findRow(name, id);
    if (entry !== undefined) letGo(entry);
    if (row === null) {
      if (entry !== undefined)
        Object.assign(entry, { action: "deleted", retention: null, referencedTurn: turn });
      this.choices.close(this.entries);
    } else if (entry !== undefined) {
      const { label, facts } = this.#show(this.#type(name), row.values);
      Object.assign(entry, { label, facts });
      if (entry.action === "deleted") entry.action = "read";
    }
  }

  #meet(type: EntityType, id: string, turn: number): Entry {
    const entry = this.#findRow(type.type, id) ?? this.#append(type, id, turn);
    entry.referencedTurn = turn;
    return entry;
  }

  /** A number that was given is never given again. */
  #reserve(ref: string): void {
    const [, prefix = "", number = ""] = /^(.+)_(\d+)$/u.exec(ref) ?? [];
    const last = Math.max(Number(number), this.#findLast(prefix));
    this.counters = [...this.counters.filter((one) => one.prefix !== prefix), { prefix, last }];
  }

  #findLast(prefix: string): number {
    return this.counters.find((counter) => counter.prefix === prefix)?.last ?? 0;
  }

  #append(type: EntityType, id: string | null, turn: number): Entry {
    const prefix = id === null ? `gen_${type.type}` : type.type;
    const last = this.#findLast(prefix) + 1;
    this.#reserve(`${prefix}_${last}`);
    const entry: Entry = {
      ref: `${prefix}_${last}`,
      type: type.type,
      id,
      label: type.words.one,
      facts: "",
      action: "read",
      byUser: false,
      detail: "none",
      createdTurn: turn,
      referencedTurn: turn,
      readTurn: null,
      retention: null,
      demotion: null,
      restoredTurn: null,
      row: null,
      rowVersion: null,
    };
    this.entries.push(entry);
    return entry;
  }

  #fill(entry: Entry, type: EntityType, values: JsonObject): void {
    Object.assign(entry, this.#show(type, values));
  }

  /** Refs stand in place of the ids of other rows; one that nobody has met is left out. */
  #show(type: EntityType, values: JsonObject) {
    const row: Record<string, Json> = {};
    for (const { name, references } of type.columns) {
      const value = values[name];
      if (value === undefined) continue;
      const ref = references === undefined ? value : this.#toRef(references, value);
      if (ref !== undefined) row[name] = ref;
    }
    return { row, ...describe(type, row) };
  }

  #toRef(type: string, id: Json): Json | undefined {
    return id === null ? null : this.#findRow(type, toText(id))?.ref;
  }

  #find(ref: string): Entry | undefined {
    return this.entries.find((entry) => entry.ref === ref);
  }

  #findRow(type: string, id: string): Entry | undefined {
    return this.entries.find((entry) => entry.type === type && entry.id === id);
  }

  #known(refs: readonly string[]): readonly Entry[] {
    return refs.flatMap((ref) => this.#find(ref) ?? []);
  }

  #type(name: string): EntityType {
    const type = this.#types.find((each) => each.type === name);
    if (type === undefined) throw new RangeError(`Cannot find the type "${name}"`);
    return type;
  }
}

function describe(type: EntityType, row: JsonObject): Pick<Entry, "label" | "facts"> {
  const label = type.label(row);
  return { label: label === "" ? type.words.one : label, facts: type.facts?.(row) ?? "" };
}

function isDraft({ id, action }: Entry): boolean {
  return id === null && action !== "deleted";
}

function letGo(entry: Entry): void {
  if (entry.row !== null || entry.action === "deleted")
    Object.assign(entry, { row: null, rowVersion: null, detail: "none" });
}

function touch(entry: Entry, turn: number): void {
  if (entry.demotion?.turn !== turn) entry.referencedTurn = turn;
}

function isIn(value: Json, refs: readonly string[]): boolean {
  return typeof value === "string" && refs.includes(value);
}

function writeEntry(entry: RegistryEntry | undefined): string {
  return entry === undefined ? "none" : writeFields(entry);
}

function writeFields(value: object): string {
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function listRefs(entries: readonly RegistryEntry[]): string {
  return entries.map(({ ref }) => ref).join(", ");
}

/** The end of a turn: the registry with the turn's events, and what stays of it. */
export interface TurnEnd {
  readonly folded: Registry;
  readonly kept: Registry;
  readonly turn: number;
  readonly limits: Limits;
}

/** 9, 12: what is in use stays, what is over a limit goes, the longest untouched first. */
export function judgeTurnEnd({ folded, kept, turn, limits }: TurnEnd): Violation[] {
  const stays = new Map(kept.entries.map((entry) => [entry.ref, entry]));
  const oldest = turn + 1 - limits.recordTurns;
  const open = folded.choices.slice(-limits.openChoices);
  const chosen = new Set(open.flatMap(({ refs }) => refs));
  const isInUse = (entry: RegistryEntry): boolean =>
    entry.action !== "deleted" &&
    (chosen.has(entry.ref) ||
      isFixed(entry) ||
      (entry.demotion === null && entry.referencedTurn >= oldest));
  const held = folded.entries.filter(({ row }) => row !== null);
  const wanted = held.filter((entry) => isFixed(entry) || readTouched(entry) >= oldest);
  const stored = wanted.filter((entry) => !isDraft(entry));
  const isHeld = ({ ref }: RegistryEntry): boolean =>
    !stays.has(ref) || (stays.get(ref)?.row ?? null) !== null;
  const over = stored.length > limits.rowsHeld;
  const lost = stored.filter((entry) => !isHeld(entry));
  const heldLong = stored.filter((entry) => isHeld(entry));
  const heldOn = heldLong.filter(({ ref }) => stays.has(ref));
  const left = folded.entries.filter(({ ref }) => !stays.has(ref));
  const isLongGone = (entry: RegistryEntry): boolean =>
    entry.action === "deleted" && readTouched(entry) < turn + 1 - limits.deletedRefTurns;
  const tooMany = folded.entries.length - limits.registryRefs;
  // What an entry points at that leaves now may leave at the next turn's end.
  const pointing = [...kept.entries, ...left];
  const pointed = new Set(pointing.flatMap(({ row }) => Object.values(row ?? {})));
  const isHeldOn = (ref: string): boolean =>
    kept.entries.some(({ row }) => Object.values(row ?? {}).includes(ref));
  const idle = folded.entries.filter((entry) => !isInUse(entry) && !pointed.has(entry.ref));
  const movable = idle.filter(({ ref }) => stays.has(ref));
  const leftEarly = left.filter((entry) => !isLongGone(entry));
  const changed = kept.entries.filter((entry) => {
    const was = folded.entries.find(({ ref }) => ref === entry.ref);
    const { row: _row, rowVersion: _version, detail: _detail, ...rest } = entry;
    const { row: _oldRow, rowVersion: _oldVersion, detail: _oldDetail, ...old } = was ?? entry;
    return JSON.stringify(rest) !== JSON.stringify(old);
  });
  const say = (invariant: string, wrong: readonly RegistryEntry[]): Violation[] =>
    wrong.length === 0 ? [] : [violation(invariant, "none", listRefs(wrong))];
  return [
    ...compare(
      "9 open choices",
      open.map(({ id }) => id).join(),
      kept.choices.map(({ id }) => id).join(),
    ),
    ...say(
      "12 rows held too long",
      held.filter((one) => !wanted.includes(one) && stays.get(one.ref)?.row != null),
    ),
    ...(over ? [] : say("12 rows let go", lost)),
    ...say(
      "12 drafts let go",
      wanted.filter((one) => isDraft(one) && stays.get(one.ref)?.row == null),
    ),
    ...(over && heldLong.length !== limits.rowsHeld && left.length === 0
      ? [violation("9 rows held", String(limits.rowsHeld), String(heldLong.length))]
      : []),
    ...say(
      "12 younger rows let go",
      lost.filter((one) => heldOn.some((other) => readTouched(other) < readTouched(one))),
    ),
    ...say(
      "12 left in use",
      left.filter((one) => isInUse(one) || isHeldOn(one.ref)),
    ),
    ...(tooMany > 0 ? [] : say("12 left early", leftEarly)),
    ...say("9 gone too long", movable.filter(isLongGone)),
    ...(tooMany > left.length && movable.length > 0
      ? [violation("9 refs", `${limits.registryRefs} refs`, listRefs(kept.entries))]
      : []),
    ...(leftEarly.length > Math.max(0, tooMany)
      ? [violation("12 left", `at most ${tooMany}`, listRefs(left))]
      : []),
    ...say(
      "12 younger left",
      leftEarly.filter((one) => movable.some((other) => readTouched(other) < readTouched(one))),
    ),
    ...say("12 changed at the end", changed),
    ...compare(
      "12 order",
      folded.entries
        .filter(({ ref }) => stays.has(ref))
        .map(({ ref }) => ref)
        .join(),
      kept.entries.map(({ ref }) => ref).join(),
    ),
  ];
}

function isFixed(entry: RegistryEntry): boolean {
  return entry.retention !== null || isDraft(entry);
}

function readTouched({ referencedTurn, demotion }: RegistryEntry): number {
  return Math.max(referencedTurn, demotion?.turn ?? 0);
}
