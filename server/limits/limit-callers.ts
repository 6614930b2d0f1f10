import type { MiddlewareHandler } from "hono";
import { addressKey, clientAddress } from "../access/client-address.ts";
import type { ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import type { ApiContext, ApiEnv } from "../route.ts";
import type { ServerSettings } from "../settings.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Requests that start a run. */
const STARTS_RUN = /^(?:\/chat|(?:\/threads\/[^/]+)?\/runs(?:\/stream|\/wait|\/batch)?)$/;

/** The paths that are exempt from a check. */
export interface PathRules {
  /** Answered without authentication, and counted by address. */
  readonly isPublic: (context: ApiContext) => boolean;
  /** Answered always. */
  readonly isUncounted: (context: ApiContext) => boolean;
}

/**
 * Authenticates callers and limits their rate. Requests without a valid key or token are counted by
 * address, so that guessing costs the database nothing; other callers at that address wait as well.
 */
export function authenticateAndRateLimit(
  parts: Pick<ServerParts, "authenticate" | "settings">,
  paths: PathRules,
): MiddlewareHandler<ApiEnv> {
  const { limits } = parts.settings;
  const addresses = createRateLimit(limits.requestsPerMinute);
  const callers = createRateLimit(limits.requestsPerMinute);
  const runs = createRateLimit(limits.runsPerMinute);
  return async (context, next) => {
    if (paths.isUncounted(context)) return next();
    const address = readAddressKey(context, parts.settings);
    assertRate(await addresses.secondsToWait(address));
    if (paths.isPublic(context)) {
      await addresses.consume(address);
      return next();
    }
    const caller = await parts.authenticate({ header: (name) => context.req.header(name) });
    if (caller === null) {
      await addresses.consume(address);
      throw unauthorized();
    }
    context.set("caller", caller);
    const { method, path } = context.req;
    assertRate(await callers.consume(caller.userId));
    if (method === "POST" && STARTS_RUN.test(path)) assertRate(await runs.consume(caller.userId));
    return next();
  };
}

function readAddressKey(context: ApiContext, settings: ServerSettings): string {
  const address = clientAddress({
    socket: context.env?.incoming?.socket.remoteAddress ?? "",
    forwardedFor: context.req.header("x-forwarded-for"),
    trusted: settings.trustedProxies,
  });
  return addressKey(address);
}

function assertRate(seconds: number): void {
  if (seconds === 0) return;
  throw new Problem("rate_limited", {
    detail: `Cannot accept the request: too many arrived in the last minute; try again in ${seconds} seconds`,
    headers: { "retry-after": String(seconds) },
  });
}

function unauthorized(): Problem {
  return new Problem("unauthorized", {
    detail:
      'Cannot identify the caller: there is no valid key or token; send one as "authorization: Bearer …" or "x-api-key: …"',
    headers: { "www-authenticate": "Bearer" },
  });
}
