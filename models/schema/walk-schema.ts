import type { JsonObject } from "../../state/json.ts";
import { findReferenced, joinPath, listBranches } from "./schema-parts.ts";

/** A place in a value, and the place in the schema that speaks of it. */
export interface SchemaPlace {
  /** Keys and positions from the value's root: `steps.0.group`. */
  readonly path: string;
  /** The pointer of the schema, as keys. */
  readonly pointer: readonly string[];
  /** The position in its list, from 1; null outside a list. */
  readonly position: number | null;
  /** Steps from the root, through references and alternatives too. */
  readonly depth: number;
}

/** An alternative of a schema and its place. */
export interface SchemaBranch {
  readonly schema: JsonObject;
  readonly place: SchemaPlace;
}

/** Visits a value beside a part of its schema. */
export type Visit<V, R> = (value: V, schema: JsonObject, place: SchemaPlace) => R;

/** A place, and the way on from it to the values within. */
export interface OpenPlace<V, R> extends SchemaPlace {
  readonly visit: Visit<V, R>;
}

/** Judgements of a walk. */
export interface SchemaVisitor<V, R> {
  /** A value of which the schema says nothing, or that lies too deep. */
  readonly leave: (value: V) => R;
  readonly choose: (value: V, branches: readonly SchemaBranch[], visit: Visit<V, R>) => R;
  /** A value and a schema without reference and alternatives. */
  readonly enter: (value: V, schema: JsonObject, place: OpenPlace<V, R>) => R;
}

/** Deeper than any answer goes: what lies below is left, so that no value exhausts the stack. */
const DEEPEST = 200;

const ROOT: SchemaPlace = { path: "", pointer: [], position: null, depth: 0 };

/**
 * Walks a value beside its schema, of the strict subset: follows references, offers alternatives,
 * and has a visitor judge the rest.
 *
 * Contract: total where the visitor is. A value that several alternatives refer to is visited once.
 */
export function walkSchema<V, R>(value: V, root: JsonObject, visitor: SchemaVisitor<V, R>): R {
  const known = new KnownRefs<R>();
  const visit: Visit<V, R> = (inner, schema, place) => {
    if (place.depth > DEEPEST) return visitor.leave(inner);
    const below = { ...place, depth: place.depth + 1 };
    const { $ref: ref } = schema;
    if (typeof ref === "string") {
      const found = findReferenced(ref, root);
      if (found === null) return visitor.leave(inner);
      const { path, position } = place;
      return known.recall(inner, `${ref} ${position} ${path}`, () =>
        visit(inner, found.schema, { ...below, pointer: found.pointer }),
      );
    }
    const branches = listBranches(schema);
    if (branches === null) return visitor.enter(inner, schema, { ...below, visit });
    return visitor.choose(
      inner,
      branches.map((branch, at) => ({
        schema: branch,
        place: { ...below, pointer: [...below.pointer, "anyOf", String(at)] },
      })),
      visit,
    );
  };
  return visit(value, root, ROOT);
}

/** Returns the place of a key; the position stays that of its object. */
export function enterKey<P extends SchemaPlace>(place: P, key: string): P {
  return {
    ...place,
    path: joinPath(place.path, key),
    pointer: [...place.pointer, "properties", key],
  };
}

/** Returns the place of an item, `at` counted from 0. */
export function enterItem<P extends SchemaPlace>(place: P, at: number): P {
  return {
    ...place,
    path: joinPath(place.path, at),
    pointer: [...place.pointer, "items"],
    position: at + 1,
  };
}

/**
 * Remembers what was found out about a value at a `$ref`: alternatives within alternatives of a
 * recursive schema would be walked twice as often on each level.
 */
class KnownRefs<T> {
  readonly #known = new WeakMap<object, Map<string, T>>();

  /** Returns what is known of a value under a key, or finds it out. */
  recall(value: unknown, key: string, find: () => T): T {
    if (typeof value !== "object" || value === null) return find();
    const known = this.#known.get(value) ?? new Map<string, T>();
    this.#known.set(value, known);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find();
    known.set(key, found);
    return found;
  }
}
