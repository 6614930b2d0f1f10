import { z } from "zod";
import { decideChanges, toWrite, type ChangeRequest } from "../../domain/apply-changes.ts";
import { foldChanges } from "../../domain/changes/fold-changes.ts";
import type { NetRow } from "../../domain/changes/net-rows.ts";
import { checkDrafts } from "../../domain/check-drafts.ts";
import type { DomainData, ReadRequest } from "../../domain/domain-data.ts";
import { runHandler } from "../../domain/run-tool.ts";
import type { RowContent } from "../../domain/table-tools/content.ts";
import { RowRefusedError } from "../../domain/table-tools/failures.ts";
import { resolveRows, type SavedRow } from "../../domain/table-tools/refs.ts";
import { nameTableTool } from "../../domain/table-tools/tool-names.ts";
import { readArguments } from "../../domain/tool-arguments.ts";
import { RowActions, type ToolRun, type ToolRunParts } from "../../domain/tool-run.ts";
import type { UndoRequest, UndoResult } from "../../domain/undo.ts";
import type { CreateOptions } from "../../state/domain.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import { ConditionSchema, type RowCondition } from "../../state/filter.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { OutsideRow, Queryable } from "../../state/store.ts";
import type { RefBook, ToolOutcome, ToolRead } from "../../state/tool.ts";
import { renderSentence } from "../../text/sentences.ts";
import { Numbers } from "./numbers.ts";
import {
  getMadeUpDomain,
  makeValues,
  makeWord,
  MADE_UP_DOMAINS,
  type MadeUpDomain,
  toText,
} from "./made-up-domain.ts";

/** Numbers that a world is made from. */
export interface WorldPlan {
  readonly plan: number;
  readonly seed: number;
  /** Rows of each type, at the most. */
  readonly rows: number;
  /** True where prompts have hardly any room for what the conversation has merely seen. */
  readonly isTight: boolean;
}

interface StoredEffect {
  readonly id: number;
  readonly turn: number | null;
  readonly net: readonly NetRow[];
  readonly outcome: ToolOutcome;
  isUndone: boolean;
}

type Rows = ReadonlyMap<string, EntityRow>;

/** Rows with the values that a person would see: labels in place of the ids of other rows. */
export type Table = Readonly<Record<string, JsonObject>>;

/** A row as it is stored, for comparing. */
export interface RawRow {
  readonly type: string;
  readonly label: string;
  readonly text: string;
}

/** A made-up person's data: rows in memory, with the tools, rights and rules of the real one. */
export class World implements DomainData {
  readonly madeUp: MadeUpDomain;
  readonly isTight: boolean;
  readonly #tables = new Map<string, Map<string, EntityRow>>();
  /** Rows that were changed outside, in order: the journal of a world. */
  readonly #outside: OutsideRow[] = [];
  readonly #effects = new Map<string, StoredEffect>();
  #writes: Promise<unknown> = Promise.resolve();
  #lastId = 0;

  constructor({ plan, seed, rows, isTight }: WorldPlan) {
    this.isTight = isTight;
    this.madeUp = getMadeUpDomain(plan % MADE_UP_DOMAINS);
    const numbers = new Numbers(seed);
    for (const type of this.madeUp.types) {
      this.#tables.set(type.type, new Map());
      const count = 2 + numbers.below(Math.max(1, rows - 1));
      for (let index = 0; index < count; index += 1) {
        const values = makeValues(type, this.makeLabel(numbers), numbers);
        const links = type.columns.flatMap(({ name, references }): [string, Json][] => {
          const targets = references === undefined ? [] : [...this.#rows(references).keys()];
          return references === undefined
            ? []
            : [[name, targets[numbers.below(targets.length + 1)] ?? null]];
        });
        this.#insert(type, { ...values, ...Object.fromEntries(links) });
      }
    }
  }

  /** Makes a label that no row has had. */
  makeLabel(numbers: Numbers): string {
    const word = makeWord(numbers);
    this.#lastLabel += 1;
    return `${word.charAt(0).toUpperCase()}${word.slice(1)} ${this.#lastLabel}`;
  }
  #lastLabel = 0;

  /** Returns the rows of a type by label, in the order in which they are listed. */
  table(type: EntityType): Table {
    return Object.fromEntries(
      this.#sorted(type).map((row) => [type.label(row.values), this.#withLabels(type, row)]),
    );
  }

  /** Returns every row by its id, with ids as they are stored. */
  rawRows(): ReadonlyMap<string, RawRow> {
    return new Map(
      this.madeUp.types.flatMap((type) =>
        [...this.#rows(type.type).values()].map(({ id, values }): [string, RawRow] => [
          id,
          { type: type.type, label: type.label(values), text: JSON.stringify(values) },
        ]),
      ),
    );
  }

