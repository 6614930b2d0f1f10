import { abortAfter } from "../abort-after.ts";
import { isLoopback } from "../config.ts";
import { getLocalJson, type LocalAnswer } from "./get-local-json.ts";
import { readServer, SERVER_ROUTES, type ServerFacts } from "./read-server.ts";

/** A model server on this machine. */
export interface FoundServer extends ServerFacts {
  /** The address for OpenAI's API, as OPENAI_BASE_URL takes it. */
  readonly baseUrl: string;
}

/** An endpoint on this machine before anything is asked of it. */
export type LocalEndpoint =
  | { readonly kind: "found"; readonly server: FoundServer }
  /** It answers, and is none of the known servers. */
  | { readonly kind: "unknown" }
  | { readonly kind: "silent" };

/** Milliseconds for a server to answer all routes. */
const ANSWER_MS = 300;
/** The usual ports of Ollama, LM Studio, llama.cpp and vLLM, in the order in which they are offered. */
const USUAL_PORTS = [11_434, 1_234, 8_080, 8_000];
const HOSTS = ["127.0.0.1", "[::1]"];

/** Places in which `findServers` looks; each has a default. */
export interface FindServersOptions {
  readonly ports?: readonly number[];
  /** Milliseconds for a server to answer all routes. */
  readonly answerMs?: number;
}

/**
 * Finds the model servers on this machine that have a model, in the order of `ports`. Asks loopback
 * addresses only, with GET, all at once, for 300 ms; nothing is sent to a model.
 *
 * Source: models.md §4, "Detection".
 */
export async function findServers({
  ports = USUAL_PORTS,
  answerMs = ANSWER_MS,
}: FindServersOptions = {}): Promise<readonly FoundServer[]> {
  const places = ports.flatMap((port) => HOSTS.map((host) => `http://${host}:${port}`));
  const found = await Promise.all(places.map((place) => identifyServer(place, answerMs)));
  const servers = found.flatMap((one) => (one.kind === "found" ? [one.server] : []));
  const seen = new Set<string>();
  return servers.filter(({ kind, models, baseUrl }) => {
    // One server often listens on both addresses.
    const same = JSON.stringify([kind, new URL(baseUrl).port, models.map(({ name }) => name)]);
    if (models.length === 0 || seen.has(same)) return false;
    seen.add(same);
    return true;
  });
}

/** Asks an address on this machine which server it is. Addresses elsewhere are not asked. */
export async function identifyServer(
  baseUrl: string,
  answerMs: number = ANSWER_MS,
): Promise<LocalEndpoint> {
  if (!isLoopback(baseUrl)) return { kind: "unknown" };
  const { origin } = new URL(baseUrl);
  const { signal, stop } = abortAfter(answerMs);
  const ask = (route: keyof typeof SERVER_ROUTES): Promise<LocalAnswer> =>
    getLocalJson(`${origin}${SERVER_ROUTES[route]}`, signal);
  const [version, tags, studio, props, models] = await Promise.all([
    ask("version"),
    ask("tags"),
    ask("studio"),
    ask("props"),
    ask("models"),
  ]).finally(stop);
  const facts = readServer({
    version: readValue(version),
    tags: readValue(tags),
    studio: readValue(studio),
    props: readValue(props),
    models: readValue(models),
  });
  if (facts !== null) return { kind: "found", server: { ...facts, baseUrl: `${origin}/v1` } };
  const all = [version, tags, studio, props, models];
  return { kind: all.every(({ kind }) => kind === "silent") ? "silent" : "unknown" };
}

function readValue(answer: LocalAnswer): unknown {
  return answer.kind === "json" ? answer.value : undefined;
}
