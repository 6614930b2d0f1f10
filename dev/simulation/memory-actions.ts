import type { RowContent } from "../../domain/table-tools/content.ts";
import { RowRefusedError } from "../../domain/table-tools/failures.ts";
import type { SavedRow } from "../../domain/table-tools/refs.ts";
import { RowActions, type ToolRunParts } from "../../domain/tool-run.ts";
import type { CreateOptions } from "../../state/domain.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { MemoryTables } from "./memory-tables.ts";

/** A handler's work on the rows of a world. */
export class MemoryActions extends RowActions {
  readonly #tables: MemoryTables;

  constructor(parts: ToolRunParts, tables: MemoryTables) {
    super(parts, parts);
    this.#tables = tables;
  }

  override async createRow(
    type: EntityType,
    content: RowContent,
    { draft }: CreateOptions = {},
  ): Promise<string> {
    const { id } = this.#tables.insert(type, content);
    this.noteCreated(rowKey(type.type, id), content, draft);
    return id;
  }

  override async updateRow(
    type: EntityType,
    { id, label }: SavedRow,
    content: RowContent,
  ): Promise<void> {
    const row = this.#tables.update(type, id, content);
    if (row === null) throw new RowRefusedError(renderSentence("rowGone"), label);
  }

  override async removeRow(type: EntityType, { id, label }: SavedRow): Promise<void> {
    if (!this.#tables.delete(type, id)) throw new RowRefusedError(renderSentence("rowGone"), label);
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
