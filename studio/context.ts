import { z } from "zod";
import { isDay, localeNamed, timeZoneNamed } from "../state/calendar.ts";
import { didYouMean } from "../text/nearest.ts";
import { isUserId, USER_ID_FORM } from "../server/access/user-id.ts";
import type { Limits } from "../state/limits.ts";
import {
  describeLimit,
  LanesChoiceSchema,
  RUN_LIMITS,
  type RunLimit,
} from "../state/turn-context.ts";

/** The values of empty fields, and the bounds of the others. */
export interface ContextDefaults {
  /** The program's limits: a run may lower them, never raise them. */
  readonly limits: Limits;
  /** Lets the context name a user other than the default. */
  readonly anyUser: boolean;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
}

const DEFAULT_USER = "demo";

/** Creates the schema of a run's context: flat, every field described, as Studio's form shows it. */
export function createContextSchema(defaults: ContextDefaults) {
  return z.strictObject({
    user: z
      .string()
      .refine(isUserId, `is not a user name; write ${USER_ID_FORM}`)
      .refine(
        (user) => defaults.anyUser || user === DEFAULT_USER || !isUserId(user),
        `is not "${DEFAULT_USER}"; leave it out, or start Studio with npm run studio -- --any-user`,
      )
      .default(DEFAULT_USER)
      .describe(
        "The person's user. demo has a stocked kitchen, other users begin with an empty one.",
      ),
    today: z
      .string()
      .refine(isDay, "is not a calendar day; write YYYY-MM-DD, as in 2026-01-12")
      .optional()
      .describe("The current day, as YYYY-MM-DD. Empty: today in the time zone."),
    timeZone: z
      .string()
      .default(defaults.timeZone)
      .describe("The person's time zone by its IANA name, as in Europe/Berlin.")
      .transform(named(timeZoneNamed, "is not a time zone; write one as in Europe/Berlin")),
    locale: z
      .string()
      .default(defaults.locale)
      .describe("The person's language and region as a BCP 47 tag, as in en-GB.")
      .transform(named(localeNamed, "is not a language tag; write one as in en or de-AT")),
    lanes: LanesChoiceSchema.default("both").describe(
      "Which lanes may answer: the task lane plans meals, the concierge is for everything else.",
    ),
    ...limitFields(defaults.limits),
  });
}
export type StudioContext = z.infer<ReturnType<typeof createContextSchema>>;

/** Returns the JSON Schema of the context, as it may be written. */
export function contextJsonSchema(defaults: ContextDefaults) {
  return z.toJSONSchema(createContextSchema(defaults), { target: "draft-7", io: "input" });
}

/**
 * Reads a run's context. Fields that are missing, null or empty get their defaults.
 *
 * @throws TypeError, one sentence that names every field that is wrong.
 */
export function readContext(context: unknown, defaults: ContextDefaults): StudioContext {
  const schema = createContextSchema(defaults);
  const given = GivenSchema.safeParse(context ?? {});
  if (!given.success) {
    throw new TypeError(
      'Cannot use the run\'s context: it is not an object; write one as in { "user": "demo" }',
    );
  }
  const written = Object.entries(given.data).filter(([, value]) => value !== null && value !== "");
  const parsed = schema.safeParse(Object.fromEntries(written));
  if (parsed.success) return parsed.data;
  const names = Object.keys(schema.shape);
  const problems = parsed.error.issues.flatMap((issue) =>
    describeProblems(issue, given.data, names),
  );
  throw new TypeError(`Cannot use the run's context: ${problems.join("; ")}`);
}

const GivenSchema = z.record(z.string(), z.unknown());

function describeProblems(
  issue: z.core.$ZodIssue,
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `it has no field "${key.slice(0, 40)}"${meant(key, names)}`);
  }
  const name = String(issue.path[0] ?? "");
  const value = JSON.stringify(given[name]).slice(0, 60);
  return [`${name} ${value} ${describeProblem(issue)}`];
}

function meant(key: string, names: readonly string[]): string {
  const guess = didYouMean(key, names);
  return guess === "" ? `; its fields are ${names.join(", ")}` : guess;
}

function describeProblem(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "custom":
      return issue.message;
    case "too_big":
      return `is more than the program allows; write ${issue.maximum} or less`;
    case "too_small":
      return `is too small; write ${issue.minimum} or more`;
    case "invalid_value":
      return `is not one of the choices; write ${issue.values.join(", ")}`;
    default:
      return `is refused: ${issue.message}`;
  }
}

function limitFields(limits: Limits) {
  const createField = (name: RunLimit) =>
    z.number().int().min(1).max(limits[name]).default(limits[name]).describe(describeLimit(name));
  const fields = RUN_LIMITS.map((name) => [name, createField(name)] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(fields) as Record<RunLimit, ReturnType<typeof createField>>;
}

function named(find: (name: string) => string | null, wrong: string) {
  return (name: string, context: z.core.$RefinementCtx): string => {
    const found = find(name);
    if (found !== null) return found;
    context.addIssue({ code: "custom", message: wrong });
    return z.NEVER;
  };
}
