import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Problem } from "../problems.ts";
import type { ApiContext, ApiEnv } from "../route.ts";
import type { ServerSettings } from "../settings.ts";
import { isLoopbackAddress, isLoopbackHost } from "./loopback.ts";

/**
 * Protects a server without authentication. A page in the person's own browser could call it, so Host
 * (against DNS rebinding) and Origin are checked; others could reach it through a proxy on this
 * machine, so requests from proxies are refused.
 */
export function guardLoopback(settings: ServerSettings): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    if (settings.access.kind === "off") {
      assertOwnHost(context);
      assertNoProxy(context);
      assertOwnOrigin(context, settings.origins);
    }
    await next();
  };
}

function assertOwnHost(context: ApiContext): void {
  const host = readHost(context);
  if (isLoopbackHost(host)) return;
  throw new Problem("host_refused", {
    detail:
      "Cannot answer under this host name: without authentication the server is 127.0.0.1 or localhost; use one of these, or switch authentication on",
  });
}

function assertNoProxy(context: ApiContext): void {
  if (!isForwarded(context)) return;
  throw new Problem("proxy_refused", {
    detail:
      "Cannot answer through a proxy: without authentication everyone behind it would be the same user; switch authentication on",
  });
}

function assertOwnOrigin(context: ApiContext, allowed: readonly string[]): void {
  const origin = context.req.header("origin");
  if (origin === undefined || allowed.includes(origin)) return;
  if (origin === `http://${readHost(context)}`) return;
  throw new Problem("origin_refused", {
    detail:
      "Cannot be called from this page: its origin is not allowed; name it in CONCIERGE_CORS_ORIGINS",
  });
}

function readHost(context: ApiContext): string {
  return context.req.header("host") ?? new URL(context.req.url).host;
}

/** Tests that the request was made on this machine: from a loopback address, under a loopback name, through no proxy that names itself. */
export function isFromHere(context: ApiContext): boolean {
  const address = context.env?.incoming?.socket.remoteAddress ?? "127.0.0.1";
  return isLoopbackAddress(address) && isLoopbackHost(readHost(context)) && !isForwarded(context);
}

/** Headers that proxies add; not all proxies do. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

function isForwarded(context: ApiContext): boolean {
  return FORWARDED.some((name) => context.req.header(name) !== undefined);
}

/** Lets the pages of the configured origins call from a browser, and no other. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ApiEnv> {
  if (origins.length === 0) return async (_context, next) => next();
  return cors({
    origin: [...origins],
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    exposeHeaders: [
      "content-location",
      "location",
      "retry-after",
      "x-pagination-next",
      "x-pagination-total",
      "x-request-id",
      "x-run-id",
      "x-thread-id",
    ],
    maxAge: 600,
  });
}
