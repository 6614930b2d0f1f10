import { z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { ForeignThreadError, StateVersionError } from "../driver/turn-errors.ts";
import { DatabaseUnavailableError } from "../storage/postgres/database-error.ts";
import { KeyGoneError, UserBusyError } from "../storage/users/user-entry.ts";
import { describeIssue, describeUnion } from "./describe-issue.ts";
import { TooManyStreamsError } from "./stream/open-streams.ts";

/** Every problem by its stable code. */
const PROBLEMS = {
  invalid_json: { status: 400, title: "The body is not JSON" },
  bad_request: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "Not authenticated" },
  host_refused: { status: 403, title: "The server has another host name" },
  proxy_refused: { status: 403, title: "The server does not answer through a proxy" },
  origin_refused: { status: 403, title: "This page may not call the server" },
  route_not_found: { status: 404, title: "No such route" },
  assistant_not_found: { status: 404, title: "No such assistant" },
  thread_not_found: { status: 404, title: "No such thread" },
  run_not_found: { status: 404, title: "No such run" },
  checkpoint_not_found: { status: 404, title: "No such checkpoint" },
  method_not_allowed: { status: 405, title: "The route does not support this method" },
  request_too_slow: { status: 408, title: "The request took too long" },
  body_too_slow: { status: 408, title: "The body took too long" },
  thread_exists: { status: 409, title: "The thread already exists" },
  thread_busy: { status: 409, title: "The thread is busy" },
  state_missing: { status: 409, title: "The thread has no state yet" },
  run_exists: { status: 409, title: "The run already exists" },
  run_active: { status: 409, title: "The run has not ended" },
  nothing_to_resume: { status: 409, title: "Nothing to resume" },
  user_busy: { status: 409, title: "The user's data is in use" },
  state_version: { status: 409, title: "The thread was written by another version" },
  events_gone: { status: 410, title: "The events are no longer stored" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body has an unsupported type" },
  expectation_failed: { status: 417, title: "The expectation cannot be met" },
  invalid_request: { status: 422, title: "The request has an invalid value" },
  message_empty: { status: 422, title: "The message is empty" },
  message_id_taken: { status: 422, title: "Another message has that id" },
  message_too_long: { status: 422, title: "The message is too long" },
  // A client tries 5xx again, and that changes nothing here.
  not_supported: { status: 422, title: "Not supported" },
  rate_limited: { status: 429, title: "Too many requests" },
  too_many_streams: { status: 429, title: "Too many open streams" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  internal: { status: 500, title: "Unexpected error" },
  docs_missing: { status: 501, title: "The page is not installed" },
  database_unavailable: { status: 503, title: "The database cannot be reached" },
  keys_unavailable: { status: 503, title: "The issuer's keys cannot be read" },
  stopping: { status: 503, title: "The server is stopping" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The problem document that a client receives (RFC 9457). */
export const ProblemSchema = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.number().int(),
    code: z.string().openapi({ description: "Stable: programs decide by it." }),
    detail: z.string(),
    field: z
      .string()
      .optional()
      .openapi({ description: "A JSON pointer to the wrong part of body, query or path." }),
    requestId: z.string(),
  })
  .openapi("Problem");
export type ProblemDocument = z.infer<typeof ProblemSchema>;

/** Everything about a problem besides its code. */
export interface ProblemDetails {
  /** A sentence: 'Cannot <action> "<value>": what was found; what to do'. Never contains a secret, a stack or another user's id. */
  readonly detail: string;
  /** A JSON pointer into body, query or path. */
  readonly field?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that the client receives as a problem document; thrown anywhere below a route. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly status: (typeof PROBLEMS)[ProblemCode]["status"];
  readonly field: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, { detail, field, headers, cause }: ProblemDetails) {
    super(detail, { cause });
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.field = field ?? null;
    this.headers = headers ?? {};
  }
}

/** Returns the document of a problem. */
export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  return {
    type: "about:blank",
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    ...(problem.field === null ? {} : { field: problem.field }),
    requestId,
  };
}

