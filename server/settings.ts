import ipaddr from "ipaddr.js";
import { z } from "zod";

/** Limits on clients. Each process counts for itself. */
export interface ServerLimits {
  /** Requests of one caller, or of one address without a valid key or token. */
  readonly requestsPerMinute: number;
  /** Runs that one caller starts. */
  readonly runsPerMinute: number;
  readonly bodyBytes: number;
  /** Time until the whole body has arrived. */
  readonly bodySeconds: number;
  readonly headerBytes: number;
  /** Time until all headers have arrived. */
  readonly headersSeconds: number;
  /**
   * Time until an idle connection is closed. Longer than the 60 seconds of most proxies, so that the
   * proxy closes it: a request fails if its connection is being closed by the server.
   */
  readonly keepAliveSeconds: number;
  /** Time until a client that does not read is dropped. */
  readonly stalledSeconds: number;
  readonly connections: number;
  /** Streams and waits that one caller has open at once. */
  readonly streamsPerCaller: number;
  /** Bytes of a stream that wait for its client. */
  readonly streamBufferBytes: number;
  /** Time between two heartbeats of a stream: shorter than the read timeout of proxies. */
  readonly heartbeatSeconds: number;
  /** Time that open requests have when the server stops. */
  readonly graceSeconds: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  requestsPerMinute: 1_200,
  runsPerMinute: 120,
  bodyBytes: 1_048_576,
  bodySeconds: 10,
  headerBytes: 16_384,
  headersSeconds: 10,
  keepAliveSeconds: 75,
  stalledSeconds: 60,
  connections: 2_000,
  streamsPerCaller: 100,
  streamBufferBytes: 65_536,
  heartbeatSeconds: 15,
  graceSeconds: 10,
};

/** The issuer whose tokens are accepted. */
export interface JwtSettings {
  /** The address at which the issuer publishes its keys. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

/** The way callers authenticate. `off`: everybody is the same user, on this machine only. */
export type AccessSettings =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly apiKeys: boolean; readonly jwt: JwtSettings | null };

/** The configuration of the server. */
export interface ServerSettings {
  /** Version of the program. */
  readonly version: string;
  readonly access: AccessSettings;
  /** The pages that may call from a browser, as `https://example.com`. */
  readonly origins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted: addresses or networks (`10.0.0.0/8`). */
  readonly trustedProxies: readonly string[];
  readonly limits: ServerLimits;
}

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const list = text.transform((value) =>
  (value ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const auth = list.transform((kinds, context): readonly ("off" | "keys" | "jwt")[] => {
  const wanted = kinds.length === 0 ? ["off"] : [...new Set(kinds)];
  const known = wanted.filter((kind) => kind === "off" || kind === "keys" || kind === "jwt");
  const mixed = known.includes("off") && known.length > 1;
  if (known.length === wanted.length && !mixed) return known;
  context.addIssue('must be "off", "keys", "jwt" or "keys,jwt"');
  return z.NEVER;
});

const jwksUrl = text.refine((value) => value === undefined || isSafeUrl(value), {
  message:
    'must be a URL that begins with "https://" ("http://" only on this machine): whoever changes the keys in transit can pose as any user',
});

const origins = list.refine((values) => values.every(isOrigin), {
  message: "must be a list of origins, as in https://example.com,http://localhost:5173",
});

const proxies = list.refine((values) => values.every(isNetwork), {
  message: "must be a list of addresses or networks, as in 127.0.0.1,10.0.0.0/8",
});

const limits = list.transform((pairs, context): ServerLimits => {
  const given: [string, number][] = [];
  for (const pair of pairs) {
    const [name = "", number = ""] = pair.split("=", 2).map((part) => part.trim());
    const problem = findLimitProblem(name, number);
    if (problem !== null) {
      context.addIssue(problem);
      return z.NEVER;
    }
    given.push([name, Number(number)]);
  }
  return { ...DEFAULT_SERVER_LIMITS, ...Object.fromEntries(given) };
});

/** The server's variables. Empty values count as absent. */
export const ServerEnvironmentSchema = z.object({
  CONCIERGE_AUTH: auth,
  CONCIERGE_JWKS_URL: jwksUrl,
  CONCIERGE_JWT_ISSUER: text,
  CONCIERGE_JWT_AUDIENCE: text,
  CONCIERGE_CORS_ORIGINS: origins,
  CONCIERGE_TRUSTED_PROXIES: proxies,
  CONCIERGE_SERVER_LIMITS: limits,
});
export type ServerEnvironment = z.infer<typeof ServerEnvironmentSchema>;

/**
 * Creates the settings from parsed variables.
 *
 * @throws TypeError, one sentence that names the variable, if tokens are accepted and their issuer is not configured.
 */
export function toServerSettings(env: ServerEnvironment, version: string): ServerSettings {
  return {
    version,
    access: readAccess(env),
    origins: env.CONCIERGE_CORS_ORIGINS,
    trustedProxies: env.CONCIERGE_TRUSTED_PROXIES,
    limits: env.CONCIERGE_SERVER_LIMITS,
  };
}

function readAccess(env: ServerEnvironment): AccessSettings {
  if (env.CONCIERGE_AUTH.includes("off")) return { kind: "off" };
  const apiKeys = env.CONCIERGE_AUTH.includes("keys");
  if (!env.CONCIERGE_AUTH.includes("jwt")) return { kind: "on", apiKeys, jwt: null };
  return {
    kind: "on",
    apiKeys,
    jwt: {
      jwksUrl: needed(env, "CONCIERGE_JWKS_URL"),
      issuer: needed(env, "CONCIERGE_JWT_ISSUER"),
      audience: needed(env, "CONCIERGE_JWT_AUDIENCE"),
    },
  };
}

function needed(
  env: ServerEnvironment,
  name: "CONCIERGE_JWKS_URL" | "CONCIERGE_JWT_ISSUER" | "CONCIERGE_JWT_AUDIENCE",
): string {
  const value = env[name];
  if (value !== undefined) return value;
  throw new TypeError(`Cannot use CONCIERGE_AUTH "jwt": ${name} is not set; set it`);
}

/** Returns the end of a sentence that names the problem; null if there is none. */
function findLimitProblem(name: string, number: string): string | null {
  const names = Object.keys(DEFAULT_SERVER_LIMITS);
  if (!names.includes(name)) {
    return `has no limit "${name}"; the limits are ${names.join(", ")}`;
  }
  if (/^[1-9]\d{0,8}$/.test(number)) return null;
  return `must give "${name}" a whole number from 1 to 999999999`;
}

function isSafeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && here);
}

/** Tests for an origin in the form in which browsers send it. */
function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

function isNetwork(value: string): boolean {
  return value.includes("/") ? ipaddr.isValidCIDR(value) : ipaddr.isValid(value);
}
