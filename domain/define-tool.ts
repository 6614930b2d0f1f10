import type { z } from "zod";
import type { DomainTool, ToolContext, ToolReads } from "../state/domain.ts";
import { readArguments } from "./tool-arguments.ts";

/** A tool whose handler sees its arguments with their own types. */
export interface ToolDefinition<S extends z.ZodObject> extends Omit<
  DomainTool,
  "parameters" | "selectTable" | "run"
> {
  readonly parameters: S;
  readonly selectTable?: (args: z.output<S>) => string;
  readonly run: (args: z.output<S>, tool: ToolContext) => Promise<string | ToolReads | null>;
}

/**
 * Makes a domain tool out of a definition: arguments are parsed before the handler sees them.
 *
 * @example
 * const tool = defineTool({
 *   name: "pages_left",
 *   description: "Count the pages left to read.",
 *   parameters: z.object({ pages: z.number(), read: z.number() }),
 *   effect: "read",
 *   run: async ({ pages, read }) => `${pages - read} pages are left`,
 * });
 * tool.name; // "pages_left"
 */
export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): DomainTool {
  const { parameters, selectTable, run, ...rest } = definition;
  const read = (args: unknown): z.output<S> => readArguments(parameters, args, rest.name);
  return {
    ...rest,
    parameters,
    ...(selectTable === undefined ? {} : { selectTable: (args) => selectTable(read(args)) }),
    run: async (args, tool) => run(read(args), tool),
  };
}
