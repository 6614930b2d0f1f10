import { z } from "zod";
import { decideChanges, toWrites, type ChangeRequest } from "../../domain/apply-changes.ts";
import { foldChanges } from "../../domain/changes/fold-changes.ts";
import type { NetRow } from "../../domain/changes/net-rows.ts";
import { checkDrafts } from "../../domain/check-drafts.ts";
import type { DomainData, ReadRequest } from "../../domain/domain-data.ts";
import { runHandler } from "../../domain/run-tool.ts";
import { resolveRows } from "../../domain/table-tools/refs.ts";
import { nameTableTool } from "../../domain/table-tools/tool-names.ts";
import { readArguments } from "../../domain/tool-arguments.ts";
import { type ToolRun } from "../../domain/tool-run.ts";
import type { UndoRequest, UndoResult } from "../../domain/undo.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import { ConditionSchema, type RowCondition } from "../../state/filter.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { OutsideRow, Queryable } from "../../state/store.ts";
import type { RefBook, ToolOutcome, ToolRead } from "../../state/tool.ts";
import { renderSentence } from "../../text/sentences.ts";
import { MemoryActions } from "./memory-actions.ts";
import { MemoryTables } from "./memory-tables.ts";
import { Numbers } from "./numbers.ts";
import {
  getMadeUpDomain,
  makeValues,
  makeWord,
  MADE_UP_DOMAINS,
  type MadeUpDomain,
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

/** A row that another program changes, or deletes where there are no values. */
export interface OutsideWrite {
  readonly type: EntityType;
  readonly id: string;
  readonly values: JsonObject | null;
}

interface StoredEffect {
  readonly id: number;
  readonly turn: number | null;
  readonly net: readonly NetRow[];
  readonly outcome: ToolOutcome;
  isUndone: boolean;
}

/** A made-up person's data: rows in memory, with the tools, rights and rules of the real one. */
export class World implements DomainData {
  readonly madeUp: MadeUpDomain;
  readonly isTight: boolean;
  /** True where its models plan the calls of their steps. */
  readonly givesCalls: boolean;
  readonly tables: MemoryTables;
  /** The writes of other programs, in order. */
  readonly outsideWrites: OutsideWrite[] = [];
  /** Rows that were changed outside, in order: the journal of a world. */
  readonly #outside: OutsideRow[] = [];
  readonly #effects = new Map<string, StoredEffect>();
  #writes: Promise<unknown> = Promise.resolve();

  constructor({ plan, seed, rows, isTight }: WorldPlan) {
    this.isTight = isTight;
    this.givesCalls = seed % 2 === 0;
    this.madeUp = getMadeUpDomain(plan % MADE_UP_DOMAINS);
    this.tables = new MemoryTables(this.madeUp.types);
    const numbers = new Numbers(seed);
    for (const type of this.madeUp.types) {
      const count = 2 + numbers.below(Math.max(1, rows - 1));
      for (let index = 0; index < count; index += 1) {
        const values = makeValues(type, this.makeLabel(numbers), numbers);
        const links = type.columns.flatMap(({ name, references }): [string, Json][] => {
          const targets =
            references === undefined ? [] : [...this.tables.readRows(references).keys()];
          return references === undefined
            ? []
            : [[name, targets[numbers.below(targets.length + 1)] ?? null]];
        });
        this.tables.add(type, { ...values, ...Object.fromEntries(links) });
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

  /** Changes a row as another program would, or deletes it where there are no values. */
  changeOutside(type: EntityType, label: string, values: JsonObject | null): void {
    const before = this.tables.takeSnapshot();
    const row = this.tables.listSorted(type).find((each) => type.label(each.values) === label);
    if (row === undefined) throw new RangeError(`Cannot change "${label}": there is no such row`);
    this.outsideWrites.push({ type, id: row.id, values });
    if (values === null) this.tables.delete(type, row.id);
    else this.tables.revise(type, row, values);
    const changed = this.tables.listChanges(before).map(({ table, key, after }): OutsideRow => ({
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
    const all =
      named === null
        ? this.tables.listSorted(type)
        : named.flatMap((id) => this.tables.find(type, id));
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
    const before = this.tables.takeSnapshot();
    try {
      const { entityTypes } = rules;
      const parts = { ...run, tx: NO_SQL, entityTypes };
      const toolRun: ToolRun = Object.assign(new MemoryActions(parts, this.tables), parts);
      await runHandler(tool, args, toolRun);
      const net = this.tables.listChanges(before);
      const decided = await decideChanges(
        this.#linkedRows,
        { net, drafts: toolRun.drafts, given: toolRun.given },
        request,
      );
      const { failures } = toolRun;
      if (decided.kind === "kept") {
        const { writes, warnings } = decided;
        const outcome = this.#complete({ writes: [...writes], warnings, failures });
        const id = this.#keep(effect, { net, outcome });
        return { kind: "applied", effectId: id, outcome };
      }
      this.tables.restore(before);
      if (decided.kind !== "unchanged") return decided;
      return { kind: "applied", effectId: null, outcome: this.#complete({ failures }) };
    } catch (error) {
      this.tables.restore(before);
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
    const before = this.tables.takeSnapshot();
    for (const { net } of wanted.toReversed()) {
      for (const row of net) {
        if (!this.tables.takeBack(row)) {
          this.tables.restore(before);
          return { kind: "refused", reason: "something has been changed since" };
        }
      }
    }
    const net = this.tables.listChanges(before);
    const { entityTypes } = rules;
    const changes = await foldChanges(NO_SQL, net, {
      entityTypes,
      refs: run.refs,
      named: new Set(),
    });
    const writes = toWrites(changes, { net, drafts: new Map() }, entityTypes);
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
      const rows = ids.flatMap((id) => this.tables.find(entityType, id));
      return [this.#toRead(entityType, rows, detail)];
    });
    return this.#complete({ reads });
  }

  /** Answers the one question about rows that a decision asks in SQL: those that changed rows point at, by id. */
  readonly #linkedRows: Queryable = {
    query: async (_sql, [ids] = []) => {
      const wanted = new Set(z.array(z.string()).parse(ids));
      const rows = this.madeUp.types
        .flatMap(({ type }) => [...this.tables.readRows(type).values()])
        .filter(({ id }) => wanted.has(id))
        .map(({ id, rowVersion, values }) => ({ id, row_version: rowVersion, content: values }));
      return { rows, rowCount: rows.length };
    },
  };

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
        ids.flatMap((id) => this.tables.find(type, id)),
        "summary",
      );
      return found.rows.length === 0 ? [] : [{ type: type.type, rows: found.rows }];
    });
    return {
      undescribed: 0,
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

  #keep(
    { key, turn }: Pick<ChangeRequest["effect"], "key" | "turn">,
    stored: Pick<StoredEffect, "net" | "outcome">,
  ): number {
    const id = this.#effects.size + 1;
    this.#effects.set(key, { ...stored, id, turn, isUndone: false });
    return id;
  }
}

const NO_SQL: Queryable = {
  query: () => Promise.reject(new Error("Cannot run SQL: a made-up world has no database")),
};

interface Condition extends RowCondition {
  readonly refs: RefBook;
}

/** The arguments of a read that a made-up world understands. */
const FilterSchema = z.object({
  refs: z.array(z.string()),
  where: z.array(ConditionSchema),
  whole: z.boolean().nullable().default(null),
});
