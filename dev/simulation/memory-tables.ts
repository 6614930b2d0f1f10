import type { NetRow } from "../../domain/changes/net-rows.ts";
import type { RowContent } from "../../domain/table-tools/content.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { toText } from "./made-up-domain.ts";

type Rows = ReadonlyMap<string, EntityRow>;

/** Rows with the values that a person would see: labels in place of the ids of other rows. */
export type Table = Readonly<Record<string, JsonObject>>;

/** A row as it is stored, for comparing. */
export interface RawRow {
  readonly type: string;
  readonly label: string;
  readonly text: string;
}

/** The rows of a made-up person, in memory. */
export class MemoryTables {
  readonly types: readonly EntityType[];
  readonly #tables: Map<string, Map<string, EntityRow>>;
  #lastId = 0;

  constructor(types: readonly EntityType[]) {
    this.types = types;
    this.#tables = new Map(types.map(({ type }) => [type, new Map()]));
  }

  /** Returns the rows of a type by label, in the order in which they are listed. */
  readTable(type: EntityType): Table {
    return Object.fromEntries(
      this.listSorted(type).map((row) => [type.label(row.values), this.#withLabels(type, row)]),
    );
  }

  /** Returns every row by its id, with ids as they are stored. */
  readRawRows(): ReadonlyMap<string, RawRow> {
    return new Map(
      this.types.flatMap((type) =>
        [...this.readRows(type.type).values()].map(({ id, values }): [string, RawRow] => [
          id,
          { type: type.type, label: type.label(values), text: JSON.stringify(values) },
        ]),
      ),
    );
  }

  /** Stores a new row and returns it. */
  insert(type: EntityType, { columns }: RowContent): EntityRow {
    const empty = Object.fromEntries(type.columns.map(({ name }): [string, Json] => [name, null]));
    return this.add(type, { ...empty, ...toValues(type, columns) });
  }

  /** Changes a row and returns it; null where it does not exist. */
  update(type: EntityType, id: string, { columns }: RowContent): EntityRow | null {
    const [row] = this.find(type, id);
    if (row === undefined) return null;
    return this.revise(type, row, toValues(type, columns));
  }

  /** Deletes a row; what pointed at it points at nothing. Returns false where it does not exist. */
  delete(type: EntityType, id: string): boolean {
    if (!this.#table(type.type).delete(id)) return false;
    for (const other of this.types) {
      const columns = other.columns.filter(({ references }) => references === type.type);
      for (const row of this.readRows(other.type).values()) {
        const lost = columns.filter(({ name }) => row.values[name] === id);
        if (lost.length === 0) continue;
        const cleared = Object.fromEntries(lost.map(({ name }): [string, Json] => [name, null]));
        this.revise(other, row, cleared);
      }
    }
    return true;
  }

  add(type: EntityType, values: JsonObject): EntityRow {
    this.#lastId += 1;
    const id = `5eed0000-0000-4000-8000-${String(this.#lastId).padStart(12, "0")}`;
    return this.#put(type, { id, rowVersion: 1, values });
  }

  /** Gives a row these values and the next version. */
  revise(type: EntityType, row: EntityRow, values: JsonObject): EntityRow {
    const rowVersion = row.rowVersion + 1;
    return this.#put(type, { ...row, rowVersion, values: { ...row.values, ...values } });
  }

  /** Puts other rows in place of a type's. */
  load(type: EntityType, rows: readonly EntityRow[]): void {
    this.#tables.set(type.type, new Map(rows.map((row) => [row.id, row])));
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

  readRows(type: string): Rows {
    return this.#table(type);
  }

  find(type: EntityType, id: string): EntityRow[] {
    const row = this.readRows(type.type).get(id);
    return row === undefined ? [] : [row];
  }

  listSorted(type: EntityType): EntityRow[] {
    return [...this.readRows(type.type).values()].toSorted((a, b) =>
      type.label(a.values) < type.label(b.values) ? -1 : 1,
    );
  }

  #withLabels(type: EntityType, row: EntityRow): JsonObject {
    const entries = type.columns.map(({ name, references }): [string, Json] => {
      const value = row.values[name] ?? null;
      if (references === undefined || value === null) return [name, value];
      const target = this.readRows(references).get(toText(value));
      return [name, target === undefined ? "(gone)" : toText(target.values["name"])];
    });
    return Object.fromEntries(entries);
  }

  takeSnapshot(): ReadonlyMap<string, Rows> {
    return new Map([...this.#tables].map(([type, rows]) => [type, new Map(rows)]));
  }

  restore(before: ReadonlyMap<string, Rows>): void {
    for (const [type, rows] of before) this.#tables.set(type, new Map(rows));
  }

  listChanges(before: ReadonlyMap<string, Rows>): NetRow[] {
    return this.types.flatMap(({ type, table }) => {
      const old = before.get(type) ?? new Map<string, EntityRow>();
      const now = this.readRows(type);
      return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
        const [was, is] = [old.get(key), now.get(key)];
        if (was === is) return [];
        const net = { table, key, before: toColumns(was), after: toColumns(is) };
        return [{ ...net, isChanged: true, follows: false }];
      });
    });
  }

  /** Makes a row as it was before a change; false where it has been changed since. */
  takeBack({ table, key, before, after }: NetRow): boolean {
    const type = this.types.find((each) => each.table === table);
    if (type === undefined) return false;
    const [now] = this.find(type, key);
    if (JSON.stringify(now?.values ?? null) !== JSON.stringify(toRowValues(after))) return false;
    if (before === null) return this.delete(type, key);
    const values = toRowValues(before) ?? {};
    this.#put(type, { id: key, rowVersion: (now?.rowVersion ?? 0) + 1, values });
    return true;
  }
}

function toValues(type: EntityType, columns: RowContent["columns"]): JsonObject {
  const times = new Set(
    type.columns.filter(({ kind }) => kind === "timestamp").map(({ name }) => name),
  );
  return Object.fromEntries(
    [...columns].map(([name, value]): [string, Json] => {
      // As PostgreSQL writes a time in UTC.
      if (times.has(name) && typeof value === "string")
        return [name, new Date(value).toISOString().replace(".000Z", "+00:00")];
      return [name, typeof value === "object" && value !== null ? [...value] : value];
    }),
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
