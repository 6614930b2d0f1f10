import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../models/answers/find-json.ts";
import { abortAfter } from "../models/abort-after.ts";
import { endpointHost, type ModelConfig, type OpenAIConfig } from "../models/config.ts";
import { collectSecrets, expertEndpoint, nameSettings } from "../models/expert-endpoint.ts";
import { NotAnAnswerError } from "../models/client/not-an-answer.ts";
import { ROLE_SETTINGS, type SettingNames } from "../models/failures/diagnose.ts";
import {
  readRefusalBody,
  readReportedError,
  readReportedStatus,
  type ReportedError,
} from "../models/failures/reported-error.ts";
import { toModelError, type ModelErrorContext } from "../models/failures/errors.ts";
import { getLocalJson } from "../models/servers/get-local-json.ts";
import { SERVER_ROUTES } from "../models/servers/read-server.ts";
import { ModelError, type ModelErrorCode } from "../state/model.ts";
import { listNearest } from "../text/nearest.ts";

/**
 * The result of a check of the model at the start. `unusable` and `unreachable` come with a
 * sentence for the operator: the first does not pass by itself, the second may.
 */
export type ModelCheck =
  | {
      readonly kind: "usable";
      /** Why experts of other models or endpoints cannot be asked; left out where all can. */
      readonly warnings?: readonly string[];
    }
  | { readonly kind: "unusable" | "unreachable"; readonly reason: string };

/** Parts of a check that tests replace. */
export interface CheckModelOptions {
  /** Folder of the program's own data, which remembers the completions that worked. */
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
/** Milliseconds for Ollama, on this machine, to tell its version. */
const VERSION_MS = 300;
const FILE = "model-check.json";
/** The names that are suggested for one that an endpoint does not list. */
const SUGGESTIONS = 3;

const USABLE: ModelCheck = { kind: "usable" };

/**
 * Checks the endpoint, the key and the models of all roles before the first message (models.md,
 * section 2). A completion of one token decides, since lists of models may be public and
 * incomplete; what one does not tell (a time-out, a rate limit, a failing server behind a list that
 * answers) refuses nothing. None is asked for where the same one worked within the last hour, or
 * where Ollama, which has no keys, lists the models. Experts that are asked elsewhere are checked
 * alike and only warned of: a turn goes on without them. The simulated model costs nothing. Never
 * rejects.
 */
export async function checkModel(
  config: ModelConfig,
  options: CheckModelOptions,
): Promise<ModelCheck> {
  if (config.kind !== "openai") return USABLE;
  const checked = await Promise.all(
    listEndpoints(config).map((endpoint) => new EndpointCheck(endpoint, options).run()),
  );
  await remember(
    checked.flatMap(({ proof }) => proof ?? []),
    options,
  );
  const [roles, ...experts] = checked.map(({ checks }) => checks);
  const failure = findFailure(roles ?? []);
  if (failure !== undefined) return failure;
  const warnings = experts.flat().flatMap((check) => ("reason" in check ? [check.reason] : []));
  return warnings.length === 0 ? USABLE : { kind: "usable", warnings: [...new Set(warnings)] };
}

/** The worst comes first: what is unreachable may pass. */
function findFailure(checks: readonly ModelCheck[]): ModelCheck | undefined {
  return (
    checks.find(({ kind }) => kind === "unusable") ??
    checks.find(({ kind }) => kind === "unreachable")
  );
}

/** The models that are asked of one endpoint with one key, the most used one first. */
interface CheckedEndpoint extends Pick<OpenAIConfig, "baseUrl" | "apiKey" | "dialect"> {
  /** The settings that name each model. */
  readonly models: ReadonlyMap<string, SettingNames>;
  readonly secrets: readonly string[];
}

/** Lists the endpoint of the roles, then those of experts with what is asked there besides. */
function listEndpoints(config: OpenAIConfig): readonly CheckedEndpoint[] {
  const secrets = collectSecrets(config);
  const names = [...new Set(Object.values(config.models))];
  const roles = { ...config, secrets, models: new Map(names.map((name) => [name, ROLE_SETTINGS])) };
  const experts = (config.experts ?? []).filter((expert) => {
    const { baseUrl, apiKey } = expertEndpoint(expert, config);
    return baseUrl !== config.baseUrl || apiKey !== config.apiKey || !names.includes(expert.model);
  });
  const places = Map.groupBy(experts, (expert) => JSON.stringify(expertEndpoint(expert, config)));
  return [
    roles,
    ...[...places.values()].flatMap((here) => {
      const [first] = here;
      if (first === undefined) return [];
      const models = new Map(here.map((expert) => [expert.model, nameSettings(expert)]));
      return [{ ...expertEndpoint(first, config), secrets, models }];
    }),
  ];
}

/** Codes that a later attempt may not meet: nothing says that the settings are wrong. */
const PASSING: ReadonlySet<ModelErrorCode> = new Set([
  "model_unreachable",
  "model_timeout",
  "model_busy",
  "model_aborted",
]);
/** Codes of refusals that say that the settings are wrong. */
const REFUSALS: ReadonlySet<ModelErrorCode> = new Set([
  "model_key_rejected",
  "model_unknown",
  "model_no_credit",
]);
/** Codes of refusals that leave open whether another request is answered. */
const TELLS_NOTHING: ReadonlySet<ModelErrorCode> = new Set([
  "model_rate_limited",
  "model_request_refused",
  "model_refused",
  "model_context_too_long",
]);

/** Judges a completion of an endpoint that gave no list. */
function judgeFailure(
  error: ModelError,
  { isFailing }: { readonly isFailing: boolean },
): ModelCheck {
  // A model that is being loaded may take its time.
  if (TELLS_NOTHING.has(error.code) || error.code === "model_timeout") return USABLE;
  if (isServerFailure(error) && !isFailing) return USABLE;
  return describeFailure(error);
}

function describeFailure(error: ModelError): ModelCheck {
  const isPassing = PASSING.has(error.code) || isServerFailure(error);
  return { kind: isPassing ? "unreachable" : "unusable", reason: error.message };
}

/** A status from 500 on says nothing of the settings; a page instead of an answer does. */
function isServerFailure({ cause }: ModelError): boolean {
  const status = cause instanceof Error && "status" in cause ? cause.status : null;
  return typeof status === "number" && status >= 500;
}

const ListSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const VersionSchema = z.object({ version: z.string() });
const CompletionSchema = z.object({ choices: z.array(z.unknown()).min(1) });

/** An endpoint's refusal, with the properties that a client puts on its errors. */
class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, reported: ReportedError | null) {
    super(reported?.message ?? "");
    this.status = status;
    this.code = typeof reported?.code === "string" ? reported.code : null;
  }
}

