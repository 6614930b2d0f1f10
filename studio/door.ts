import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { isLoopbackHost } from "../server/access/loopback.ts";

/** The page that shows Studio. */
export const STUDIO_ORIGIN = "https://smith.langchain.com";

/** The callers that the dev server admits, and the users they may name. */
export interface Door {
  /** Origins of pages that may call. */
  readonly origins: readonly string[];
  /** Lets a run's context name a user other than the default. */
  readonly anyUser: boolean;
}

/** Admits Studio's own page and the default user only. */
export const CLOSED_DOOR: Door = { origins: [STUDIO_ORIGIN], anyUser: false };

/** Hands the door from `npm run studio` to the dev server that it starts. Never read from `.env`. */
export const DOOR_VARIABLE = "CONCIERGE_STUDIO_DOOR";

const DoorSchema = z.strictObject({ origins: z.array(z.string()), anyUser: z.boolean() });

/**
 * Reads the door out of the environment; closed where nothing is set.
 *
 * @throws Error for a value that `npm run studio` did not write.
 */
export function readDoor(environment: Readonly<Record<string, string | undefined>>): Door {
  const written = environment[DOOR_VARIABLE];
  return written === undefined ? CLOSED_DOOR : DoorSchema.parse(JSON.parse(written));
}

/**
 * Refuses requests that a page of another origin may have caused. The dev server knows no keys, and
 * takes a `text/plain` body as JSON, which a browser sends to any address without asking first.
 */
export function guardDoor({ origins }: Pick<Door, "origins">): MiddlewareHandler {
  return async (context, next) => {
    if (!isLoopbackHost(context.req.header("host") ?? new URL(context.req.url).host)) {
      const error =
        "Cannot answer under this host name: Studio's server is 127.0.0.1 or localhost; use one of these";
      return context.json({ error }, 403);
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && !origins.includes(origin)) {
      const error =
        "Cannot be called from this page: its origin is not allowed; name it with npm run studio -- --origin ORIGIN";
      return context.json({ error }, 403);
    }
    if (hasForeignBody(context)) {
      const error = "Cannot read the body: send it as JSON, with content-type: application/json";
      return context.json({ error }, 415);
    }
    return next();
  };
}

/** Path to which requests to internal routes are sent: no route has it. */
const CLOSED_PATH = "/closed";

const RequestStartSchema = z.object({ request: z.instanceof(IncomingMessage) });

/**
 * Closes the dev server's `/internal` routes, which delete everything that it keeps. They stand before
 * the guard, so the path of such a request is changed before any route sees it.
 */
export function closeInternalRoutes(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = RequestStartSchema.parse(message);
    if (isInternal(request.url ?? "")) request.url = CLOSED_PATH;
  });
}

function isInternal(url: string): boolean {
  try {
    // A request line may hold a whole address, as to a proxy.
    const { pathname } = new URL(/^[a-z]+:/iu.test(url) ? url : `http://localhost${url}`);
    return /^\/+internal(?:\/|$)/iu.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

function hasForeignBody({ req }: Context): boolean {
  const type = req.header("content-type");
  if (type !== undefined) return !JSON_TYPE.test(type);
  return (
    (req.header("content-length") ?? "0") !== "0" || req.header("transfer-encoding") !== undefined
  );
}
