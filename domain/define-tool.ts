import type { z } from "zod";
import type { JsonObject } from "../state/json.ts";
import { ToolInputError, UnknownRefError, type RefBook, type ToolOutcome } from "../state/tool.ts";
import type { CheckedContent, DomainTool, ToolContext } from "../state/domain.ts";
import { readArguments } from "./tool-arguments.ts";

/** A tool whose handler sees its arguments with their own types. */
export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly effect: "read" | "write";
  readonly selectTable: (args: z.output<S>) => string;
  /** Lists the contents a write would create or change; absent when there is nothing to check. */
  readonly listContents?: (args: z.output<S>, refs: RefBook) => readonly CheckedContent[];
  readonly run: (args: z.output<S>, context: ToolContext) => Promise<ToolOutcome>;
}

/**
 * Makes a domain tool out of a definition: arguments are parsed before the handler sees them.
 *
 * @example
 * const tool = defineTool({
 *   name: "pages_left",
 *   purpose: "count the pages left to read",
 *   stepTypes: ["analyze"],
 *   schema: z.object({ pages: z.number(), read: z.number() }),
 *   handler: async (_context, { pages, read }) => toolOutcome({ result: `${pages - read} pages are left` }),
 * });
 * tool.name; // "pages_left"
 */
export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): DomainTool {
  const { name, description, parameters, effect, listContents } = definition;
  const read = (args: JsonObject): z.output<S> => readArguments(parameters, args, name);
  return {
    name,
    description,
    parameters,
    effect,
    selectTable: (args) => definition.selectTable(read(args)),
    ...(listContents === undefined
      ? {}
      : { listContents: (args, refs) => contentOrNothing(() => listContents(read(args), refs)) }),
    run: async (args, context) => definition.run(read(args), context),
  };
}

/** Arguments that cannot be read are for the call itself to refuse. */
function contentOrNothing(read: () => readonly CheckedContent[]): readonly CheckedContent[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ToolInputError || error instanceof UnknownRefError) return [];
    throw error;
  }
}

/**
 * An outcome of which only some parts are filled.
 *
 * @example
 * toolOutcome({ result: "Two books" }).result; // "Two books"
 */
export function toolOutcome(parts: Partial<ToolOutcome>): ToolOutcome {
  return { reads: [], writes: [], failures: [], linked: [], text: null, ...parts };
}
