import ipaddr from "ipaddr.js";
import { z } from "zod";
import { serverLimits } from "./named-numbers.ts";
import { days, commaList, MOST_HOURS, textOrNull, whole, wholeDays } from "./schemas.ts";
import { defineSetting, type ProgramCommand } from "./setting.ts";

/** The default port, which is also the default of LangGraph's clients. */
export const DEFAULT_PORT = 8123;

const commands: readonly ProgramCommand[] = ["start", "library"];
const port = { min: 0, max: 65_535 };

/** Tests for a name or address without a port. */
export function isHost(value: string): boolean {
  return /^[\w.:-]{1,253}$/.test(value);
}

const host = textOrNull.refine((value) => value === null || isHost(value), {
  message: "must be a name or an address to listen on, as in 127.0.0.1 or ::1",
});

const auth = commaList.transform((kinds, context): readonly ("off" | "keys" | "jwt")[] => {
  const wanted = kinds.length === 0 ? ["off"] : [...new Set(kinds)];
  const known = wanted.filter((kind) => kind === "off" || kind === "keys" || kind === "jwt");
  const mixed = known.includes("off") && known.length > 1;
  if (known.length === wanted.length && !mixed) return known;
  context.addIssue('must be "off", "keys", "jwt" or "keys,jwt"');
  return z.NEVER;
});

const jwksUrl = textOrNull.refine((value) => value === null || isSafeUrl(value), {
  message:
    'must be a URL that begins with "https://" ("http://" only on this machine): whoever changes the keys in transit can pose as any user',
});

const origins = commaList.refine((values) => values.every(isOrigin), {
  message: "must be a list of origins, as in https://example.com,http://localhost:5173",
});

const proxies = commaList.refine((values) => values.every(isNetwork), {
  message: "must be a list of addresses or networks, as in 127.0.0.1,10.0.0.0/8",
});

/** The HTTP server and who may call it. */
export const SERVER_SETTINGS = [
  defineSetting({
    name: "CONCIERGE_HOST",
    schema: host,
    commands,
    help: "Address of npm start. Default: 127.0.0.1; any other but loopback requires CONCIERGE_AUTH",
  }),
  defineSetting({
    name: "CONCIERGE_PORT",
    schema: whole({ ...port, fallback: DEFAULT_PORT }),
    commands,
    help: `Port of npm start, 0 for any that is free. Default: ${DEFAULT_PORT}`,
  }),
  defineSetting({
    name: "CONCIERGE_AUTH",
    schema: auth,
    commands,
    help: "Authentication: off, keys (made with npm run keys), jwt (tokens of an issuer) or keys,jwt. Default: off",
    details: 'With off, every caller is the user "demo", on this machine only.',
  }),
  defineSetting({
    name: "CONCIERGE_JWKS_URL",
    schema: jwksUrl,
    commands,
    help: "For jwt: the address of the issuer's public keys. Default: none",
    example: "https://issuer.example/.well-known/jwks.json",
  }),
  defineSetting({
    name: "CONCIERGE_JWT_ISSUER",
    schema: textOrNull,
    commands,
    help: 'For jwt: the issuer that a token must have; its "sub" is the user. Default: none',
  }),
  defineSetting({
    name: "CONCIERGE_JWT_AUDIENCE",
    schema: textOrNull,
    commands,
    help: "For jwt: the audience that a token must have. Default: none",
  }),
  defineSetting({
    name: "CONCIERGE_CORS_ORIGINS",
    schema: origins,
    commands,
    help: "Origins of pages that may call from a browser. Default: none",
    example: "https://example.com,http://localhost:5173",
  }),
  defineSetting({
    name: "CONCIERGE_TRUSTED_PROXIES",
    schema: proxies,
    commands,
    help: "Proxies whose X-Forwarded-For is trusted. Default: none",
    example: "127.0.0.1,10.0.0.0/8",
  }),
  defineSetting({
    name: "CONCIERGE_SERVER_LIMITS",
    schema: serverLimits,
    commands,
    help: "Limits of one server process, by name; docs/operating.md lists them and their defaults",
    example: "runsPerMinute=30, streamsPerCaller=10",
  }),
] as const;

/** Workers, and what they share with servers. */
export const WORKER_SETTINGS = [
  defineSetting({
    name: "CONCIERGE_WORKER_SLOTS",
    schema: whole({ min: 1, max: 500, fallback: 16 }),
    commands,
    help: "Threads that a worker runs at once, 1 to 500. Default: 16",
  }),
  defineSetting({
    name: "CONCIERGE_RUN_MINUTES",
    schema: whole({ min: 1, max: 1_440, fallback: 15 }),
    commands,
    help: "Minutes after which a run is stopped, 1 to 1440. Default: 15",
  }),
  defineSetting({
    name: "CONCIERGE_DRAIN_SECONDS",
    schema: whole({ min: 0, max: 3_600, fallback: 20 }),
    commands,
    help: "Seconds that active runs get when the process is asked to end, 0 to 3600. Default: 20",
  }),
  defineSetting({
    name: "CONCIERGE_WORKER_PORT",
    schema: whole({ ...port, fallback: null }),
    commands,
    help: "Port on CONCIERGE_HOST for /ok and /metrics of a process that is only a worker. Default: none",
  }),
  defineSetting({
    name: "CONCIERGE_POOL_SIZE",
    schema: whole({ min: 2, max: 500, fallback: 20 }),
    commands,
    help: "Database connections of one server or worker process, 2 to 500. Default: 20",
    details: "Heartbeats and notifications use two more.",
  }),
] as const;

/** Times for which rows are kept. */
export const RETENTION_SETTINGS = [
  defineSetting({
    name: "CONCIERGE_KEEP_EVENTS_HOURS",
    schema: whole({ min: 1, max: MOST_HOURS, fallback: 24 }),
    commands,
    help: "Hours to keep the events of finished runs, for streaming them again. Default: 24",
  }),
  defineSetting({
    name: "CONCIERGE_KEEP_RUNS_DAYS",
    schema: wholeDays(30),
    commands,
    help: "Days to keep finished runs. Default: 30",
  }),
  defineSetting({
    name: "CONCIERGE_KEEP_CHECKPOINTS_DAYS",
    schema: days(30),
    commands,
    help: "Days after which an unused thread keeps only its newest checkpoint, or never. Default: 30",
  }),
  defineSetting({
    name: "CONCIERGE_KEEP_ARCHIVE_DAYS",
    schema: days(null),
    commands,
    help: "Days to keep turns in the archive, at least the limit repetitionDays, or never to remove them. Default: never",
    details: "`recall` finds nothing older.",
  }),
] as const;

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
