import type { NamedSchema } from "../state/model.ts";
import { toStrictSchema } from "../state/strict-schema.ts";
import type { DomainTool } from "../state/domain.ts";

/**
 * The JSON Schema under which a tool is offered to models.
 *
 * @throws TypeError when the tool's parameters leave OpenAI's strict subset.
 */
export function toolSchema(tool: DomainTool): NamedSchema {
  const { name, description, parameters } = tool;
  return { name, description, schema: toStrictSchema(parameters, name) };
}
