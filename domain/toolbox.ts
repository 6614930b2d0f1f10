import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { NamedSchema } from "../state/model.ts";
import type { Artifact } from "../state/step.ts";
import type { Domain, DomainTool } from "../state/domain.ts";
import { ToolInputError, type RefBook } from "../state/tool.ts";
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
  /** Returns true for a tool that is made from the entity types, which may do what the types allow. */
  isGenerated(tool: DomainTool): boolean;
  /** The table that a call is about, for events and statistics; empty where it has none. */
  findTable(tool: DomainTool, args: JsonObject): string;
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
    isGenerated: (tool) => tables.includes(tool),
    findTable: (tool, args) => findTable(domain.entityTypes, tool, args),
    readDraft: (artifact, known) => readDraft(domain.entityTypes, artifact, known),
  };
}

function findTable(types: readonly EntityType[], tool: DomainTool, args: JsonObject): string {
  if (tool.selectTable !== undefined) return tool.selectTable(args);
  const [first] = tool.writes ?? [];
  return types.find(({ type }) => type === first)?.table ?? "";
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
  readContent(type, content, { setter: "create", refs: draftBook(known.refs) });
  return content;
}

/** A draft may point at another draft; whether that one is saved matters only when this one is. */
function draftBook(refs: RefBook): RefBook {
  return {
    ...refs,
    resolve: (ref) => {
      const resolved = refs.resolve(ref);
      return resolved.id === null ? { ...resolved, id: NO_ROW } : resolved;
    },
  };
}

const NO_ROW = "00000000-0000-0000-0000-000000000000";
