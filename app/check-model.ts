import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { abortAfter } from "../models/abort-after.ts";
import { endpointHost, type ModelConfig, type OpenAIConfig } from "../models/config.ts";
import { toModelError, type ModelErrorContext } from "../models/failures/errors.ts";
import { ModelError, type ModelErrorCode } from "../state/model.ts";
import { listNearest } from "../text/nearest.ts";

/**
 * The result of a check of the model at the start. `unusable` and `unreachable` come with a
 * sentence for the operator: the first does not pass by itself, the second may.
 */
export type ModelCheck =
  | { readonly kind: "usable" }
  | { readonly kind: "unusable" | "unreachable"; readonly reason: string };

/** Parts of a check that tests replace. */
export interface CheckModelOptions {
  /** Folder of the program's own data, which remembers an endpoint without a list of models. */
  readonly dataDir: string;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Seconds for each request. Default: 3. */
  readonly seconds?: number;
}

/** Seconds for each request of a check: it runs beside the opening of the database. */
const CHECK_SECONDS = 3;
/** The time for which a completion that worked is remembered, in milliseconds. */
const REMEMBERED_MS = 3_600_000;
const FILE = "model-check.json";
/** The names that are suggested for one that an endpoint does not list. */
const SUGGESTIONS = 3;

const USABLE: ModelCheck = { kind: "usable" };

/**
 * Checks the endpoint, the key and the models of all roles before the first message (models.md,
 * section 2): by the endpoint's list of models, and where that does not tell by a completion of one
 * token. The simulated model costs nothing. Never rejects.
 */
export async function checkModel(
  config: ModelConfig,
  options: CheckModelOptions,
): Promise<ModelCheck> {
  if (config.kind !== "openai") return USABLE;
  const check = new EndpointCheck(config, options);
  try {
    return await check.run();
  } catch (error) {
    return judgeFailure(toModelError(error, check.errors));
  }
}

/** Codes that a later attempt may not meet: nothing says that the settings are wrong. */
const PASSING: ReadonlySet<ModelErrorCode> = new Set([
  "model_unreachable",
  "model_timeout",
  "model_busy",
  "model_aborted",
]);
/** Codes of refusals that leave open whether another request is answered. */
const TELLS_NOTHING: ReadonlySet<ModelErrorCode> = new Set([
  "model_rate_limited",
  "model_request_refused",
  "model_refused",
  "model_context_too_long",
]);

function judgeFailure(error: ModelError): ModelCheck {
  if (TELLS_NOTHING.has(error.code)) return USABLE;
  const isPassing = PASSING.has(error.code) || isServerFailure(error);
  return { kind: isPassing ? "unreachable" : "unusable", reason: error.message };
}

/** A status from 500 on says nothing of the settings; a page instead of an answer does. */
function isServerFailure({ cause }: ModelError): boolean {
  const status = cause instanceof Error && "status" in cause ? cause.status : null;
  return typeof status === "number" && status >= 500;
}

const ListSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const CompletionSchema = z.object({ choices: z.array(z.unknown()).min(1) });
const ErrorBodySchema = z.object({
  error: z.object({ message: z.string().optional(), code: z.unknown() }),
});

/** An endpoint's refusal, with the properties that a client puts on its errors. */
class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, body: unknown) {
    const { data } = ErrorBodySchema.safeParse(body);
    super(data?.error.message ?? "");
    this.status = status;
    this.code = typeof data?.error.code === "string" ? data.error.code : null;
  }
}

/** The answer is none of an endpoint for models. */
class NotAnAnswerError extends Error {
  override readonly name = "NotAnAnswerError";
}

/** A read response; a body that is no JSON is null. */
interface Reply {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
}

class EndpointCheck {
  readonly errors: ModelErrorContext;
  readonly #config: OpenAIConfig;
  readonly #options: CheckModelOptions;
  /** The models of the roles, the most used one first. */
  readonly #models: readonly string[];

  constructor(config: OpenAIConfig, options: CheckModelOptions) {
    this.#config = config;
    this.#options = options;
    this.#models = [...new Set(Object.values(config.models))];
    this.errors = this.#describe(this.#models[0] ?? "");
  }

