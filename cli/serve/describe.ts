import type { AccessSettings } from "../../server/settings.ts";
import type { Config } from "../../app/config.ts";

/** Describes the ways of authentication in a few words. */
export function describeAccess(access: AccessSettings): string {
  if (access.kind === "off") {
    return 'off: every caller is the user "demo", and only this machine can connect';
  }
  const ways = [
    ...(access.apiKeys ? ["API keys (npm run keys -- create --user NAME makes one)"] : []),
    ...(access.jwt === null ? [] : [`tokens of ${access.jwt.issuer}`]),
  ];
  return ways.join(" and ");
}

/** Describes the database, without user and password. */
export function describeDatabase(config: Pick<Config, "databaseUrl" | "dataDir">): string {
  if (config.databaseUrl === null) return `an embedded PostgreSQL in ${config.dataDir}`;
  const url = URL.canParse(config.databaseUrl) ? new URL(config.databaseUrl) : null;
  if (url === null || url.hostname === "") return "the one in DATABASE_URL";
  return `${decodeURIComponent(url.pathname.slice(1)) || "the default one"} at ${url.host}`;
}
