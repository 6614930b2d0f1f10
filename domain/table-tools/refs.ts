import type { EntityType } from "../../state/entity.ts";
import { ToolInputError, type RefBook } from "../../state/tool.ts";
import { isDatabaseId, quoteValue } from "../../text/quote-value.ts";

/** A row as a tool names it. */
export interface SavedRow {
  /** Null where the conversation has none for it. */
  readonly ref: string | null;
  readonly id: string;
  readonly label: string;
}

/** A row that a ref stands for. */
export type NamedRow = SavedRow & { readonly ref: string };

export interface ExpectedRef {
  type: string;
  place: string;
}

/**
 * Turns a ref into the row it stands for.
 *
 * @throws UnknownRefError for a ref that the thread does not have; ToolInputError for a database
 * id, a ref of another type or a draft that is not saved.
 */
export function resolveSavedRef(refs: RefBook, ref: string, expected: ExpectedRef): NamedRow {
  const { type, id, label } = resolveRef(refs, ref, expected);
  if (id === null) {
    throw new ToolInputError(
      `Cannot use ref "${ref}" in "${expected.place}": ${type} "${label}" is a draft that is not saved; save it first`,
    );
  }
  return { ref, id, label };
}

/** Turns a ref, saved or draft, into what the thread knows of it. */
export function resolveRef(
  refs: RefBook,
  ref: string,
  expected: ExpectedRef,
): ReturnType<RefBook["resolve"]> {
  if (isDatabaseId(ref)) {
    throw new ToolInputError(
      `Cannot use a database id in "${expected.place}": rows are named by their refs here; give the ref`,
    );
  }
  const resolved = refs.resolve(ref);
  if (resolved.type === expected.type) return resolved;
  throw new ToolInputError(
    `Cannot use ref ${quoteValue(ref)} in "${expected.place}": it is of type ${resolved.type}; give a ref of type ${expected.type}`,
  );
}

/** The saved rows that a list of refs stands for, each once, in order. */
export function resolveRows(
  refs: RefBook,
  list: readonly string[],
  entityType: EntityType,
): NamedRow[] {
  return [...new Set(list)].map((ref) =>
    resolveSavedRef(refs, ref, { type: entityType.type, place: "refs" }),
  );
}
