import { z } from "zod";
import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { ModelTier, NamedSchema } from "../state/model.ts";
import type { StepType } from "../state/plan.ts";
import { rememberFor } from "../state/remember.ts";
import type { Artifact } from "../state/step.ts";
import { nameSchema } from "../state/strict-schema.ts";
import type { Domain, DomainTool, Subdomain, Tool } from "../state/domain.ts";
import { ToolInputError, type RefBook } from "../state/tool.ts";
import { createTableTools } from "./table-tools.ts";
import { assertComplete, readContent } from "./table-tools/content.ts";
import { createDeleteSchema } from "./table-tools/delete-tool.ts";
import { createPatchShape, readPatch } from "./table-tools/patch.ts";
import { createLookUpSchema } from "./table-tools/read-tool.ts";
import type { TableTool } from "./table-tools/table-tool.ts";
import { readArguments } from "./tool-arguments.ts";

/** The content of a draft before a change, and the refs that it may name. */
export interface KnownDraft {
  /** Null for a new draft. */
  readonly before: JsonObject | null;
  readonly refs: RefBook;
}

/** The kind of step that tools are for. */
export interface StepPlace {
  readonly stepType: StepType;
  readonly subdomain: string;
  /** Tier of the model that chooses among them. Default: full. */
  readonly tier?: ModelTier;
}

/** Opens the tools of a domain: the same for the same domain. */
export const openToolbox = rememberFor((domain: Domain) => new Toolbox(domain));

/** The tools of a domain, ready to be offered and run. */
export class Toolbox {
  readonly tools: readonly Tool[];
  readonly #domain: Domain;
  readonly #generated: readonly TableTool[];

  /** Makes the tools: those of the domain's entity types and its own. */
  constructor(domain: Domain) {
    this.#domain = domain;
    this.#generated = createTableTools(domain.entityTypes);
    this.tools = [...this.#generated, ...domain.tools];
  }

  /** Returns true for a tool that is made from the entity types, which may do what the types allow. */
  isGenerated(tool: Tool): boolean {
    return this.#generated.some((generated) => generated === tool);
  }

  /** Returns the type whose rows a tool creates; null for every other tool. */
  findCreated(name: string): EntityType | null {
    const tool = this.#generated.find((generated) => generated.name === name);
    return tool?.action === "create" ? (this.#findType(tool.type) ?? null) : null;
  }

  /** Returns the table that a call is about, for events and statistics; empty where it has none. */
  findTable(tool: Tool, args: JsonObject): string {
    if (tool.selectTable !== undefined) return tool.selectTable(args);
    const [first] = tool.writes ?? [];
    return this.#findType(first)?.table ?? "";
  }

  /**
   * Returns the tools that a step may call. A step that judges or makes has its rows in the prompt
   * and reads nothing; only a write step can change data, and only of its part of the domain. A
   * small model reads only rows of the part's own type: few tools are chosen from more surely.
   */
  listTools({ stepType, subdomain, tier = "full" }: StepPlace): readonly Tool[] {
    const part = this.#findSubdomain(subdomain);
    if (part === undefined) return [];
    const own =
      tier === "small"
        ? this.#generated.filter(({ action, type }) => action !== "read" || type === part.type)
        : this.#generated;
    const generated = own.filter((tool) => this.#isFor(tool, part, stepType));
    const declared = this.#domain.tools.filter(
      (tool) => tool.subdomain === subdomain && listSteps(tool).includes(stepType),
    );
    return [...generated, ...declared];
  }

  /** Returns the name of the tool by which a step reads rows of a type; null where it is offered none. */
  findReader(place: StepPlace, type: string): string | null {
    const reader = this.#generated.find((tool) => tool.action === "read" && tool.type === type);
    const isOffered = reader !== undefined && this.listTools(place).includes(reader);
    return isOffered ? reader.name : null;
  }

  /** Returns the schemas of `listTools`, in its order: always the same bytes. */
  listSchemas(place: StepPlace): readonly NamedSchema[] {
    const own = this.#findType(this.#findSubdomain(place.subdomain)?.type);
    return this.listTools(place).map((tool) => {
      const { name, description, parameters } = tool;
      const schema = own === undefined ? null : this.#narrow(name, own);
      return nameSchema(name, { description, schema: schema ?? parameters });
    });
  }

  /** The arguments of a generated tool that a step about one type is offered, where they are fewer. */
  #narrow(name: string, own: EntityType): z.ZodObject | null {
    const tool = this.#generated.find((generated) => generated.name === name);
    if (tool?.action === "delete") return createDeleteSchema([own]);
    const type = this.#findType(tool?.type);
    const isBeside = tool?.action === "read" && type !== undefined && type !== own;
    return isBeside ? createLookUpSchema(type, own) : null;
  }

  /** Returns the schema of the drafts that a step of the subdomain makes; null where its type cannot be created. */
  draftSchema(subdomain: string): z.ZodObject | null {
    const type = this.#findType(this.#findSubdomain(subdomain)?.type);
    return type === undefined ? null : createDraftSchema(type);
  }

  /**
   * Reads a draft as `draftSchema` describes it.
   *
   * @throws ToolInputError for what cannot be read.
   */
  readArtifact(subdomain: string, given: unknown): Artifact {
    const type = this.#findType(this.#findSubdomain(subdomain)?.type);
    if (type === undefined) {
      throw new ToolInputError(`Cannot draft anything here: "${subdomain}" is about no type`);
    }
    const { ref, ...patch } = readArguments(createDraftSchema(type), given, "complete_step");
    return { type: type.type, ref, values: readPatch(type, patch) };
  }

  /**
   * Returns a draft's whole content: the artifact's values over those that the draft had before.
   *
   * @throws ToolInputError, UnknownRefError for content that could not be saved as it stands.
   */
  readDraft({ type: name, values }: Artifact, known: KnownDraft): JsonObject {
    const type = this.#findType(name);
    if (type === undefined) throw new RangeError(`Cannot draft a "${name}": there is no such type`);
    const content = { ...known.before, ...values };
    assertComplete(type, content);
    readContent(type, content, { setter: "create", refs: draftBook(known.refs) });
    return content;
  }

  #findType(name: string | null | undefined): EntityType | undefined {
    return this.#domain.entityTypes.find(({ type }) => type === name);
  }

  #findSubdomain(wanted: string): Subdomain | undefined {
    return this.#domain.subdomains.find(({ name }) => name === wanted);
  }

  #isFor({ action, type, writes }: TableTool, part: Subdomain, stepType: StepType): boolean {
    if (action === "read") {
      const isReadable = type === part.type || (part.reads ?? []).includes(type ?? "");
      return isReadable && (stepType === "read" || stepType === "write");
    }
    return stepType === "write" && (writes ?? []).includes(part.type);
  }
}

const READING: readonly StepType[] = ["read", "generate", "write"];

function listSteps({ steps, effect, confirm }: DomainTool): readonly StepType[] {
  // A service that changes something says so by asking first.
  const isChange = effect === "write" || (effect === "call" && confirm === "always");
  return steps ?? (isChange ? ["write"] : READING);
}

function createDraftSchema(type: EntityType) {
  return z.strictObject({
    ref: z.string().nullable().describe("draft to change, null for a new one"),
    ...createPatchShape(type, "create"),
  });
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
