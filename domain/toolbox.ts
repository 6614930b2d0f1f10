import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { NamedSchema } from "../state/model.ts";
import type { Artifact } from "../state/step.ts";
import { ToolInputError, type RefBook, type ToolOutcome } from "../state/tool.ts";
import type { Domain, DomainTool, ToolContext } from "../state/domain.ts";
import { runTool } from "./run-tool.ts";
import { createTableTools } from "./table-tools.ts";
import { contentFromFields, readContent } from "./table-tools/content.ts";
import { toolSchema } from "./tool-schema.ts";

/** The content of a draft before a change, and the refs that it may name. */
export interface KnownDraft {
  /** Null for a new draft. */
  readonly before: JsonObject | null;
  readonly refs: RefBook;
}

/** The tools of a domain, ready to be offered and run. */
export interface Toolbox {
  readonly tools: readonly DomainTool[];
  /** Their schemas, in the order of `tools`: the same bytes in every call. */
  readonly schemas: readonly NamedSchema[];
  /** Runs a tool with arguments as a model sent them. @throws ToolInputError, UnknownRefError. */
  run(tool: DomainTool, rawArgs: unknown, context: ToolContext): Promise<ToolOutcome>;
  /**
   * Returns a draft's whole content: the artifact's fields over those that the draft had before.
   *
   * @throws ToolInputError, UnknownRefError for content that could not be saved as it stands.
   */
  readDraft(artifact: Artifact, known: KnownDraft): JsonObject;
}

/** Makes the tools of a domain: the table tools of its entity types and its own. */
export function createToolbox(domain: Domain): Toolbox {
  const tables = domain.entityTypes.length === 0 ? [] : createTableTools(domain.entityTypes);
  const tools = [...tables, ...domain.tools];
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
  known: KnownDraft,
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