  /** Changes a row as another program would, or deletes it where there are no values. */
  changeOutside(type: EntityType, label: string, values: JsonObject | null): void {
    const before = this.#snapshot();
    const row = this.#sorted(type).find((each) => type.label(each.values) === label);
    if (row === undefined) throw new RangeError(`Cannot change "${label}": there is no such row`);
    if (values === null) this.delete(type, row.id);
    else {
      const rowVersion = row.rowVersion + 1;
      this.#put(type, { ...row, rowVersion, values: { ...row.values, ...values } });
    }
    const changed = this.#netSince(before).map(({ table, key, after }): OutsideRow => ({
      type: this.madeUp.types.find((each) => each.table === table)?.type ?? "",
      id: key,
      action: after === null ? "deleted" : "updated",
      who: "unknown",
    }));
    this.#outside.push(...changed);
  }

  async findOutsideChanges(...[, { since, rows }]: Parameters<DomainData["findOutsideChanges"]>) {
    const fresh = since === null ? [] : this.#outside.slice(Number(since));
    const known = fresh.filter(({ type, id }) =>
      rows.some((wanted) => wanted.type === type && wanted.ids.includes(id)),
    );
    const changes = new Map(known.map((change) => [change.id, change]));
    return { seen: String(this.#outside.length), changes: [...changes.values()] };
  }

  async read({ tool, args, run }: ReadRequest): Promise<ToolOutcome> {
    const type = this.#findReadType(tool.name);
    const given = readArguments(tool.parameters, args, tool.name);
    const reading = FilterSchema.parse(given);
    const named =
      reading.refs.length === 0
        ? null
        : resolveRows(run.refs, reading.refs, type).map(({ id }) => id);
    const all = named === null ? this.#sorted(type) : named.flatMap((id) => this.#find(type, id));
    const found = all.filter((row) =>
      reading.where.every((one) => this.#holds(type, row, { ...one, refs: run.refs })),
    );
    const detail = (reading.whole ?? named !== null) ? "full" : "summary";
    const read = this.#toRead(type, found, detail);
    const isHeld = found.every(({ id, rowVersion }) => {
      const held = run.refs.held(type.type, id);
      return held?.rowVersion === rowVersion && (held.detail === "full" || held.detail === detail);
    });
    const suppressed = found.length > 0 && isHeld;
    return this.#complete({ reads: [suppressed ? { ...read, rows: [], suppressed } : read] });
  }

  apply(request: ChangeRequest): ReturnType<DomainData["apply"]> {
    // One at a time: steps that run side by side have transactions of their own.
    const applied = this.#writes.then(() => this.#apply(request));
    this.#writes = applied.catch(() => undefined);
    return applied;
  }

  async #apply(request: ChangeRequest): ReturnType<DomainData["apply"]> {
    const { effect, tool, args, run, rules } = request;
    const known = this.#effects.get(effect.key);
    if (known !== undefined) return { kind: "applied", effectId: known.id, outcome: known.outcome };
    const before = this.#snapshot();
    try {
      const { entityTypes } = rules;
      const parts = { ...run, tx: NO_SQL, entityTypes };
      const toolRun: ToolRun = Object.assign(new MemoryActions(parts, this), parts);
      await runHandler(tool, args, toolRun);
      const net = this.#netSince(before);
      const decided = await decideChanges(NO_SQL, { net, drafts: toolRun.drafts }, request);
      const { failures } = toolRun;
      if (decided.kind === "kept") {
        const { writes, warnings } = decided;
        const outcome = this.#complete({ writes: [...writes], warnings, failures });
        const id = this.#keep(effect, { net, outcome });
        return { kind: "applied", effectId: id, outcome };
      }
      this.#restore(before);
      if (decided.kind !== "unchanged") return decided;
      return { kind: "applied", effectId: null, outcome: this.#complete({ failures }) };
    } catch (error) {
      this.#restore(before);
      throw error;
    }
  }

  async undo({ effect, effectIds, run, rules }: UndoRequest): Promise<UndoResult> {
    const stored = [...this.#effects.values()];
    const inForce = stored.filter(({ isUndone, net }) => !isUndone && net.length > 0);
    const lastTurn = Math.max(...inForce.map(({ turn }) => turn ?? 0));
    const wanted =
      effectIds.length > 0
        ? stored.filter(({ id }) => effectIds.includes(id))
        : inForce.filter(({ turn }) => turn === lastTurn);
    if (wanted.length === 0) return { kind: "refused", reason: renderSentence("nothingToUndo") };
    if (wanted.some(({ isUndone }) => isUndone))
      return { kind: "refused", reason: renderSentence("undoneAlready") };
    const before = this.#snapshot();
    for (const { net } of wanted.toReversed()) {
      for (const row of net) {
        if (!this.#takeBack(row)) {
          this.#restore(before);
          return { kind: "refused", reason: "something has been changed since" };
        }
      }
    }
    const net = this.#netSince(before);
    const { entityTypes } = rules;
    const changes = await foldChanges(NO_SQL, net, {
      entityTypes,
      refs: run.refs,
      named: new Set(),
    });
    const versions = new Map(net.map(({ key, after }) => [key, after?.["row_version"]]));
    const writes = changes.map((change) => toWrite(change, { versions, drafts: new Map() }));
    for (const one of wanted) one.isUndone = true;
    const outcome = this.#complete({ writes });
    const id = this.#keep({ ...effect, turn: null }, { net: [], outcome });
    return { kind: "undone", effectId: id, outcome };
  }

  judgeDrafts(...[, drafts, check]: Parameters<DomainData["judgeDrafts"]>) {
    return checkDrafts(NO_SQL, drafts, check);
  }

  async fetchRows(...[, wanted, detail]: Parameters<DomainData["fetchRows"]>) {
    const reads = wanted.flatMap(({ type, ids }) => {
      const entityType = this.madeUp.types.find((candidate) => candidate.type === type);
      if (entityType === undefined) return [];
      const rows = ids.flatMap((id) => this.#find(entityType, id));
      return [this.#toRead(entityType, rows, detail)];
    });
    return this.#complete({ reads });
  }

  /** Stores a new row and returns it. */
  insert(type: EntityType, { columns }: RowContent): EntityRow {
    const empty = Object.fromEntries(type.columns.map(({ name }): [string, Json] => [name, null]));
    return this.#insert(type, { ...empty, ...toValues(columns) });
  }

  /** Changes a row and returns it; null where it does not exist. */
  update(type: EntityType, id: string, { columns }: RowContent): EntityRow | null {
    const [row] = this.#find(type, id);
    if (row === undefined) return null;
    return this.#put(type, {
      ...row,
      rowVersion: row.rowVersion + 1,
      values: { ...row.values, ...toValues(columns) },
    });
  }

  /** Deletes a row; what pointed at it points at nothing. Returns false where it does not exist. */
  delete(type: EntityType, id: string): boolean {
    if (!this.#table(type.type).delete(id)) return false;
    for (const other of this.madeUp.types) {
      const columns = other.columns.filter(({ references }) => references === type.type);
      for (const row of this.#rows(other.type).values()) {
        const lost = columns.filter(({ name }) => row.values[name] === id);
        if (lost.length === 0) continue;
        const cleared = Object.fromEntries(lost.map(({ name }): [string, Json] => [name, null]));
        const values = { ...row.values, ...cleared };
        this.#put(other, { ...row, rowVersion: row.rowVersion + 1, values });
      }
    }
    return true;
  }

  #insert(type: EntityType, values: JsonObject): EntityRow {
    this.#lastId += 1;
    const id = `5eed0000-0000-4000-8000-${String(this.#lastId).padStart(12, "0")}`;
    return this.#put(type, { id, rowVersion: 1, values });
  }

  #put(type: EntityType, row: EntityRow): EntityRow {
    this.#table(type.type).set(row.id, row);
    return row;
  }

  #table(type: string): Map<string, EntityRow> {
    const table = this.#tables.get(type);
    if (table === undefined) throw new RangeError(`Cannot find a table of "${type}"`);
    return table;
  }

  #rows(type: string): Rows {
    return this.#table(type);
  }

  #find(type: EntityType, id: string): EntityRow[] {
    const row = this.#rows(type.type).get(id);
    return row === undefined ? [] : [row];
  }

  #sorted(type: EntityType): EntityRow[] {
    return [...this.#rows(type.type).values()].toSorted((a, b) =>
      type.label(a.values) < type.label(b.values) ? -1 : 1,
    );
  }

  #withLabels(type: EntityType, row: EntityRow): JsonObject {
    const entries = type.columns.map(({ name, references }): [string, Json] => {
      const value = row.values[name] ?? null;
      if (references === undefined || value === null) return [name, value];
      const target = this.#rows(references).get(toText(value));
      return [name, target === undefined ? "(gone)" : toText(target.values["name"])];
    });
    return Object.fromEntries(entries);
  }

  #findReadType(name: string): EntityType {
    const type = this.madeUp.types.find((each) => nameTableTool("read", each) === name);
    if (type === undefined) throw new RangeError(`Cannot read with the tool "${name}"`);
    return type;
  }

  #holds(type: EntityType, row: EntityRow, { column, op, value, refs }: Condition): boolean {
    const found = column === "id" ? row.id : (row.values[column] ?? null);
    const isRef =
      column === "id" || type.columns.some((one) => one.name === column && one.references);
    const toId = (ref: Json): Json =>
      isRef && typeof ref === "string" ? (refs.find(ref)?.id ?? null) : ref;
    switch (op) {
      case "=":
        return found === toId(value);
      case "!=":
        return found !== toId(value);
      case "in":
        return Array.isArray(value) && value.map(toId).includes(found);
      default:
        throw new RangeError(`Cannot compare with "${op}" in a made-up world`);
    }
  }

  #toRead(type: EntityType, found: readonly EntityRow[], detail: "summary" | "full"): ToolRead {
    const names = detail === "full" ? type.columns.map(({ name }) => name) : type.summary;
    const rows = found.map((row) => ({
      ...row,
      values: Object.fromEntries(names.map((name) => [name, row.values[name] ?? null])),
    }));
    const ids = rows.map(({ id }) => id);
    return { type: type.type, ids, rows, detail, total: ids.length, suppressed: false };
  }

  /** The outcome with the rows that its rows point at. */
  #complete(parts: Partial<ToolOutcome>): ToolOutcome {
    const { reads = [], writes = [] } = parts;
    const rows = [
      ...reads.flatMap(({ type, rows: own }) => own.map((row) => ({ type, row }))),
      ...writes.filter(({ action }) => action !== "deleted"),
    ];
    const wanted = rows.flatMap(({ type, row }) => {
      const columns = this.madeUp.types.find((each) => each.type === type)?.columns ?? [];
      return columns.flatMap(({ name, references }) => {
        const id = row.values[name];
        return references === undefined || typeof id !== "string" ? [] : [{ references, id }];
      });
    });
    const linked = this.madeUp.types.flatMap((type) => {
      const own = wanted.filter(({ references }) => references === type.type);
      const ids = [...new Set(own.map(({ id }) => id))];
      const found = this.#toRead(
        type,
        ids.flatMap((id) => this.#find(type, id)),
        "summary",
      );
      return found.rows.length === 0 ? [] : [{ type: type.type, rows: found.rows }];
    });
    return {
      failures: [],
      warnings: [],
      listed: [],
      text: null,
      ...parts,
      reads,
      writes,
      linked,
    };
  }

  #snapshot(): ReadonlyMap<string, Rows> {
    return new Map([...this.#tables].map(([type, rows]) => [type, new Map(rows)]));
  }

  #restore(before: ReadonlyMap<string, Rows>): void {
    for (const [type, rows] of before) this.#tables.set(type, new Map(rows));
  }

  #netSince(before: ReadonlyMap<string, Rows>): NetRow[] {
    return this.madeUp.types.flatMap(({ type, table }) => {
      const old = before.get(type) ?? new Map<string, EntityRow>();
      const now = this.#rows(type);
      return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
        const [was, is] = [old.get(key), now.get(key)];
        if (was === is) return [];
        const net = { table, key, before: toColumns(was), after: toColumns(is) };
        return [{ ...net, isChanged: true, follows: false }];
      });
    });
  }

  #keep(
    { key, turn }: Pick<ChangeRequest["effect"], "key" | "turn">,
    stored: Pick<StoredEffect, "net" | "outcome">,
  ): number {
    const id = this.#effects.size + 1;
    this.#effects.set(key, { ...stored, id, turn, isUndone: false });
    return id;
  }

  /** Makes a row as it was before a change; false where it has been changed since. */
  #takeBack({ table, key, before, after }: NetRow): boolean {
    const type = this.madeUp.types.find((each) => each.table === table);
    if (type === undefined) return false;
    const [now] = this.#find(type, key);
    if (JSON.stringify(now?.values ?? null) !== JSON.stringify(toRowValues(after))) return false;
    if (before === null) return this.delete(type, key);
    const values = toRowValues(before) ?? {};
    this.#put(type, { id: key, rowVersion: (now?.rowVersion ?? 0) + 1, values });
    return true;
  }
}

