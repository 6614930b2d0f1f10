import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "./json.ts";

/** An action of a generic tool or route on rows of a type. */
export type Right = "read" | "create" | "update" | "delete";

/** The type of a column, which decides how its values are read and checked. */
export type ColumnKind =
  | "text"
  /** Up to `bigint`; a text of its digits where JavaScript cannot hold them. */
  | "integer"
  /** A decimal number; rows carry it as a JSON number, or as such a text. */
  | "number"
  | "boolean"
  /** `YYYY-MM-DD`. */
  | "date"
  /** ISO 8601 with offset. A column without time zone is read as UTC, and cannot be set. */
  | "timestamp"
  /** One of `values`. A column of an enum cannot be set: make it a text with a check constraint. */
  | "choice"
  /** A list of short texts. */
  | "tags"
  /** A nested value, read only; prompts show it as `key: value`. */
  | "json";

/** One column of an entity's table, as models, filters and writes may use it. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The words by which a person knows it. Default: its name in words, as "due date" for `due_date`. */
  readonly label?: string;
  /** False where a creation must give it, unless it `hasDefault`. Default true. */
  readonly nullable?: boolean;
  /** True where the database gives a value that a creation leaves out, so that it may. Default false. */
  readonly hasDefault?: boolean;
  /** When generic tools and routes may set it; a key at most with `create`. Default `never`: only the domain's own tools do. */
  readonly set?: "never" | "create" | "always";
  /** False keeps it out of every prompt, filter, route and receipt, as for a column that only `orderBy` needs. Default true. */
  readonly visible?: boolean;
  /** The allowed values of a `choice`. */
  readonly values?: readonly string[];
  /** The entity type this column points at: models read it, and set it, as the ref of a row. */
  readonly references?: string;
  /** A few words for the schema shown to models. */
  readonly about?: string;
  /** True for a value that the clock or chance computes: left out where two states are compared. Without it a "yes" to a change whose value differs each time asks again. Default false. */
  readonly volatile?: boolean;
}

/**
 * Rows without refs that are replaced as a whole: a recipe's ingredients. At most 200 a parent. A
 * replacement that would lose values that nobody may set is refused.
 */
export interface InlineList {
  readonly kind: "inline";
  /** The name under which the parent row carries them. */
  readonly name: string;
  readonly table: string;
  readonly foreignKey: string;
  /** Column that orders the rows. */
  readonly orderBy: string;
  readonly columns: readonly Column[];
}

/**
 * Rows that are entities themselves: an order's items, with refs, filters, pages and rights of their
 * own. A whole read of the parent brings their number and the first of them; reads of their type
 * filter on `foreignKey` and go on after a ref, so that a parent may have thousands.
 */
export interface EntityList {
  readonly kind: "entities";
  readonly name: string;
  readonly type: string;
  readonly foreignKey: string;
  /** Rows shown with the parent. Default 12. */
  readonly shown?: number;
}

/**
 * The number of changes above which a person is asked, and whether rows that they did not name count
 * as well. Where the message asks for no change, every change is a question whatever the rule.
 */
export type ConfirmRule =
  | "never"
  | "always"
  | { readonly above: number; readonly unnamed: boolean };

/** The amount of a row that is held: only its label, the summary columns, or everything. */
export const DetailSchema = z.enum(["none", "summary", "full"]);
export type Detail = z.infer<typeof DetailSchema>;

/** A noun in both numbers. */
export interface Words {
  readonly one: string;
  readonly many: string;
}

