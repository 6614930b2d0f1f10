import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { AbsentValue, NamedSchema } from "../../state/model.ts";
import {
  hasType,
  isList,
  listLeaves,
  listProperties,
  listRequired,
  listTypes,
  listValues,
  namePath,
} from "./schema-parts.ts";
import {
  enterItem,
  enterKey,
  walkSchema,
  type SchemaBranch,
  type OpenPlace,
  type SchemaPlace,
  type Visit,
} from "./walk-schema.ts";

/** A value brought into the form of a schema, and each mending: its path and kind, never a value. */
export interface Fitted {
  readonly value: Json;
  readonly mended: readonly string[];
}

/**
 * Mends what loose answers do to a value (models.md §1, "Normalisation", steps 4 and 5): missing
 * keys that may be null, an empty list or have an `absent` value; null or a single value for a list;
 * numbers and booleans as text; an enum value that differs in case and blanks; unknown keys.
 *
 * Contract: pure, total and idempotent. A value that fits stays as it is, no other key is added, and
 * what cannot be mended stays wrong.
 */
export function fitSchema(value: Json, { schema, absent = [] }: NamedSchema): Fitted {
  const fitter = new Fitter(schema, absent);
  const fit = walkSchema<Json, Fit>(value, schema, {
    leave: keep,
    choose: chooseFit,
    enter: (inner, part, place) => fitter.fitTyped(inner, part, place),
  });
  return { value: fit.value, mended: fit.mended };
}

interface Fit extends Fitted {
  /** Places that stay wrong and keys that were dropped: alternatives are compared by it. */
  readonly lost: number;
  /** True where the schema takes no such value, rather than that something within it is wrong. */
  readonly isMisfit: boolean;
}

type FitPlace = OpenPlace<Json, Fit>;

class Fitter {
  readonly #root: JsonObject;
  readonly #absent: ReadonlyMap<string, AbsentValue>;

  constructor(root: JsonObject, absent: readonly AbsentValue[]) {
    this.#root = root;
    this.#absent = new Map(absent.map((each) => [JSON.stringify(each.pointer), each]));
  }

  fitTyped(value: Json, schema: JsonObject, place: FitPlace): Fit {
    const types = listTypes(schema);
    if (types.length === 0) return keep(value);
    if (!hasType(value, types)) return this.#fitOtherType(value, schema, place);
    if (isList(value)) return this.#fitList(value, schema, place);
    return isJsonObject(value)
      ? this.#fitObject(value, schema, place)
      : fitValues(value, schema, place);
  }

  #fitOtherType(value: Json, schema: JsonObject, place: FitPlace): Fit {
    const types = listTypes(schema);
    const scalar = typeof value === "string" ? readScalar(value, types) : null;
    if (scalar !== null) {
      const kind = typeof scalar === "number" ? "text made a number" : "text made true or false";
      return mend(fitValues(scalar, schema, place), place, kind);
    }
    if (!types.includes("array")) return misfit(value);
    if (value !== null) return mend(this.#fitList([value], schema, place), place, "made a list");
    return mayBeEmpty(schema) ? mend(keep([]), place, "null made an empty list") : misfit(value);
  }

  #fitList(list: readonly Json[], schema: JsonObject, place: FitPlace): Fit {
    const { items } = schema;
    if (!isJsonObject(items)) return keep(list);
    // Of a list of lists with a single one in it, models leave out the outer brackets.
    if (list.length > 0 && this.#isListOnly(items) && !list.some((item) => isList(item))) {
      return mend(this.#fitList([list], schema, place), place, "made a list");
    }
    const fits = list.map((item, at) => place.visit(item, items, enterItem(place, at)));
    return join(
      fits.map(({ value }) => value),
      fits,
    );
  }

