import { z } from "zod";
import type { DomainTool, ToolReads } from "../../state/domain.ts";
import { readArguments } from "../tool-arguments.ts";
import { ToolRun } from "../tool-run.ts";

/** A tool over tables, which works with its run rather than with the context that domains see. */
export interface TableToolDefinition<S extends z.ZodObject<{ table: z.ZodString }>> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly effect: "read" | "write";
  readonly writes?: readonly string[];
  readonly run: (args: z.output<S>, tool: ToolRun) => Promise<ToolReads | null>;
}

const TableName = z.object({ table: z.string() });

/** A tool that names its table in its arguments. */
export type TableTool = DomainTool & Required<Pick<DomainTool, "selectTable">>;

/** Makes a tool out of a definition: its arguments are parsed before its handler sees them. */
export function defineTableTool<S extends z.ZodObject<{ table: z.ZodString }>>(
  definition: TableToolDefinition<S>,
): TableTool {
  const { name, description, parameters, effect, writes = [] } = definition;
  const read = (args: unknown): z.output<S> => readArguments(parameters, args, name);
  return {
    name,
    description,
    parameters,
    effect,
    writes,
    selectTable: (args) => TableName.parse(read(args)).table,
    run: async (args, context) => {
      if (!(context instanceof ToolRun)) {
        throw new TypeError(`Cannot run "${name}" without the program's own context`);
      }
      return definition.run(read(args), context);
    },
  };
}
