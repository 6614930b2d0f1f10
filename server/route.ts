import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Caller, RouteParts } from "./parts.ts";
import { ProblemSchema } from "./problems.ts";

/** The environment of a route's context. */
export interface ApiEnv {
  /** Node's request and response; absent if the app is called without a socket, as in tests. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Not set on public routes. */
    caller: Caller;
  };
}
export type ApiApp = OpenAPIHono<ApiEnv>;
export type ApiContext = Context<ApiEnv>;

/** Adds routes to the app. Errors of its handlers become problem documents. */
export type RegisterRoutes = (app: ApiApp, parts: RouteParts) => void;

/** The problem answer of every route: `responses: { 200: …, ...PROBLEM_RESPONSE }`. */
export const PROBLEM_RESPONSE = {
  default: {
    description: "A problem document (RFC 9457)",
    content: { "application/problem+json": { schema: ProblemSchema } },
  },
} as const;

/** Describes a route that answers 200 with JSON, or a problem. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    200: { description, content: { "application/json": { schema } } },
    ...PROBLEM_RESPONSE,
  } as const;
}

/** Describes an optional JSON body; a required one is `{ required: true, ...jsonBody(…) }`. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { content: { "application/json": { schema } } } as const;
}
