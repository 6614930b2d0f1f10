import { endpointAddress, isLoopback, type OpenAIConfig } from "../models/config.ts";
import { identifyServer } from "../models/servers/find-servers.ts";
import type { KnownEndpoint } from "../models/client/openai.ts";
import { ModelProfileSchema } from "../models/profile/profile.ts";
import type { ModelProfileStore } from "../state/model.ts";

/** The place where dialects are remembered, and the time that an endpoint may take to answer. */
export interface FindEndpointsOptions {
  /** Null where nothing is remembered. */
  readonly store: ModelProfileStore | null;
  /** Milliseconds. Default: 300. */
  readonly answerMs?: number;
}

/**
 * Asks the endpoints of a configuration that are on this machine which servers they are, all at once
 * and for 300 ms at most. One that does not answer in time keeps the dialect that is remembered.
 *
 * Returns them by origin; an endpoint of which nothing is known is left out.
 */
export async function findLocalEndpoints(
  config: OpenAIConfig,
  options: FindEndpointsOptions,
): Promise<ReadonlyMap<string, KnownEndpoint>> {
  const asked = [config, ...(config.experts ?? [])].flatMap(({ baseUrl }) =>
    baseUrl !== null && isLoopback(baseUrl) ? [baseUrl] : [],
  );
  const urls = new Map(asked.map((url) => [new URL(url).origin, url]));
  const found = await Promise.all(
    [...urls].map(
      async ([origin, url]) => [origin, await findEndpoint(url, config, options)] as const,
    ),
  );
  return new Map(found.flatMap(([origin, known]) => (known === null ? [] : [[origin, known]])));
}

async function findEndpoint(
  url: string,
  config: OpenAIConfig,
  { store, answerMs }: FindEndpointsOptions,
): Promise<KnownEndpoint | null> {
  const endpoint = await identifyServer(url, answerMs);
  if (endpoint.kind === "found") {
    const { server } = endpoint;
    return { dialect: server.kind === "Ollama" ? "ollama" : "chat", server };
  }
  // A model server that is busy loading a model may answer late.
  if (endpoint.kind === "silent" && (await isOllamaRemembered(url, config, store))) {
    return { dialect: "ollama", server: null };
  }
  return null;
}

async function isOllamaRemembered(
  url: string,
  { models, dialect, experts = [] }: OpenAIConfig,
  store: ModelProfileStore | null,
): Promise<boolean> {
  if (dialect !== undefined || store === null) return dialect === "ollama";
  const endpoint = endpointAddress(url);
  const names = [...Object.values(models), ...experts.map(({ model }) => model)];
  const stored = await Promise.all(
    [...new Set(names)].map((model) => store.load({ endpoint, model }).catch(() => null)),
  );
  return stored.some((value) => ModelProfileSchema.safeParse(value).data?.dialect === "ollama");
}
