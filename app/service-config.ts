import type { AccessSettings, ServerSettings } from "../server/settings.ts";
import type { SettingValues } from "./settings/settings.ts";

/** The settings of servers and workers. */
export interface ServiceConfig {
  readonly host: string;
  readonly port: number;
  /** The port, on the same host, for the status of a process that is only a worker; null for none. */
  readonly workerPort: number | null;
  /** Without the version, which is the program's and not in the environment. */
  readonly settings: Omit<ServerSettings, "version">;
  /** The maximum number of database connections of one process. */
  readonly poolSize: number;
  readonly worker: {
    /** The number of threads that it works on at once. */
    readonly slots: number;
    /** The time limit of one run, in milliseconds. */
    readonly runMs: number;
    /** The time that runs get after a request to stop, in milliseconds. */
    readonly drainMs: number;
  };
  /** Retention in hours and days, as `removeOldRows` takes them; null keeps rows for ever. */
  readonly retention: {
    readonly eventsHours: number;
    readonly runsDays: number;
    readonly checkpointsDays: number | null;
    readonly archiveDays: number | null;
  };
}

/** Makes the service's configuration of settings. */
export function toServiceConfig(values: SettingValues): ServiceConfig {
  return {
    host: values.CONCIERGE_HOST.value ?? "127.0.0.1",
    port: values.CONCIERGE_PORT.value,
    workerPort: values.CONCIERGE_WORKER_PORT.value,
    settings: {
      access: toAccess(values),
      origins: values.CONCIERGE_CORS_ORIGINS.value,
      trustedProxies: values.CONCIERGE_TRUSTED_PROXIES.value,
      limits: values.CONCIERGE_SERVER_LIMITS.value,
    },
    poolSize: values.CONCIERGE_POOL_SIZE.value,
    worker: {
      slots: values.CONCIERGE_WORKER_SLOTS.value,
      runMs: values.CONCIERGE_RUN_MINUTES.value * 60_000,
      drainMs: values.CONCIERGE_DRAIN_SECONDS.value * 1_000,
    },
    retention: {
      eventsHours: values.CONCIERGE_KEEP_EVENTS_HOURS.value,
      runsDays: values.CONCIERGE_KEEP_RUNS_DAYS.value,
      checkpointsDays: values.CONCIERGE_KEEP_CHECKPOINTS_DAYS.value,
      archiveDays: values.CONCIERGE_KEEP_ARCHIVE_DAYS.value,
    },
  };
}

function toAccess(values: SettingValues): AccessSettings {
  const kinds = values.CONCIERGE_AUTH.value;
  if (kinds.includes("off")) return { kind: "off" };
  const apiKeys = kinds.includes("keys");
  if (!kinds.includes("jwt")) return { kind: "on", apiKeys, jwt: null };
  return {
    kind: "on",
    apiKeys,
    jwt: {
      jwksUrl: requireText(values, "CONCIERGE_JWKS_URL"),
      issuer: requireText(values, "CONCIERGE_JWT_ISSUER"),
      audience: requireText(values, "CONCIERGE_JWT_AUDIENCE"),
    },
  };
}

/** A rule of the settings has refused tokens of nobody in particular before. */
function requireText(
  values: SettingValues,
  name: "CONCIERGE_JWKS_URL" | "CONCIERGE_JWT_ISSUER" | "CONCIERGE_JWT_AUDIENCE",
): string {
  const { value } = values[name];
  if (value !== null) return value;
  throw new TypeError(`Cannot accept tokens: ${name} is not set`);
}
