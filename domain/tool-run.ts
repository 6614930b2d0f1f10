import type { CreateOptions, RowTarget, ToolActions, ToolFacts } from "../state/domain.ts";
import { rowKey, type EntityRow, type EntityType } from "../state/entity.ts";
import type { Filter } from "../state/filter.ts";
import type { JsonObject } from "../state/json.ts";
import type { Queryable } from "../state/store.ts";
import { CallRefusedError, type RefBook, type ToolFailure } from "../state/tool.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";
import { renderSentence } from "../text/sentences.ts";
import { guardStatements } from "./guard-statements.ts";
import { filterSql } from "./table-tools/conditions.ts";
import { readContent, type RowContent } from "./table-tools/content.ts";
import {
  RowRefusedError,
  explainRowError,
  wordDenied,
  type SentRow,
} from "./table-tools/failures.ts";
import type { Setter } from "./table-tools/lookup.ts";
import { orderSql } from "./table-tools/order.ts";
import { resolveSavedRef, type SavedRow } from "./table-tools/refs.ts";
import { fetchRows, idSql, keySql, keyType } from "./table-tools/rows.ts";
import { createBinder, tableName } from "./table-tools/sql.ts";
import { deleteRows, insertRow, updateRow } from "./table-tools/write.ts";

/** Most rows that a tool's `find` returns. */
const FOUND = 200;

/** Parts that a tool call is run with. */
export interface ToolRunParts extends ToolFacts {
  readonly entityTypes: readonly EntityType[];
  /** Called at the first row that the database refuses for want of a right, or leaves as it is (then without an error). */
  readonly onRowDenied?: ((table: string, error: unknown) => void) | undefined;
}

/** One run of a tool's handler: its context, and what it says beyond the journal. */
export type ToolRun = ToolFacts & RowActions;

/** Opens the run of a tool's handler. */
export function openToolRun({ entityTypes, onRowDenied, ...facts }: ToolRunParts): ToolRun {
  const guarded = { ...facts, tx: guardStatements(facts.tx) };
  return Object.assign(new RowActions(facts, { entityTypes, onRowDenied }), guarded);
}

/** The work that a handler has done on rows; rows that were refused, and drafts that were saved. */
export class RowActions implements ToolActions {
  /** Rows that were refused while others may have been written. */
  readonly failures: ToolFailure[] = [];
  /** The draft that each created row saves, by `rowKey`. */
  readonly drafts = new Map<string, string>();
  /** Names of the columns and lists that each created row was given, by `rowKey`. */
  readonly given = new Map<string, readonly string[]>();
  readonly #tx: Queryable;
  readonly #refs: RefBook;
  readonly #entityTypes: readonly EntityType[];
  #onRowDenied: ToolRunParts["onRowDenied"];
  #savepoints = 0;

  constructor(
    { tx, refs }: Pick<ToolFacts, "tx" | "refs">,
    { entityTypes, onRowDenied }: Pick<ToolRunParts, "entityTypes" | "onRowDenied">,
  ) {
    this.#tx = tx;
    this.#refs = refs;
    this.#entityTypes = entityTypes;
    this.#onRowDenied = onRowDenied;
  }

