import { JsonObjectSchema } from "../state/json.ts";
import { ToolOutcomeSchema, type ToolOutcome } from "../state/tool.ts";
import type { DomainTool, ToolContext } from "../state/domain.ts";
import { readArguments } from "./tool-arguments.ts";

/**
 * Runs a tool with arguments as a model sent them.
 *
 * Contract: the outcome is strict JSON of the declared shape.
 *
 * @throws ToolInputError or UnknownRefError for what the model can put right; everything else is a fault.
 */
export async function runTool(
  tool: DomainTool,
  rawArgs: unknown,
  context: ToolContext,
): Promise<ToolOutcome> {
  context.signal?.throwIfAborted();
  const args = JsonObjectSchema.parse(readArguments(tool.parameters, rawArgs, tool.name));
  return ToolOutcomeSchema.parse(await tool.run(args, context));
}
