import { z } from "zod";
import { hasRight, listInlineLists, type EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { ChildSchema, contentFromFields, ContentFieldSchema, readContent } from "./content.ts";
import { findEntityType } from "./lookup.ts";
import { resolveRows } from "./refs.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";

/** Makes `db_update` for the tables whose rows may be changed. */
export function createDbUpdate(entityTypes: readonly EntityType[]): TableTool {
  const types = entityTypes.filter((type) => hasRight(type, "update"));
  return defineTableTool({
    name: "db_update",
    description:
      "Change the named rows, all in the same way. children: the whole new list, null to leave it.",
    parameters: z.strictObject({
      table: z.string(),
      refs: z.array(z.string()),
      fields: z.array(ContentFieldSchema),
      children: z.array(ChildSchema).nullable(),
    }),
    effect: "write",
    writes: types.map(({ type }) => type),
    run: async (args, tool) => {
      const entityType = findEntityType(types, args.table);
      if (args.refs.length === 0 || (args.fields.length === 0 && args.children === null)) {
        throw new ToolInputError(
          `Cannot update "${args.table}": nothing is named; give refs and what to set`,
        );
      }
      const children = args.children ?? [];
      const values = contentFromFields(entityType, { fields: args.fields, children });
      // An empty list is a wish too: the rows shall have no children.
      const [only] = listInlineLists(entityType);
      const isEmptied = args.children?.length === 0 && only !== undefined;
      const content = readContent(entityType, isEmptied ? { ...values, [only.name]: [] } : values, {
        setter: "update",
        refs: tool.refs,
      });
      for (const row of resolveRows(tool.refs, args.refs, entityType)) {
        await tool.attempt(row, () => tool.updateRow(entityType, row, content));
      }
      return null;
    },
  });
}
