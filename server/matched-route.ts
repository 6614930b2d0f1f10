import { matchedRoutes } from "hono/route";
import type { ApiContext } from "./route.ts";

/** Returns the pattern of the route that answers, as `/threads/:thread_id`; null if none does. */
export function matchedRoute(context: ApiContext): string | null {
  return matchedRoutes(context).find(({ method }) => method !== "ALL")?.path ?? null;
}