  #fitObject(object: JsonObject, schema: JsonObject, place: FitPlace): Fit {
    const properties = listProperties(schema);
    const required = listRequired(schema);
    const isOpen = schema["additionalProperties"] !== false;
    const entries: (readonly [string, Json])[] = [];
    const parts: Fit[] = [];
    for (const [key, property] of properties) {
      const given = Object.hasOwn(object, key) ? object[key] : undefined;
      if (given === undefined && !required.has(key)) continue;
      const fit = this.#fitKey(given, property, enterKey(place, key));
      if (fit !== null) entries.push([key, fit.value]);
      parts.push(fit ?? LOST);
    }
    for (const [key, value] of Object.entries(object)) {
      if (properties.has(key)) continue;
      if (isOpen) entries.push([key, value]);
      // A dropped key is the model's own word: only its place is named.
      else parts.push(mend(LOST, place, "unknown key dropped"));
    }
    return join(Object.fromEntries(entries), parts);
  }

  /** Fits the value of a key; null where it is missing and may not be filled in. The position of `place` is its object's. */
  #fitKey(given: Json | undefined, property: JsonObject, place: FitPlace): Fit | null {
    const isLeftOut = given === undefined || (given === null && !this.#mayBeNull(property));
    const stated = isLeftOut ? this.#findAbsent(place) : undefined;
    if (stated !== undefined) return mend(keep(stated), place, "default added");
    if (given !== undefined) {
      return place.visit(given, property, { ...place, position: null });
    }
    if (this.#mayBeNull(property)) return mend(keep(null), place, "null added");
    return this.#isListOnly(property) && listLeaves(property, this.#root).some(mayBeEmpty)
      ? mend(keep([]), place, "empty list added")
      : null;
  }

  #findAbsent({ pointer, position }: SchemaPlace): Json | undefined {
    const absent = this.#absent.get(JSON.stringify(pointer));
    if (absent === undefined) return undefined;
    return "position" in absent ? (position ?? undefined) : absent.value;
  }

  #mayBeNull(schema: JsonObject): boolean {
    return listLeaves(schema, this.#root).some((leaf) => listTypes(leaf).includes("null"));
  }

  /** Returns true where a value that is not null must be a list. */
  #isListOnly(schema: JsonObject): boolean {
    const types = listLeaves(schema, this.#root).flatMap(listTypes);
    return types.includes("array") && types.every((type) => type === "array" || type === "null");
  }
}

/** Chooses a branch that can take the value, of those the one that loses least, then mends least, then the first. */
function chooseFit(value: Json, branches: readonly SchemaBranch[], visit: Visit<Json, Fit>): Fit {
  const fits = branches.map(({ schema, place }) => visit(value, schema, place));
  const [best] = fits.toSorted(
    (one, other) =>
      Number(one.isMisfit) - Number(other.isMisfit) ||
      one.lost - other.lost ||
      one.mended.length - other.mended.length,
  );
  return best ?? keep(value);
}

/** A key that is missing or dropped. */
const LOST: Fit = { value: null, mended: [], lost: 1, isMisfit: false };

function fitValues(value: Json, schema: JsonObject, place: SchemaPlace): Fit {
  const values = listValues(schema);
  if (values === null || values.includes(value)) return keep(value);
  const meant = typeof value === "string" ? findSpelled(value, values) : null;
  if (meant === null) return misfit(value);
  return mend(keep(meant), place, "case and blanks of a value corrected");
}

/** Returns the one value that differs from a text in case and blanks only; null for none or several. */
function findSpelled(text: string, values: readonly Json[]): string | null {
  const meant = values.filter((value) => typeof value === "string" && fold(value) === fold(text));
  const [first] = meant;
  return meant.length === 1 && typeof first === "string" ? first : null;
}

function fold(text: string): string {
  return text.replaceAll(/\s+/gu, "").toLowerCase();
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** Reads the number or boolean that a text spells; null where it spells none, or none of the types. */
function readScalar(text: string, types: readonly string[]): number | boolean | null {
  const word = text.trim().toLowerCase();
  if (types.includes("boolean") && (word === "true" || word === "false")) return word === "true";
  if (!NUMBER.test(word)) return null;
  const number = Number(word);
  // A number beyond these would not be the one that was written.
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact && hasType(number, types) ? number : null;
}

function mayBeEmpty(schema: JsonObject): boolean {
  const { minItems = 0 } = schema;
  return listTypes(schema).includes("array") && minItems === 0;
}

function keep(value: Json): Fit {
  return { value, mended: [], lost: 0, isMisfit: false };
}

function misfit(value: Json): Fit {
  return { value, mended: [], lost: 1, isMisfit: true };
}

function mend(fit: Fit, { path }: SchemaPlace, kind: string): Fit {
  return { ...fit, mended: [`${namePath(path)}: ${kind}`, ...fit.mended] };
}

function join(value: Json, parts: readonly Fit[]): Fit {
  return {
    value,
    mended: parts.flatMap(({ mended }) => mended),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    isMisfit: false,
  };
}