/** One kind of thing a domain knows, as its developer describes it. */
export interface EntityType {
  /** `recipe`. */
  readonly type: string;
  /** `inv` in `inv_12`; a draft is `gen_inv_1`. Default: the type. */
  readonly refPrefix?: string;
  /**
   * `orders`, or `shop.orders` in a schema of its own, as the database has the name: without quotes,
   * and with no dot or quote in it. Or a view, which is read only and needs `security_invoker` and, for
   * `concierge_app` and `concierge_admin`, `select` on the tables behind it. A view gives a table with
   * several key columns one, which has to be unique and never null:
   * `select jsonb_build_array(order_no, line_no)::text as id, * from shop.order_lines`; and it finds a
   * person's rows by another column than `user_id`, where its table has row-level security and
   * `create policy own_rows on shop.orders using (customer_id = concierge.concierge_user())`.
   */
  readonly table: string;
  /** `recipe`, `recipes`; `also` are further nouns by which people name them: one that is not there ties no message to the rows. */
  readonly words: Words & { readonly also?: readonly string[] };
  /** Rights of generic tools and routes, and of the program's login in the database. A domain's own tools have their own `writes`. Default: read. */
  readonly rights?: readonly Right[];
  /** `subject`: rows belong to a user. `shared`: everybody reads, nobody writes; rows are loaded before `concierge_share`, or by a `demo` seed. Default `subject`. */
  readonly ownership?: "subject" | "shared";
  /** A column that no row ever changes, since refs and undo find rows by it. Default: the column `id` of kind `uuid`. */
  readonly key?: Key;
  /** Sign of a change: a `row_version` column, or a hash of the row's content for a table without one. Default `row_version`. */
  readonly version?: "row_version" | "content";
  readonly columns: readonly Column[];
  readonly lists?: readonly (InlineList | EntityList)[];
  /** Column names read at `summary` detail; `full` is every visible column. A list named here shows labels, another its count. */
  readonly summary: readonly string[];
  /** The order of a read that names none; the key is appended. */
  readonly orderBy: readonly string[];
  /** The short name a person would use; a row that is still to be created may lack values. A moment in it (`2026-01-13T17:00:00Z`), as in `facts`, is shown in the person's time zone. Pure. */
  readonly label: (values: JsonObject) => string;
  /** One line of what matters for choosing: a recipe's main ingredients and time. Pure. Default: nothing. */
  readonly facts?: (values: JsonObject) => string;
  /** When a person is asked first. Default: deletions of more than 3 rows or of rows not named, updates of more than 20, creations of more than 50; items that an update takes out of an inline list or a `tags` column are deletions, unless updates are `never` asked about. Rows that a foreign key takes along do not count; of another type and no list of the row, or of a table that no type describes, they make a deletion a question. */
  readonly confirm?: Partial<Record<Exclude<Right, "read">, ConfirmRule>>;
}

/** The column that identifies a row. One that people know is described as a column as well: then models see it too. */
export interface Key {
  readonly column: string;
  readonly kind: "uuid" | "text" | "integer";
}

/**
 * One row as tools return it. `values` holds columns by name and lists by their name: inline ones as
 * their items or their count, those of entities, in a read, as `{ total, ids }`. Ids are still
 * database ids.
 */
export const EntityRowSchema = z.object({
  id: z.string(),
  rowVersion: z.number().int(),
  values: JsonObjectSchema,
});
export type EntityRow = z.infer<typeof EntityRowSchema>;

/** The lists of a type that are replaced as a whole with it. */
export function listInlineLists({ lists = [] }: Pick<EntityType, "lists">): readonly InlineList[] {
  return lists.filter((list) => list.kind === "inline");
}

/** The lists of a type whose rows are entities themselves. */
export function listEntityLists({ lists = [] }: Pick<EntityType, "lists">): readonly EntityList[] {
  return lists.filter((list) => list.kind === "entities");
}

/** Returns the nouns by which people name rows of a type. */
export function listNouns({
  words: { one, many, also = [] },
}: Pick<EntityType, "words">): readonly string[] {
  return [one, many, ...also];
}

/** The columns that prompts, routes and receipts may show. */
export function listVisibleColumns({ columns }: Pick<EntityType, "columns">): readonly Column[] {
  return columns.filter(({ visible = true }) => visible);
}

/** Returns true for a column of numbers that are no keys of other rows. */
export function holdsNumbers({ kind, references }: Column): boolean {
  return references === undefined && (kind === "number" || kind === "integer");
}

/** Returns true where a generic tool or route may do that with rows of the type. */
export function hasRight({ rights = ["read"] }: Pick<EntityType, "rights">, right: Right): boolean {
  return rights.includes(right);
}

/** Returns true where a generic create, or a generic update, may set the column. */
export function isSettable({ set = "never" }: Column, action: "create" | "update"): boolean {
  return set === "always" || (set === "create" && action === "create");
}

/** The lists that a generic create, or a generic update, may set: those with a column that it may set. */
export function listSettableLists(
  type: Pick<EntityType, "lists">,
  action: "create" | "update",
): readonly InlineList[] {
  return listInlineLists(type).filter(({ columns }) =>
    columns.some((column) => isSettable(column, action)),
  );
}

/** Returns true where a creation must give the column. */
export function isRequired({ nullable = true, hasDefault = false }: Column): boolean {
  return !nullable && !hasDefault;
}

/** A row among those of all types. */
export interface RowIdentity {
  readonly type: string;
  readonly id: string;
}

/** The key of a row among those of all types: rows of two types may have one id. */
export function rowKey(type: string, id: string): string {
  return `${type}\n${id}`;
}

/** The column that identifies a row of the type. */
export function findKey({ key }: Pick<EntityType, "key">): Key {
  return key ?? { column: "id", kind: "uuid" };
}

/** The line of what matters for choosing a row; empty where the type has none. */
export function renderFacts(type: Pick<EntityType, "facts">, values: JsonObject): string {
  return type.facts?.(values) ?? "";
}
