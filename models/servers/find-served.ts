import { z } from "zod";
import { nearest } from "../../text/nearest.ts";
import { isLoopback } from "../config.ts";

/** Facts that an endpoint tells about itself. */
export interface ServedModels {
  /** The names that it lists; null where it lists none. */
  readonly models: readonly string[] | null;
  /** Name and version of the server, as in "Ollama 0.32"; null where it does not say. */
  readonly server: string | null;
}

const ListSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const VersionSchema = z.object({ version: z.string().max(40) });
const LONGEST_WAIT_MS = 5_000;
const MOST_SUGGESTED = 3;

/** An endpoint, with the key for it. */
interface AskedEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

/** Asks an endpoint for its list of models, and one on this machine for its version: for 5 s at most. Never throws. */
export async function fetchServed({ baseUrl, apiKey }: AskedEndpoint): Promise<ServedModels> {
  const base = baseUrl.replace(/\/*(?:\?.*)?$/, "");
  const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const [list, version] = await Promise.all([
    fetchJson(`${base}/models`, headers),
    // Only Ollama answers at this address.
    isLoopback(baseUrl) ? fetchJson(`${new URL(baseUrl).origin}/api/version`, {}) : null,
  ]);
  const listed = ListSchema.safeParse(list);
  const ollama = VersionSchema.safeParse(version);
  return {
    models: listed.success ? listed.data.data.map(({ id }) => id) : null,
    server: ollama.success ? `Ollama ${ollama.data.version}` : null,
  };
}

async function fetchJson(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      // A key goes to no other host.
      redirect: "error",
    });
    const body: unknown = response.ok ? await response.json() : null;
    return body;
  } catch {
    return null;
  }
}

/** Lists up to three served names that are nearest to one that is unknown; others where none is near. */
export function suggestModels(name: string, served: readonly string[]): readonly string[] {
  const near: string[] = [];
  while (near.length < MOST_SUGGESTED) {
    const next = nearest(
      name,
      served.filter((one) => !near.includes(one)),
    );
    if (next === null) break;
    near.push(next);
  }
  return near.length > 0 ? near : served.slice(0, MOST_SUGGESTED);
}