/** Turns any error into a problem; an unexpected one becomes `internal`, without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ForeignThreadError) {
    return new Problem("thread_not_found", { detail: error.message, cause: error });
  }
  if (error instanceof KeyGoneError) {
    return new Problem("unauthorized", {
      detail: error.message,
      headers: { "www-authenticate": "Bearer" },
      cause: error,
    });
  }
  if (error instanceof UserBusyError) return comeAgain(error, 5);
  if (error instanceof TooManyStreamsError) return comeAgain(error, 1);
  if (error instanceof StateVersionError) {
    return new Problem(error.code, { detail: error.message, cause: error });
  }
  if (error instanceof DatabaseUnavailableError) {
    return new Problem("database_unavailable", {
      detail: "Cannot answer the request: the database cannot be reached; try again in a moment",
      headers: { "retry-after": "2" },
      cause: error,
    });
  }
  if (error instanceof HTTPException) return fromHttpException(error);
  return new Problem("internal", {
    detail:
      "Cannot answer the request: an unexpected error, which is in the log under the request's id; try again later",
    cause: error,
  });
}

function comeAgain(error: UserBusyError | TooManyStreamsError, seconds: number): Problem {
  return new Problem(error.code, {
    detail: error.message,
    headers: { "retry-after": String(seconds) },
    cause: error,
  });
}

/** Turns an error of the framework into a problem. */
function fromHttpException(error: HTTPException): Problem {
  if (error.status === 415) {
    return new Problem("unsupported_media_type", {
      detail: 'Cannot read the body: it is not JSON; send it with "content-type: application/json"',
      cause: error,
    });
  }
  if (error.message.startsWith("Malformed JSON")) {
    return new Problem("invalid_json", {
      detail: "Cannot read the body: it is not JSON; check its syntax",
      cause: error,
    });
  }
  if (error.status >= 500) return toProblem(new Error("Framework error", { cause: error }));
  return new Problem("bad_request", {
    detail: "Cannot read the request: it is not what HTTP and this route expect",
    cause: error,
  });
}

/** The word for each part of a request in a sentence. */
const PLACES: Readonly<Record<string, string>> = {
  json: "body",
  form: "body",
  query: "query",
  param: "path",
  header: "headers",
  cookie: "cookies",
};

/**
 * Creates the problem of a value that does not match its schema: of an unknown field, since another
 * one is missing where a name is wrong, else of the first issue.
 */
export function invalidRequest(error: z.core.$ZodError, target: string): Problem {
  const unknown = error.issues.find(({ code }) => code === "unrecognized_keys");
  const issue = unknown ?? error.issues[0];
  const { path, message } = deepest(issue ?? { path: [], message: "it has the wrong form" });
  const field = toPointer(path);
  const place = PLACES[target] ?? "request";
  const what = field === "" ? `the ${place}` : `"${field}" of the ${place}`;
  return new Problem("invalid_request", { detail: `Cannot use ${what}: ${message}`, field });
}

/** Returns a path as a JSON pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Finds the most telling issue: of a union's branches, the one that matched the longest path with the fewest issues, else one of the right type. */
function deepest(issue: Finding | z.core.$ZodIssue): Finding {
  if ("code" in issue && issue.code === "unrecognized_keys") {
    return { path: [...issue.path, issue.keys[0] ?? ""], message: describeIssue(issue) };
  }
  if (!("code" in issue)) return issue;
  if (issue.code !== "invalid_union") return { path: issue.path, message: describeIssue(issue) };
  const branches = issue.errors
    .toSorted((one, other) => one.length - other.length)
    .flatMap(([first]) => (first === undefined ? [] : [first]));
  const [best] = branches.map(deepest).toSorted((a, b) => b.path.length - a.path.length);
  const [fitting] = branches.filter(({ code }) => code !== "invalid_type").map(deepest);
  const nested = best === undefined || best.path.length === 0 ? fitting : best;
  if (nested === undefined) return { path: issue.path, message: describeUnion(issue) };
  return { path: [...issue.path, ...nested.path], message: nested.message };
}