  async run(): Promise<ModelCheck> {
    const list = await this.#listModels();
    if (list === null) return this.#completeOnce();
    const missing = this.#models.filter((model) => !isListed(model, list));
    if (list.length === 0 || missing.length === 0) return USABLE;
    return { kind: "unusable", reason: this.#explainMissing(missing, list) };
  }

  /** The ids of the endpoint's models; null where it does not tell them with this key. */
  async #listModels(): Promise<readonly string[] | null> {
    const response = await this.#request("models", {});
    const list = response.ok ? ListSchema.safeParse(response.body) : null;
    return list?.success === true ? list.data.data.map(({ id }) => id) : null;
  }

  /** Asks for one token, unless that has worked within the last hour. */
  async #completeOnce(): Promise<ModelCheck> {
    if (await this.#isRemembered()) return USABLE;
    for (const model of this.#models) {
      const failure = await this.#complete(model);
      // The endpoint has answered for its list: a model that is being loaded may take its time.
      const isSlow = failure?.code === "model_timeout";
      if (failure !== null && !isSlow) return judgeFailure(failure);
    }
    await this.#remember();
    return USABLE;
  }

  async #complete(model: string): Promise<ModelError | null> {
    try {
      const messages = [{ role: "user", content: "Hello" }];
      const { ok, status, body } = await this.#request("chat/completions", {
        method: "POST",
        body: JSON.stringify({ model, messages, max_tokens: 1 }),
      });
      if (!ok) throw new RefusalError(status, body);
      if (!CompletionSchema.safeParse(body).success) {
        throw new NotAnAnswerError("The answer is no completion");
      }
      return null;
    } catch (error) {
      return toModelError(error, this.#describe(model));
    }
  }

  async #request(path: string, init: RequestInit): Promise<Reply> {
    const { baseUrl, apiKey } = this.#config;
    const url = new URL(baseUrl);
    url.pathname = `${url.pathname.replace(/\/+$/u, "")}/${path}`;
    const { signal, stop } = abortAfter((this.#options.seconds ?? CHECK_SECONDS) * 1_000);
    try {
      const response = await fetch(url, {
        ...init,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${apiKey ?? "none"}`,
        },
        signal,
      });
      return { ok: response.ok, status: response.status, body: readJson(await response.text()) };
    } finally {
      stop();
    }
  }

  #describe(model: string): ModelErrorContext {
    const { baseUrl, apiKey } = this.#config;
    return { model, endpoint: endpointHost(baseUrl), secrets: apiKey === null ? [] : [apiKey] };
  }

  #explainMissing(missing: readonly string[], list: readonly string[]): string {
    const [name = ""] = missing;
    const nearest = listNearest(name, list, SUGGESTIONS);
    const names = nearest.map((one) => `"${one}"`).join(", ");
    return `Cannot use model "${name}" at ${endpointHost(this.#config.baseUrl)}: it is not among the ${list.length} models that the endpoint lists; the nearest are ${names}; check OPENAI_MODEL and the CONCIERGE_MODEL_ settings`;
  }

  async #isRemembered(): Promise<boolean> {
    const known = await readChecks(this.#options.dataDir);
    const at = known[this.#key()];
    return at !== undefined && this.#now() - at < REMEMBERED_MS;
  }

  /** A folder that cannot be written costs a request at the next start. */
  async #remember(): Promise<void> {
    const { dataDir } = this.#options;
    const known = await readChecks(dataDir);
    const fresh = Object.entries(known).filter(([, at]) => this.#now() - at < REMEMBERED_MS);
    const checks = { ...Object.fromEntries(fresh), [this.#key()]: this.#now() };
    try {
      await mkdir(dataDir, { recursive: true });
      await writeFile(join(dataDir, FILE), JSON.stringify(checks), { mode: 0o600 });
    } catch {
      // Nothing depends on it.
    }
  }

  /** Changes with endpoint, key and models, and tells none of them. */
  #key(): string {
    const { baseUrl, apiKey } = this.#config;
    return createHash("sha256")
      .update(JSON.stringify([baseUrl, apiKey, this.#models]))
      .digest("hex");
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Ollama lists the tag that it adds to a name without one, Gemini a kind that a name may leave out. */
function isListed(model: string, list: readonly string[]): boolean {
  return [model, `${model}:latest`, `models/${model}`].some((name) => list.includes(name));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ChecksSchema = z.record(z.string(), z.number());

async function readChecks(dataDir: string): Promise<Readonly<Record<string, number>>> {
  try {
    return ChecksSchema.parse(JSON.parse(await readFile(join(dataDir, FILE), "utf8")));
  } catch {
    return {};
  }
}
