import type { NamedSchema } from "../state/model.ts";
import { nameSchema } from "../state/strict-schema.ts";
import type { Tool } from "../state/domain.ts";

/**
 * The JSON Schema under which a tool is offered to models.
 *
 * @throws TypeError when the tool's parameters leave OpenAI's strict subset.
 */
export function toolSchema(tool: Tool): NamedSchema {
  return nameSchema(tool.name, { description: tool.description, schema: tool.parameters });
}
