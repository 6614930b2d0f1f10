import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "./json.ts";

/** The type of a column, which decides how its values are read and checked. */
export type ColumnKind =
  | "text"
  | "integer"
  /** A decimal number; rows carry it as a JSON number. */
  | "number"
  | "boolean"
  /** `YYYY-MM-DD`. */
  | "date"
  /** ISO 8601 with offset. */
  | "timestamp"
  /** One of `values`. */
  | "choice"
  /** A list of short texts. */
  | "tags";

/** One column of an entity's table, as models, filters and writes may use it. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The allowed values of a `choice`. */
  readonly values?: readonly string[];
  readonly nullable: boolean;
  /** True when a create or update may set it. */
  readonly writable: boolean;
  /** The entity type this column points at; its values are refs wherever a model sees them. */
  readonly references?: string;
  /** A few words for the schema shown to models. */
  readonly about?: string;
}

/** Rows that live and die with their parent (a recipe's ingredients); they have no refs of their own. */
export interface ChildTable {
  /** The name under which the parent row carries them. */
  readonly name: string;
  readonly table: string;
  readonly foreignKey: string;
  /** Columns that order the children. */
  readonly orderBy: string;
  readonly columns: readonly Column[];
}

/** The amount of a row that is held: only its label, the summary columns, or everything. */
export const DetailSchema = z.enum(["none", "summary", "full"]);
export type Detail = z.infer<typeof DetailSchema>;

/** One kind of thing a domain knows. */
export interface EntityType {
  /** `recipe`. Also the prefix of its refs unless `refPrefix` says otherwise. */
  readonly type: string;
  /** `recipe` in `recipe_3`, `inv` in `inv_12`; a draft is `gen_recipe_1`. */
  readonly refPrefix: string;
  readonly table: string;
  /** Singular and plural noun: `recipe`, `recipes`; `inventory item`, `inventory items`. */
  readonly words: { readonly one: string; readonly many: string };
  readonly columns: readonly Column[];
  readonly children: readonly ChildTable[];
  /** Column names read at `summary` detail (children's names come with it); `full` is every column. */
  readonly summary: readonly string[];
  /** The order of a read that names none; `id` is appended. */
  readonly orderBy: readonly string[];
  /** The short name a person would use. Pure. */
  readonly label: (values: JsonObject) => string;
  /** One line of what matters for choosing: a recipe's main ingredients and time. Pure; may be empty. */
  readonly facts: (values: JsonObject) => string;
}

/** One row as tools return it. `values` holds columns by name and children by their name; ids are still database ids. */
export const EntityRowSchema = z.object({
  id: z.string(),
  rowVersion: z.number().int(),
  values: JsonObjectSchema,
});
export type EntityRow = z.infer<typeof EntityRowSchema>;
