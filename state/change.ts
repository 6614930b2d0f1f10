import { z } from "zod";
import type { Constraint } from "./constraint.ts";
import type { EffectOrigin } from "./store.ts";
import { JsonObjectSchema, type JsonObject } from "./json.ts";

/**
 * One row that an effect changed, as the journal has it: children folded into their parent, several
 * changes of one row into one. Values are columns by name, hidden ones included, and inline lists
 * under theirs; foreign keys are ids.
 */
export const ChangeSchema = z.object({
  action: z.enum(["create", "update", "delete"]),
  type: z.string(),
  /** The database id; never shown. */
  id: z.string(),
  /** Null where the conversation has no ref for the row. */
  ref: z.string().nullable(),
  label: z.string(),
  /** The present row; null for a creation. */
  before: JsonObjectSchema.nullable(),
  /** The proposed row; null for a deletion. */
  after: JsonObjectSchema.nullable(),
  /** The version before the change; null for a creation. */
  version: z.number().int().nullable(),
  /** Names of the columns and lists whose values differ. */
  changed: z.array(z.string()),
  /** Of a new row, those that the call itself gives values; left out where that is not known, and for every other change. */
  given: z.array(z.string()).optional(),
  /** Named by ref or created, matched by a filter, or caused by a foreign key or a trigger. */
  cause: z.enum(["named", "found", "follows"]),
});
export type Change = z.infer<typeof ChangeSchema>;

/** A row, or an item of a row's list, as a person can name it. */
export interface NameableRow {
  readonly type: string;
  /** The database id; null for an item. */
  readonly id: string | null;
  /** Null where the conversation has no ref for it. */
  readonly ref: string | null;
  /** Empty where it is to be found by type and id. */
  readonly label: string;
  /** Its values, where they are at hand. */
  readonly before?: JsonObject | null;
}

/** Origin of a change. A draft is checked as a creation that nobody has asked to store. */
export type ChangeOrigin = EffectOrigin | "draft";

/** The facts available to checks. */
export interface CheckContext {
  readonly origin: ChangeOrigin;
  readonly constraints: readonly Constraint[];
  /** The facts of the domain's `loadProfile`. */
  readonly profile: JsonObject;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** The current turn: numbers that were asked for in an earlier one ("8 meals") are not held against it. */
  readonly turn: number | null;
  /**
   * The rows at the end of a path that the check declares in `links`, as they are after the change:
   * columns by name with the key, foreign keys as ids, inline lists as lists of objects. A path that
   * ends in a list has its items.
   */
  readonly linked: (change: Change, path: string) => readonly JsonObject[];
}

/** A rule that a change breaks. Overridable where the person may say so. */
export const BreachSchema = z.object({
  kind: z.literal("breach"),
  /** The wish or rule, in the person's words where there are any. */
  rule: z.string(),
  reason: z.string(),
  overridable: z.boolean(),
});
export type Breach = z.infer<typeof BreachSchema>;

/** Most rows of a kind that a question or a receipt names, and that a call creates without a question: nobody can agree to what was not shown. */
export const NAMED_ROWS = 50;

/** Most characters of a reason that a check gives, and of one that a receipt shows. */
export const REASON_CHARACTERS = 600;

/**
 * The answer of a check. A breach keeps the change from happening, unless it is overridable and the
 * person says so; a confirmation asks first; a warning is carried out, and stands above the reply as
 * `Note: …`, after an undo as well. Reasons name things by their labels, never by refs or ids, and are
 * cut at `REASON_CHARACTERS`.
 */
export const VerdictSchema = z.discriminatedUnion("kind", [
  BreachSchema,
  z.object({ kind: z.literal("confirm"), rule: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("warning"), rule: z.string(), reason: z.string() }),
]);
export type Verdict = z.infer<typeof VerdictSchema>;

/** A rule of the domain over changes. */
export interface Check {
  /** For logs: `allergies`. */
  readonly name: string;
  /** Entity types that it looks at. */
  readonly types: readonly string[];
  readonly actions: readonly Change["action"][];
  /**
   * Paths to other rows that it needs: `recipe_id.ingredients` follows a column to a row's list,
   * `recipe_id` to the row, `meal<recipe_id` finds the meals that point here, and `meal<*` all
   * meals. Rows carry their key under its column's name. Default: none.
   */
  readonly links?: readonly string[];
  /** Judges all changes of its types together, so that counts can be checked. Pure. */
  readonly run: (changes: readonly Change[], context: CheckContext) => readonly Verdict[];
}
