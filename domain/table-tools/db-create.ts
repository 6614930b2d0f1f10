import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { ToolInputError, type ToolFailure, type ToolWrite } from "../../state/tool.ts";
import { defineTool, toolOutcome } from "../define-tool.ts";
import type { DomainTool, ToolContext } from "../../state/domain.ts";
import { renderSentence } from "../../text/sentences.ts";
import {
  ChildSchema,
  contentFromFields,
  ContentFieldSchema,
  readContent,
  type RowContent,
} from "./content.ts";
import { rowFailure } from "./failures.ts";
import { fetchLinked } from "./links.ts";
import { findEntityType } from "./lookup.ts";
import { resolveRef } from "./refs.ts";
import { insertRow, writeRow } from "./write.ts";

/** Most rows one call creates. */
export const MAX_NEW_ROWS = 50;

/** Makes `db_create` for the tables of a domain. */
export function createDbCreate(entityTypes: readonly EntityType[]): DomainTool {
  const parameters = z.strictObject({
    table: z.string(),
    rows: z.array(
      z.strictObject({ fields: z.array(ContentFieldSchema), children: z.array(ChildSchema) }),
    ),
    drafts: z.array(z.string()),
  });
  return defineTool({
    name: "db_create",
    description:
      "Create rows with their children, or save drafts (refs) as they are. list null: the only child list.",
    parameters,
    effect: "write",
    selectTable: ({ table }) => table,
    listContents: (args, refs) => {
      const entityType = findEntityType(entityTypes, args.table);
      const { type } = entityType;
      const given = args.rows.map((row) => ({
        type,
        ref: null,
        values: contentFromFields(entityType, row),
      }));
      const drafts = args.drafts.map((ref) => ({ ref, content: refs.resolve(ref) }));
      const saved = drafts.flatMap(({ ref, content }) =>
        content.draft === null ? [] : [{ type: content.type, ref, values: content.draft }],
      );
      return [...given, ...saved];
    },
    run: async (args, context) => {
      const entityType = findEntityType(entityTypes, args.table);
      assertCount(args.rows.length + args.drafts.length);
      const given = args.rows.map((row): NewRow => {
        const values = contentFromFields(entityType, row);
        return newRow(entityType, { values, draft: null }, context);
      });
      const drafts = [...new Set(args.drafts)].map((ref) => draftRow(entityType, ref, context));
      const outcome = await createAll(entityType, [...given, ...drafts], context);
      const rows = outcome.writes.map((write) => write.row);
      const linked = await fetchLinked(context.tx, entityTypes, [{ entityType, rows }]);
      return toolOutcome({ ...outcome, linked });
    },
  });
}

type NewRow =
  | {
      readonly kind: "new";
      readonly label: string;
      readonly draft: string | null;
      readonly content: RowContent;
    }
  | { readonly kind: "failed"; readonly failure: ToolFailure };

interface RowSource {
  readonly values: JsonObject;
  readonly draft: string | null;
}

function newRow(entityType: EntityType, source: RowSource, context: ToolContext): NewRow {
  const content = readContent(entityType, source.values, context.refs);
  const label = entityType.label(source.values) || entityType.words.one;
  return { kind: "new", label, draft: source.draft, content };
}

function draftRow(entityType: EntityType, ref: string, context: ToolContext): NewRow {
  const resolved = resolveRef(context.refs, ref, { type: entityType.type, place: "drafts" });
  if (resolved.id !== null) {
    const reason = renderSentence("rowSavedAlready");
    return { kind: "failed", failure: rowFailure(resolved.label, { ref, reason }) };
  }
  if (resolved.draft === null) {
    throw new ToolInputError(
      `Cannot save draft "${ref}": its content is not known here; give it as a row`,
    );
  }
  try {
    return newRow(entityType, { values: resolved.draft, draft: ref }, context);
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    throw new ToolInputError(`Cannot save draft "${ref}": ${error.message}`, { cause: error });
  }
}

async function createAll(
  entityType: EntityType,
  rows: readonly NewRow[],
  context: ToolContext,
): Promise<{ writes: ToolWrite[]; failures: ToolFailure[] }> {
  const writes: ToolWrite[] = [];
  const failures: ToolFailure[] = [];
  for (const row of rows) {
    if (row.kind === "failed") {
      failures.push(row.failure);
      continue;
    }
    const { content, draft, label } = row;
    const result = await writeRow(context.tx, entityType, () =>
      insertRow(context.tx, entityType, { userId: context.userId, content }),
    );
    if (result.kind === "written") {
      writes.push({ action: "created", type: entityType.type, row: result.row, draft });
    } else {
      failures.push(rowFailure(label, { ref: draft, reason: result.reason }));
    }
  }
  return { writes, failures };
}

function assertCount(count: number): void {
  if (count >= 1 && count <= MAX_NEW_ROWS) return;
  throw new ToolInputError(
    count === 0
      ? "Cannot create rows: neither rows nor drafts name any; give at least one"
      : `Cannot create ${count} rows: that is too many; give at most ${MAX_NEW_ROWS} in one call`,
  );
}
