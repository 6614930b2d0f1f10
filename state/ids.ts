import { z } from "zod";

/** The kinds of ids that a model may name in an answer. */
export type IdKind = "ref" | "step";

/** Ids by kind: all that a prompt shows. A kind that is left out is not checked. */
export type ShownIds = { readonly [kind in IdKind]?: readonly string[] };

/** A place of a schema that takes an id of a kind. */
export interface IdPlace {
  readonly kind: IdKind;
  /** Its JSON pointer in the schema, as keys: `["properties", "refs", "items"]`. */
  readonly pointer: readonly string[];
}

/** Makes the schema of an id. Answers are checked against the ids of its kind that the prompt shows. */
export function idSchema(kind: IdKind): z.ZodString {
  return z.string().meta({ ids: kind });
}

/** The schema of the keyword that `idSchema` writes. */
export const IdKindSchema: z.ZodType<IdKind> = z.enum(["ref", "step"]);