const NO_SQL: Queryable = {
  query: () => Promise.reject(new Error("Cannot run SQL: a made-up world has no database")),
};

/** A handler's work on the rows of a world. */
class MemoryActions extends RowActions {
  readonly #world: World;

  constructor(parts: ToolRunParts, world: World) {
    super(parts, parts.entityTypes);
    this.#world = world;
  }

  override async createRow(
    type: EntityType,
    content: RowContent,
    { draft }: CreateOptions = {},
  ): Promise<EntityRow> {
    const row = this.#world.insert(type, content);
    if (draft !== undefined) this.drafts.set(row.id, draft);
    return row;
  }

  override async updateRow(
    type: EntityType,
    { id, label }: SavedRow,
    content: RowContent,
  ): Promise<EntityRow> {
    const row = this.#world.update(type, id, content);
    if (row === null) throw new RowRefusedError(renderSentence("rowGone"), label);
    return row;
  }

  override async removeRow(type: EntityType, { id, label }: SavedRow): Promise<void> {
    if (!this.#world.delete(type, id)) throw new RowRefusedError(renderSentence("rowGone"), label);
  }

  override async attempt<T>(
    { label, ref }: { readonly label: string; readonly ref: string | null },
    work: () => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RowRefusedError)) throw error;
      this.failures.push({ label, ref, reason: error.reason });
      return null;
    }
  }
}

interface Condition extends RowCondition {
  readonly refs: RefBook;
}

/** The arguments of a read that a made-up world understands. */
const FilterSchema = z.object({
  refs: z.array(z.string()),
  where: z.array(ConditionSchema),
  whole: z.boolean().nullable().default(null),
});

function toValues(columns: RowContent["columns"]): JsonObject {
  return Object.fromEntries(
    [...columns].map(([name, value]): [string, Json] => [
      name,
      typeof value === "object" && value !== null ? [...value] : value,
    ]),
  );
}

function toColumns(row: EntityRow | undefined): JsonObject | null {
  return row === undefined ? null : { ...row.values, id: row.id, row_version: row.rowVersion };
}

function toRowValues(columns: JsonObject | null): JsonObject | null {
  if (columns === null) return null;
  const { id: _id, row_version: _version, ...values } = columns;
  return values;
}
