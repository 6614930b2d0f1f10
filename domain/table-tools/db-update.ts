import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import { ToolInputError, type ToolFailure, type ToolWrite } from "../../state/tool.ts";
import { defineTool, toolOutcome } from "../define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import { ChildSchema, contentFromFields, ContentFieldSchema, readContent } from "./content.ts";
import { rowFailure } from "./failures.ts";
import { fetchLinked } from "./links.ts";
import { findEntityType } from "./lookup.ts";
import { resolveRows } from "./refs.ts";
import { updateRow, writeRow } from "./write.ts";

/** Makes `db_update` for the tables of a domain. */
export function createDbUpdate(entityTypes: readonly EntityType[]): DomainTool {
  const parameters = z.strictObject({
    table: z.string(),
    refs: z.array(z.string()),
    fields: z.array(ContentFieldSchema),
    children: z.array(ChildSchema).nullable(),
  });
  return defineTool({
    name: "db_update",
    description:
      "Change the named rows, all in the same way. children: the whole new list, null to leave it.",
    parameters,
    effect: "write",
    selectTable: ({ table }) => table,
    listContents: (args) => {
      const entityType = findEntityType(entityTypes, args.table);
      const row = { fields: args.fields, children: args.children ?? [] };
      const values = contentFromFields(entityType, row);
      return args.refs.map((ref) => ({ type: entityType.type, ref, values }));
    },
    run: async (args, context) => {
      const entityType = findEntityType(entityTypes, args.table);
      if (args.refs.length === 0 || (args.fields.length === 0 && args.children === null)) {
        throw new ToolInputError(
          `Cannot update "${args.table}": nothing is named; give refs and what to set`,
        );
      }
      const values = contentFromFields(entityType, {
        fields: args.fields,
        children: args.children ?? [],
      });
      // An empty list is a wish too: the rows shall have no children.
      const only = entityType.children[0];
      const isEmptied = args.children?.length === 0 && only !== undefined;
      const content = readContent(
        entityType,
        isEmptied ? { ...values, [only.name]: [] } : values,
        context.refs,
      );
      const writes: ToolWrite[] = [];
      const failures: ToolFailure[] = [];
      for (const { ref, id, label } of resolveRows(context.refs, args.refs, entityType)) {
        const result = await writeRow(context.tx, entityType, () =>
          updateRow(context.tx, entityType, { id, userId: context.userId, content }),
        );
        if (result.kind === "refused") {
          failures.push(rowFailure(label, { ref, reason: result.reason }));
        } else {
          writes.push({ action: "updated", type: entityType.type, row: result.row, draft: null });
        }
      }
      const rows = writes.map((write) => write.row);
      const linked = await fetchLinked(context.tx, entityTypes, [{ entityType, rows }]);
      return toolOutcome({ writes, failures, linked });
    },
  });
}
