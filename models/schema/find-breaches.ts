import { isJsonObject, type JsonObject } from "../../state/json.ts";
import {
  DEEPEST,
  findReferenced,
  hasType,
  joinPath,
  KnownRefs,
  listBranches,
  listLeaves,
  listProperties,
  listRequired,
  listTypes,
  listValues,
  namePath,
} from "./schema-parts.ts";

/**
 * Finds what an endpoint that enforces a strict schema would not have let through: a wrong JSON
 * type, a missing key, an unknown key, a value outside an enum or constant (models.md §1, "Learning
 * in use"). One line a breach, with its path and kind and never a value; empty where there is none.
 * Bounds, patterns and formats are not judged, since endpoints enforce them differently.
 *
 * Contract: pure and total. To be asked before an answer is mended.
 */
export function findStrictBreaches(value: unknown, schema: JsonObject): readonly string[] {
  if (!isObject(value)) return ["answer: not an object"];
  return new Judge(schema).judge(value, schema, { path: "", depth: 0 });
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

class Judge {
  readonly #root: JsonObject;
  readonly #known = new KnownRefs<readonly string[]>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  judge(value: unknown, schema: JsonObject, place: Place): readonly string[] {
    const { path, depth } = place;
    if (depth > DEEPEST) return [];
    const inner = { path, depth: depth + 1 };
    const { $ref: ref } = schema;
    if (typeof ref === "string") {
      const referenced = findReferenced(ref, this.#root);
      if (referenced === null) return [];
      const judge = () => this.judge(value, referenced.schema, inner);
      return this.#known.recall(value, `${ref} ${path}`, judge);
    }
    const branches = listBranches(schema);
    if (branches !== null) {
      // A value that is wrong in a key is not meant as null.
      const ofType = branches.filter((branch) => this.#takesType(value, branch));
      const candidates = ofType.length > 0 ? ofType : branches;
      const judged = candidates.map((branch) => this.judge(value, branch, inner));
      return judged.toSorted((one, other) => one.length - other.length)[0] ?? [];
    }
    return this.#judgeTyped(value, schema, inner);
  }

  #takesType(value: unknown, schema: JsonObject): boolean {
    return listLeaves(schema, this.#root).some((leaf) => hasType(value, listTypes(leaf)));
  }

  #judgeTyped(value: unknown, schema: JsonObject, { path, depth }: Place): readonly string[] {
    const types = listTypes(schema);
    if (types.length > 0 && !hasType(value, types)) return [`${namePath(path)}: wrong type`];
    const values = listValues(schema);
    if (values !== null && !values.some((each) => each === value)) {
      return [`${namePath(path)}: not one of the values`];
    }
    if (isList(value)) {
      const { items } = schema;
      if (!isJsonObject(items)) return [];
      return value.flatMap((item, at) =>
        this.judge(item, items, { path: joinPath(path, at), depth }),
      );
    }
    return isObject(value) ? this.#judgeObject(value, schema, { path, depth }) : [];
  }

  #judgeObject(
    value: Readonly<Record<string, unknown>>,
    schema: JsonObject,
    { path, depth }: Place,
  ): readonly string[] {
    const properties = listProperties(schema);
    const missing = [...listRequired(schema)].filter((key) => !Object.hasOwn(value, key));
    const isOpen = schema["additionalProperties"] !== false;
    return [
      ...missing.map((key) => `${joinPath(path, key)}: missing`),
      ...Object.entries(value).flatMap(([key, inner]) => {
        const property = properties.get(key);
        if (property !== undefined) {
          return this.judge(inner, property, { path: joinPath(path, key), depth });
        }
        // The key is the model's own word, which no log may hold.
        return isOpen ? [] : [`${namePath(path)}: unknown key`];
      }),
    ];
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
