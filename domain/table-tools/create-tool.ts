import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { ToolInputError } from "../../state/tool.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { ToolRun } from "../tool-run.ts";
import { createRowSchema } from "./column-schema.ts";
import { assertComplete, readContent } from "./content.ts";
import { readNewRow } from "./patch.ts";
import { resolveRef } from "./refs.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";
import { nameTableTool } from "./tool-names.ts";

/** Most rows one call creates. */
export const MOST_NEW_ROWS = 200;

/** Makes the tool that creates rows of a type. */
export function createCreateTool(entityType: EntityType): TableTool {
  const { words } = entityType;
  return defineTableTool(entityType, {
    action: "create",
    name: nameTableTool("create", entityType),
    description: `Create ${words.many} or save drafts.`,
    parameters: z.strictObject({
      rows: z.array(createRowSchema(entityType)).describe("null: not known"),
      drafts: z.array(z.string()).describe("refs of drafts to save"),
    }),
    run: async (args, tool) => {
      assertCount(args.rows.length + args.drafts.length);
      // All are read before the first is written: a mistake of the model's writes nothing.
      const given = args.rows.map((row) => readRow(entityType, readNewRow(entityType, row), tool));
      const drafts = [...new Set(args.drafts)].map((ref) => readDraft(entityType, ref, tool));
      for (const row of [...given, ...drafts]) await row(tool);
      return null;
    },
  });
}

/** Writes one row that has been read. */
type WriteRow = (tool: ToolRun) => Promise<void>;

function readRow(
  entityType: EntityType,
  values: JsonObject,
  { refs }: ToolRun,
  draft?: string,
): WriteRow {
  assertComplete(entityType, values);
  const content = readContent(entityType, values, { setter: "create", refs });
  const label = entityType.label(values) || entityType.words.one;
  return async (tool) => {
    await tool.attempt({ label, ref: draft ?? null }, () =>
      tool.createRow(entityType, content, draft === undefined ? {} : { draft }),
    );
  };
}

function readDraft(entityType: EntityType, ref: string, tool: ToolRun): WriteRow {
  const resolved = resolveRef(tool.refs, ref, { type: entityType.type, place: "drafts" });
  if (resolved.id !== null) {
    const failure = { label: resolved.label, ref, reason: renderSentence("rowSavedAlready") };
    return async ({ failures }) => void failures.push(failure);
  }
  if (resolved.draft === null) {
    throw new ToolInputError(
      `Cannot save draft "${ref}": its content is not known here; give it as a row`,
    );
  }
  try {
    return readRow(entityType, resolved.draft, tool, ref);
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    throw new ToolInputError(`Cannot save draft "${ref}": ${error.message}`, { cause: error });
  }
}

function assertCount(count: number): void {
  if (count >= 1 && count <= MOST_NEW_ROWS) return;
  throw new ToolInputError(
    count === 0
      ? "Cannot create rows: neither rows nor drafts name any; give at least one"
      : `Cannot create ${count} rows: that is too many; give at most ${MOST_NEW_ROWS} in one call`,
  );
}