  async find(type: string, filter: Filter): Promise<readonly EntityRow[]> {
    const entityType = this.#findType(type);
    const { bind, values } = createBinder();
    const where = filterSql(entityType, filter, { bind, refs: this.#refs });
    const { rows } = await this.#tx.query(
      `select ${idSql(entityType)} as id from ${tableName(entityType.table)} t
        where ${where} order by ${orderSql(entityType, null)} limit ${FOUND}`,
      values,
    );
    const ids = rows.map((row) => String(row["id"]));
    return fetchRows(this.#tx, entityType, { ids, detail: "full" });
  }

  async lock(target: RowTarget): Promise<EntityRow> {
    const { entityType, row } = this.#resolve(target);
    await this.#onRow(entityType, { content: null, label: row.label }, () =>
      this.#tx.query(
        `select from ${tableName(entityType.table)} t
          where ${keySql(entityType)} = $1::${keyType(entityType)} for update`,
        [row.id],
      ),
    );
    const [found] = await fetchRows(this.#tx, entityType, { ids: [row.id], detail: "full" });
    if (found === undefined) throw refuseRow(row, renderSentence("rowGone"));
    return found;
  }

  async create(type: string, values: JsonObject, options: CreateOptions = {}): Promise<EntityRow> {
    const entityType = this.#findType(type);
    const content = this.#read(entityType, values, "tool");
    return this.#fetch(entityType, await this.createRow(entityType, content, options));
  }

  async update(target: RowTarget, values: JsonObject): Promise<EntityRow> {
    const { entityType, row } = this.#resolve(target);
    await this.updateRow(entityType, row, this.#read(entityType, values, "tool"));
    return this.#fetch(entityType, row.id);
  }

  async remove(target: RowTarget): Promise<void> {
    const { entityType, row } = this.#resolve(target);
    await this.removeRow(entityType, row);
  }

  /** Creates a row from content that has been read, and returns its id. */
  async createRow(
    entityType: EntityType,
    content: RowContent,
    { draft }: CreateOptions = {},
  ): Promise<string> {
    const id = await this.#onRow(entityType, { content, label: null }, () =>
      insertRow(this.#tx, entityType, content),
    );
    if (id === null) throw new RowRefusedError(this.#deny(entityType, null));
    this.noteCreated(rowKey(entityType.type, id), content, draft);
    return id;
  }

  /** Keeps what a created row is given, and the draft that it saves. */
  protected noteCreated(key: string, { columns, lists }: RowContent, draft?: string): void {
    const names = [...columns.keys(), ...[...lists.keys()].map(({ name }) => name)];
    this.given.set(key, [...(this.given.get(key) ?? []), ...names]);
    if (draft !== undefined) this.drafts.set(key, draft);
  }

  /** Changes a row to content that has been read. */
  async updateRow(entityType: EntityType, row: SavedRow, content: RowContent): Promise<void> {
    const isUpdated = await this.#onRow(entityType, { content, label: row.label }, () =>
      updateRow(this.#tx, entityType, { id: row.id, content }),
    );
    if (!isUpdated) throw refuseRow(row, await this.#explainUnchanged(entityType, row.id));
    const key = rowKey(entityType.type, row.id);
    if (this.given.has(key)) this.noteCreated(key, content);
  }

  /** Deletes a row. */
  async removeRow(entityType: EntityType, row: SavedRow): Promise<void> {
    const gone = await this.#onRow(entityType, { content: null, label: row.label }, () =>
      deleteRows(this.#tx, entityType, [row.id]),
    );
    if (gone.length === 0) throw refuseRow(row, await this.#explainUnchanged(entityType, row.id));
  }

  async attempt<T>(
    { label, ref }: { readonly label: string; readonly ref: string | null },
    work: () => Promise<T>,
  ): Promise<T | null> {
    this.#savepoints += 1;
    const savepoint = `row_${this.#savepoints}`;
    // Sent with the first statement of the work: if it fails, so do all statements behind it. The
    // transaction's end releases it: a statement of its own would add to the time of a small write.
    this.#tx.query(`savepoint ${savepoint}`).catch(() => undefined);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RowRefusedError)) throw error;
      await this.#tx.query(`rollback to savepoint ${savepoint}`);
      this.failures.push({ label: hideDatabaseIds(label), ref, reason: error.reason });
      return null;
    }
  }

  refuse(reason: string): never {
    throw new CallRefusedError(reason);
  }

  #findType(name: string): EntityType {
    const found = this.#entityTypes.find(({ type }) => type === name);
    if (found !== undefined) return found;
    throw new RangeError(`Cannot find the entity type "${name}": the domain has none of that name`);
  }

  #resolve(target: RowTarget): { readonly entityType: EntityType; readonly row: SavedRow } {
    if (typeof target !== "string") {
      const entityType = this.#findType(target.type);
      return { entityType, row: { ref: null, id: target.id, label: entityType.words.one } };
    }
    const ref = target;
    const { type } = this.#refs.resolve(ref);
    const row = resolveSavedRef(this.#refs, ref, { type, place: "ref" });
    return { entityType: this.#findType(type), row };
  }

  /** The row as it is now; it was just written. */
  async #fetch(entityType: EntityType, id: string): Promise<EntityRow> {
    const [row] = await fetchRows(this.#tx, entityType, { ids: [id], detail: "full" });
    if (row === undefined) throw new RowRefusedError(this.#deny(entityType, null));
    return row;
  }

  #read(entityType: EntityType, values: JsonObject, setter: Setter): RowContent {
    return readContent(entityType, values, { setter, refs: this.#refs });
  }

  async #onRow<T>(entityType: EntityType, sent: SentRow, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "42501") {
        this.#deny(entityType, error);
      }
      throw explainRowError(error, entityType, sent);
    }
  }

  #deny(entityType: EntityType, error: unknown): string {
    this.#onRowDenied?.(entityType.table, error);
    this.#onRowDenied = undefined;
    return wordDenied(entityType);
  }

  /** A row that is there and was not changed is protected by a policy or a trigger. */
  async #explainUnchanged(entityType: EntityType, id: string): Promise<string> {
    const [row] = await fetchRows(this.#tx, entityType, { ids: [id], detail: "summary" });
    return row === undefined ? renderSentence("rowGone") : this.#deny(entityType, null);
  }
}

function refuseRow({ label }: SavedRow, reason: string): RowRefusedError {
  return new RowRefusedError(reason, label);
}
