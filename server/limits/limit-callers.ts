import type { MiddlewareHandler } from "hono";
import { addressKey, clientAddress } from "../access/client-address.ts";
import type { Authenticate, Caller, ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import type { ApiContext, ApiEnv } from "../route.ts";
import type { ServerSettings } from "../settings.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Requests that start a run. */
const STARTS_RUN = /^(?:\/chat|(?:\/threads\/[^/]+)?\/runs(?:\/stream|\/wait|\/batch)?)$/;

/**
 * Authenticates callers and limits their rate. Requests without a valid key or token are counted by
 * address, so that guessing costs the database nothing; others at that address wait, too.
 *
 * `isPublic` paths are answered to anybody, counted by address too; `isUncounted` ones always.
 */
export function authenticateAndRateLimit(
  parts: Pick<ServerParts, "authenticate" | "settings">,
  paths: {
    readonly isPublic: (context: ApiContext) => boolean;
    readonly isUncounted: (context: ApiContext) => boolean;
  },
): MiddlewareHandler<ApiEnv> {
  const { limits } = parts.settings;
  const addresses = createRateLimit(limits.requestsPerMinute);
  const callers = createRateLimit(limits.requestsPerMinute);
  const runs = createRateLimit(limits.runsPerMinute);
  return async (context, next) => {
    if (paths.isUncounted(context)) return next();
    const address = readAddressKey(context, parts.settings);
    assertRate(await addresses.secondsToWait(address));
    const { isPublic } = paths;
    const caller = await authenticateCaller(context, {
      isPublic,
      authenticate: parts.authenticate,
    });
    if (caller === "anybody") {
      await addresses.consume(address);
      return next();
    }
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

async function authenticateCaller(
  context: ApiContext,
  options: {
    readonly isPublic: (context: ApiContext) => boolean;
    readonly authenticate: Authenticate;
  },
): Promise<Caller | null | "anybody"> {
  if (options.isPublic(context)) return "anybody";
  return options.authenticate({ header: (name) => context.req.header(name) });
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
    detail: `Cannot take the request: too many came in the last minute; try again in ${seconds} seconds`,
    headers: { "retry-after": String(seconds) },
  });
}

function unauthorized(): Problem {
  return new Problem("unauthorized", {
    detail:
      'Cannot tell who asks: there is no valid key or token; send one as "authorization: Bearer …" or "x-api-key: …"',
    headers: { "www-authenticate": "Bearer" },
  });
}