/** The answer to the question for a list of models, where there was one. */
type ModelList =
  | { readonly kind: "list"; readonly names: readonly string[] }
  /** `isFailing`: the server failed, so the list says nothing of the address. */
  | { readonly kind: "none"; readonly isFailing: boolean };

/** A model that one token was asked of; `failure` is null where it came. */
interface AskedModel {
  readonly model: string;
  readonly failure: ModelError | null;
}

/** A read response; a body that is no JSON is undefined. */
interface Reply {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** Results of the check of one endpoint. */
interface CheckedModels {
  readonly checks: readonly ModelCheck[];
  /** The key under which it is remembered that all models have just given a token; else null. */
  readonly proof: string | null;
}

class EndpointCheck {
  readonly #endpoint: CheckedEndpoint;
  readonly #options: CheckModelOptions;
  readonly #models: readonly string[];

  constructor(endpoint: CheckedEndpoint, options: CheckModelOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#models = [...endpoint.models.keys()];
  }

  /** Never rejects. */
  async run(): Promise<CheckedModels> {
    try {
      return await this.#check();
    } catch (error) {
      const failure = toModelError(error, this.#describe(this.#models[0] ?? ""));
      return { checks: [describeFailure(failure)], proof: null };
    }
  }

  async #check(): Promise<CheckedModels> {
    const list = await this.#listModels();
    if ((await this.#isRemembered()) || (await this.#isListedByOllama(list))) {
      return { checks: [USABLE], proof: null };
    }
    const found = await Promise.all(
      this.#models.map(async (model) => ({ model, failure: await this.#complete(model) })),
    );
    const isProven = found.every(({ failure }) => failure === null);
    return {
      checks: found.map((one) => this.#judge(one, list)),
      proof: isProven ? this.#key() : null,
    };
  }

  async #listModels(): Promise<ModelList> {
    const { ok, status, body } = await this.#request("models", {});
    const list = ok ? ListSchema.safeParse(body) : null;
    return list?.success === true
      ? { kind: "list", names: list.data.data.map(({ id }) => id) }
      : { kind: "none", isFailing: status >= 500 };
  }

  /** Ollama wants no key and lists what it has; a completion would load the model with another window. */
  async #isListedByOllama(list: ModelList): Promise<boolean> {
    if (list.kind === "none" || !this.#models.every((model) => isListed(model, list.names))) {
      return false;
    }
    const { baseUrl, dialect } = this.#endpoint;
    if (dialect === "ollama") return true;
    const { signal, stop } = abortAfter(VERSION_MS);
    const { origin } = new URL(baseUrl);
    const answer = await getLocalJson(`${origin}${SERVER_ROUTES.version}`, signal).finally(stop);
    return answer.kind === "json" && VersionSchema.safeParse(answer.value).success;
  }

