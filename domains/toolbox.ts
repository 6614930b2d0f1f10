import type { Toolbox } from "../nodes/node.ts";
import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { Artifact } from "../state/step.ts";
import { ToolInputError, type RefBook } from "../state/tool.ts";
import type { Domain } from "./domain.ts";
import { runTool } from "./run-tool.ts";
import { createTableTools } from "./table-tools.ts";
import { contentFromFields, readContent } from "./table-tools/content.ts";
import { toolSchema } from "./tool-schema.ts";

/** Makes the tools of a domain: the table tools of its entity types and its own. */
export function createToolbox(domain: Domain): Toolbox {
  const tools = [...createTableTools(domain.entityTypes), ...domain.tools];
  return {
    tools,
    schemas: tools.map(toolSchema),
    run: runTool,
    readDraft: (artifact, known) => readDraft(domain.entityTypes, artifact, known),
  };
}

function readDraft(
  types: readonly EntityType[],
  artifact: Artifact,
  known: { readonly before: JsonObject | null; readonly refs: RefBook },
): JsonObject {
  const type = types.find((candidate) => candidate.type === artifact.type);
  if (type === undefined) {
    const names = types.map((candidate) => candidate.type).join(", ");
    throw new ToolInputError(
      `Cannot draft a "${artifact.type}": there is no such type; there are: ${names}`,
    );
  }
  const { fields, children } = artifact;
  const content = {
    ...known.before,
    ...contentFromFields(type, { fields, children: children ?? [] }),
  };
  readContent(type, content, draftBook(known.refs));
  return content;
}

/** A draft may point at another draft; whether that one is saved matters only when this one is. */
function draftBook(refs: RefBook): RefBook {
  return {
    resolve: (ref) => {
      const resolved = refs.resolve(ref);
      return resolved.id === null ? { ...resolved, id: NO_ROW } : resolved;
    },
    held: (type, id) => refs.held(type, id),
  };
}

const NO_ROW = "00000000-0000-0000-0000-000000000000";
