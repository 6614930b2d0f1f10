import type { z } from "zod";
import type { EntityType, Right } from "../../state/entity.ts";
import type { Tool, ToolReads } from "../../state/domain.ts";
import { readArguments } from "../tool-arguments.ts";
import { RowActions, type ToolRun } from "../tool-run.ts";

/** A tool that is generated from entity types. */
export interface TableTool extends Tool {
  readonly action: Right;
  /** The type of its rows; null where it takes rows of several. */
  readonly type: string | null;
}

/** A generated tool, which works with its run rather than with the context that domains see. */
export interface TableToolDefinition<S extends z.ZodObject> {
  readonly action: Right;
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly run: (args: z.output<S>, tool: ToolRun) => Promise<ToolReads | null>;
}

/** Makes a tool over rows of one type: its arguments are parsed before its handler sees them. */
export function defineTableTool<S extends z.ZodObject>(
  entityType: EntityType,
  definition: TableToolDefinition<S>,
): TableTool {
  const { action, name, description, parameters } = definition;
  const { type, table } = entityType;
  return {
    action,
    type,
    name,
    description,
    parameters,
    effect: action === "read" ? "read" : "write",
    writes: action === "read" ? [] : [type],
    selectTable: () => table,
    run: runParsed(definition),
  };
}

/** Makes the handler of a generated tool. */
export function runParsed<S extends z.ZodObject>({
  name,
  parameters,
  run,
}: Pick<TableToolDefinition<S>, "name" | "parameters" | "run">): Tool["run"] {
  return async (args, context) => {
    if (!(context instanceof RowActions)) {
      throw new TypeError(`Cannot run "${name}" without the program's own context`);
    }
    return run(readArguments(parameters, args, name), context);
  };
}
