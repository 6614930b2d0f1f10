import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { readContent } from "./content.ts";
import { createPatchShape, readPatch } from "./patch.ts";
import { resolveRows } from "./refs.ts";
import { defineTableTool, type TableTool } from "./table-tool.ts";
import { nameTableTool } from "./tool-names.ts";

/** Makes the tool that changes rows of a type. */
export function createUpdateTool(entityType: EntityType): TableTool {
  const { words } = entityType;
  return defineTableTool(entityType, {
    action: "update",
    name: nameTableTool("update", entityType),
    description: `Change ${words.many}, each in the same way.`,
    parameters: z.strictObject({
      refs: z.array(z.string()).describe("rows to change"),
      ...createPatchShape(entityType, "update"),
    }),
    run: async (args, tool) => {
      const values = readPatch(entityType, args);
      if (args.refs.length === 0 || Object.keys(values).length === 0) {
        throw new ToolInputError(
          `Cannot update ${words.many}: nothing is named; give refs and what to set or clear`,
        );
      }
      const content = readContent(entityType, values, { setter: "update", refs: tool.refs });
      for (const row of resolveRows(tool.refs, args.refs, entityType)) {
        await tool.attempt(row, () => tool.updateRow(entityType, row, content));
      }
      return null;
    },
  });
}
