import { z } from "zod";
import { FIELD_ALLOWANCE, SMALL_PARAMETERS } from "../profile/known-models.ts";
import type { ProfileTraits } from "../profile/profile.ts";

/** A model that a server lists. */
export interface FoundModel {
  readonly name: string;
  /** Thousand millions; null where the server does not say. */
  readonly parameters: number | null;
  /** Traits that the server tells. */
  readonly traits: Partial<ProfileTraits>;
}

/** The servers that are told apart. */
export type ServerKind = "Ollama" | "LM Studio" | "llama.cpp" | "vLLM";

/** A server as its answers describe it. */
export interface ServerFacts {
  readonly kind: ServerKind;
  /** Models that chat, in the order of the server, loaded ones first. */
  readonly models: readonly FoundModel[];
}

/** The routes by which servers are told apart. */
export const SERVER_ROUTES = {
  version: "/api/version",
  tags: "/api/tags",
  studio: "/api/v0/models",
  props: "/props",
  models: "/v1/models",
} as const;

/** Answers of a server by route; undefined where there was no JSON. */
export type RouteAnswers = Readonly<Record<keyof typeof SERVER_ROUTES, unknown>>;

/**
 * Tells by its answers which server it is, never by its port; null for one that is unknown. Pure.
 * Whatever does not fit is left out: models of other computers that a server passes requests on to,
 * models that do not chat, names with control characters.
 *
 * Source: models.md §4, "Detection".
 */
export function readServer(answers: RouteAnswers): ServerFacts | null {
  return (
    readLlamaCpp(answers) ?? readStudio(answers) ?? readOllama(answers) ?? readVllm(answers) ?? null
  );
}

const MOST_MODELS = 200;

/** A name without control, formatting and unassigned characters: it is shown in terminals. */
const NameSchema = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u);
const TokensSchema = z.number().int().min(1).max(100_000_000);

/** Reads the first entries of a list; those that do not fit are left out. */
function readEntries<T>(schema: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries) =>
    entries.slice(0, MOST_MODELS).flatMap((entry): readonly T[] => {
      const read = schema.safeParse(entry);
      return read.success ? [read.data] : [];
    }),
  );
}

const VersionSchema = z.object({ version: z.string().min(1).max(100) });
const TagsSchema = z.object({
  models: readEntries(
    z.object({
      name: NameSchema,
      /** Set where the server passes requests on to another computer. */
      remote_host: z.unknown().optional(),
      details: z
        .object({ family: z.string().catch(""), parameter_size: z.string().catch("") })
        .catch({ family: "", parameter_size: "" }),
      /** Newer versions only. */
      capabilities: z.array(z.string()).nullable().catch(null).default(null),
    }),
  ),
});

function readOllama({ version, tags }: RouteAnswers): ServerFacts | null {
  const listed = TagsSchema.safeParse(tags);
  if (!VersionSchema.safeParse(version).success || !listed.success) return null;
  const models = listed.data.models
    .filter(({ remote_host: host }) => host === undefined || host === null || host === "")
    .filter(({ details, capabilities }) =>
      capabilities === null ? !/bert/i.test(details.family) : capabilities.includes("completion"),
    )
    .map(({ name, details, capabilities }) => {
      const parameters = readParameterSize(details.parameter_size);
      return {
        name,
        parameters,
        traits: { ...chooseTier(parameters), ...readThinking(capabilities) },
      };
    });
  return { kind: "Ollama", models };
}

/** Reads `4.0B` or `751.63M` as thousand millions. */
function readParameterSize(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,6})?)([BM])$/.exec(text) ?? [];
  if (digits === undefined) return null;
  return unit === "B" ? Number(digits) : Number(digits) / 1_000;
}

function chooseTier(parameters: number | null): Pick<Partial<ProfileTraits>, "tier"> {
  if (parameters === null) return {};
  return { tier: parameters <= SMALL_PARAMETERS ? "small" : "full" };
}

function readThinking(capabilities: readonly string[] | null): Partial<ProfileTraits> {
  if (capabilities === null) return {};
  return capabilities.includes("thinking")
    ? { reasoningStyle: "field", reasoningControl: "think", allowance: FIELD_ALLOWANCE }
    : { reasoningStyle: "none", reasoningControl: "none", allowance: 0 };
}

const StudioSchema = z.object({
  data: readEntries(
    z.object({
      id: NameSchema,
      type: z.enum(["llm", "vlm", "embeddings"]),
      state: z.enum(["loaded", "not-loaded"]),
      loaded_context_length: TokensSchema.nullable().catch(null).default(null),
      capabilities: z.array(z.string()).nullable().catch(null).default(null),
    }),
  ),
});

function readStudio({ studio }: RouteAnswers): ServerFacts | null {
  const listed = StudioSchema.safeParse(studio);
  if (!listed.success || listed.data.data.length === 0) return null;
  const models = listed.data.data
    .filter(({ type }) => type !== "embeddings")
    .toSorted((a, b) => Number(b.state === "loaded") - Number(a.state === "loaded"))
    .map(({ id, state, loaded_context_length: tokens, capabilities }) => ({
      name: id,
      parameters: null,
      traits: {
        ...(state === "loaded" && tokens !== null ? { contextWindow: tokens } : {}),
        ...(capabilities === null || capabilities.includes("tool_use")
          ? {}
          : { tools: "union" as const }),
      },
    }));
  return { kind: "LM Studio", models };
}

const PropsSchema = z.object({
  total_slots: z.number().int().min(1).max(1_024),
  /** The window of one slot. */
  default_generation_settings: z.object({ n_ctx: TokensSchema }),
  model_alias: NameSchema.nullable().catch(null).default(null),
  model_path: NameSchema.nullable().catch(null).default(null),
  chat_template_caps: z
    .object({ supports_tools: z.boolean().nullable().catch(null).default(null) })
    .catch({ supports_tools: null })
    .default({ supports_tools: null }),
});
const NamedSchema = z.object({ data: readEntries(z.object({ id: NameSchema })) });

function readLlamaCpp({ props, models }: RouteAnswers): ServerFacts | null {
  const read = PropsSchema.safeParse(props);
  if (!read.success) return null;
  const {
    total_slots: slots,
    default_generation_settings: { n_ctx: contextWindow },
    model_alias: alias,
    model_path: path,
    chat_template_caps: { supports_tools: hasTools },
  } = read.data;
  const named = NamedSchema.safeParse(models);
  const name = (named.success ? named.data.data[0]?.id : undefined) ?? alias ?? path;
  const traits = {
    slots,
    contextWindow,
    ...(hasTools === false ? { tools: "union" as const } : {}),
  };
  return { kind: "llama.cpp", models: name === null ? [] : [{ name, parameters: null, traits }] };
}

const VllmSchema = z.object({
  data: readEntries(z.object({ id: NameSchema, max_model_len: TokensSchema })),
});

function readVllm({ models }: RouteAnswers): ServerFacts | null {
  const listed = VllmSchema.safeParse(models);
  if (!listed.success || listed.data.data.length === 0) return null;
  return {
    kind: "vLLM",
    models: listed.data.data.map(({ id, max_model_len: contextWindow }) => ({
      name: id,
      parameters: null,
      traits: { contextWindow },
    })),
  };
}