  #judge({ model, failure }: AskedModel, list: ModelList): ModelCheck {
    if (failure === null) return USABLE;
    if (list.kind === "none") return judgeFailure(failure, list);
    // The endpoint has answered for its list: what is no refusal may pass.
    if (!REFUSALS.has(failure.code)) return USABLE;
    const isMissing = list.names.length > 0 && !isListed(model, list.names);
    const reason =
      failure.code === "model_unknown" && isMissing
        ? this.#explainMissing(model, list.names)
        : failure.message;
    return { kind: "unusable", reason };
  }

  async #complete(model: string): Promise<ModelError | null> {
    try {
      const messages = [{ role: "user", content: "Hello" }];
      const { ok, status, body } = await this.#request("chat/completions", {
        method: "POST",
        body: JSON.stringify({ model, messages, max_tokens: 1 }),
      });
      if (!ok) throw new RefusalError(status, readRefusalBody(body));
      const reported = readReportedError(body);
      const reportedStatus = readReportedStatus(reported);
      if (reportedStatus !== null) throw new RefusalError(reportedStatus, reported);
      if (!CompletionSchema.safeParse(body).success) {
        throw new NotAnAnswerError("The answer is no completion");
      }
      return null;
    } catch (error) {
      return toModelError(error, this.#describe(model));
    }
  }

  async #request(path: string, init: RequestInit): Promise<Reply> {
    const { baseUrl, apiKey } = this.#endpoint;
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
      return { ok: response.ok, status: response.status, body: parseJson(await response.text()) };
    } finally {
      stop();
    }
  }

  #describe(model: string): ModelErrorContext {
    const { baseUrl, secrets, models } = this.#endpoint;
    const settings = models.get(model) ?? ROLE_SETTINGS;
    return { model, endpoint: endpointHost(baseUrl), secrets, settings };
  }

  #explainMissing(name: string, list: readonly string[]): string {
    const nearest = listNearest(name, list, SUGGESTIONS);
    const names = nearest.map((one) => `"${one}"`).join(", ");
    return `Cannot use model "${name}" at ${endpointHost(this.#endpoint.baseUrl)}: the endpoint does not know it, and it is not among the ${list.length} models that the endpoint lists; the nearest are ${names}; check ${this.#endpoint.models.get(name)?.models ?? ROLE_SETTINGS.models}`;
  }

  async #isRemembered(): Promise<boolean> {
    const at = (await readChecks(this.#options.dataDir))[this.#key()];
    return at !== undefined && readNow(this.#options) - at < REMEMBERED_MS;
  }

  /** Changes with endpoint, key and models, and tells none of them. */
  #key(): string {
    const { baseUrl, apiKey } = this.#endpoint;
    return createHash("sha256")
      .update(JSON.stringify([baseUrl, apiKey, this.#models]))
      .digest("hex");
  }
}

/** A folder that cannot be written costs a request at the next start. */
async function remember(proofs: readonly string[], options: CheckModelOptions): Promise<void> {
  if (proofs.length === 0) return;
  const { dataDir } = options;
  const now = readNow(options);
  const known = Object.entries(await readChecks(dataDir)).filter(
    ([, at]) => now - at < REMEMBERED_MS,
  );
  const checks = Object.fromEntries([...known, ...proofs.map((proof) => [proof, now] as const)]);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, FILE), JSON.stringify(checks), { mode: 0o600 });
  } catch {
    // Nothing depends on it.
  }
}

function readNow({ now = Date.now }: CheckModelOptions): number {
  return now();
}

/** Ollama lists the tag that it adds to a name without one, Gemini a kind that a name may leave out. */
function isListed(model: string, list: readonly string[]): boolean {
  return [model, `${model}:latest`, `models/${model}`].some((name) => list.includes(name));
}

const ChecksSchema = z.record(z.string(), z.number());

async function readChecks(dataDir: string): Promise<Readonly<Record<string, number>>> {
  try {
    return ChecksSchema.parse(JSON.parse(await readFile(join(dataDir, FILE), "utf8")));
  } catch {
    return {};
  }
}
