import { Numbers } from "../../dev/simulation/numbers.ts";
import {
  findReferenced,
  listBranches,
  listLeaves,
  listProperties,
  listTypes,
} from "../../models/schema/schema-parts.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { AbsentValue, NamedSchema } from "../../state/model.ts";

interface Place {
  readonly pointer: readonly string[];
  readonly position: number | null;
}

const ROOT: Place = { pointer: [], position: null };

/** Writes answers as loosely as models do, by a row of numbers. */
export class LooseWriter {
  readonly #numbers: Numbers;
  readonly #named: NamedSchema;

  constructor(named: NamedSchema, seed: number) {
    this.#named = named;
    this.#numbers = new Numbers(seed);
  }

  /**
   * Returns a valid value as models loosen it, so that only one value can be meant: keys left out
   * that have a default, single lists without brackets, numbers as text, unknown keys.
   */
  loosen(value: Json): Json {
    return this.#loosen(value, this.#named.schema, ROOT);
  }

  /** Returns a valid object without some of its keys that have no default, and whether one is gone. */
  damage(value: Json): { readonly value: Json; readonly removed: boolean } {
    let removed = false;
    const visit = (each: Json, schema: JsonObject, place: Place): Json =>
      this.#walk(each, schema, place, {
        visit,
        removes: (key) => {
          if (this.#hasDefault(key) || this.#numbers.below(3) > 0) return false;
          removed = true;
          return true;
        },
      });
    return { value: visit(value, this.#named.schema, ROOT), removed };
  }

  /** Returns a value with any part of it lost, or another value in its place. */
  breakValue(value: Json, other: Json): Json {
    if (this.#oneIn(12)) return other;
    if (isList(value)) {
      const items = value.map((item) => this.breakValue(item, other));
      return items.length === 1 && this.#oneIn(2) ? (items[0] ?? null) : items;
    }
    if (!isJsonObject(value)) return this.#oneIn(12) ? String(value) : value;
    const entries: (readonly [string, Json])[] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (!this.#oneIn(6)) entries.push([key, this.breakValue(inner, other)]);
      if (this.#oneIn(12)) entries.push([`${key}_`, other]);
    }
    return Object.fromEntries(entries);
  }

  /** Returns the text of an answer as models dress it: thinking, words, a fence, a wrapper. */
  dress(value: Json): string {
    const wrapped = this.#wrap(value);
    const json = this.#oneIn(2) ? JSON.stringify(wrapped) : JSON.stringify(wrapped, null, 2);
    const answer = this.#numbers.pick([
      json,
      `\n${json} `,
      `\`\`\`json\n${json}\n\`\`\``,
      `Here it is:\n\`\`\`\n${json}\n\`\`\`\nAnything else?`,
      `Sure! ${json}\nAnything else?`,
    ]);
    return this.#numbers.pick([
      answer,
      `<think>Is it {"a": 1}?\n\`\`\`json\n{}\n\`\`\`</think>${answer}`,
      `\n<Thinking></thinking>\n\n${answer}`,
      `<reasoning>one <think>two</think></reasoning> ${answer}`,
      `It may be {"a": 1}, so\n</think>\n${answer}`,
      answer === json ? `<think>\n${json}` : answer,
    ]);
  }

  #wrap(value: Json): Json {
    const { name, schema } = this.#named;
    const properties = listProperties(schema);
    const has = (key: string): boolean =>
      properties.has(key) || (isJsonObject(value) && Object.hasOwn(value, key));
    const call = (args: Json): Json => ({ name, arguments: args });
    const wrappers: [(inner: Json) => Json, ...((inner: Json) => Json)[]] = [
      (inner) => inner,
      ...(has(name) ? [] : [(inner: Json) => ({ [name]: inner })]),
      ...(has("name") || has("arguments")
        ? []
        : [call, (inner: Json) => call(JSON.stringify(inner))]),
    ];
    return this.#numbers.pick(wrappers)(value);
  }

  #loosen(value: Json, schema: JsonObject, place: Place): Json {
    const loosened = this.#walk(value, schema, place, {
      visit: (each, inner, at) => this.#loosen(each, inner, at),
      removes: (key) => this.#findDefaults(key).length > 0 && this.#oneIn(2),
    });
    const types = listTypes(schema);
    if (isList(loosened)) return this.#unwrapList(loosened, schema);
    if (isJsonObject(loosened)) {
      return this.#oneIn(4) && types.includes("object")
        ? { ...loosened, unknown_to_all: ["words"] }
        : loosened;
    }
    if (types.length === 0 || value === null || this.#oneIn(2)) return loosened;
    if (typeof value === "string") return this.#respell(value, schema);
    return types.includes("string") ? value : ` ${JSON.stringify(value).toUpperCase()}`;
  }

  #unwrapList(list: readonly Json[], schema: JsonObject): Json {
    const { items } = schema;
    const [only] = list;
    if (!isJsonObject(items) || list.length !== 1 || only === undefined || only === null)
      return list;
    if (this.#oneIn(2)) return list;
    if (!this.#isListOnly(items)) return isList(only) ? list : only;
    if (!isList(only)) return this.#oneIn(2) ? only : list;
    // Of a list that has lists in it, nobody could tell which brackets were left out.
    return only.length > 0 && !only.some((item) => isList(item)) ? only : list;
  }

  #respell(text: string, schema: JsonObject): string {
    const { enum: values } = schema;
    if (!isList(values)) return text;
    const spelled = this.#numbers.pick([` ${text}`, text.toUpperCase(), `${text.toLowerCase()}\n`]);
    const same = values.filter(
      (value) => typeof value === "string" && fold(value) === fold(spelled),
    );
    return same.length === 1 ? spelled : text;
  }

  /** Visits what is inside a value, where the schema leaves one alternative for it. */
  #walk(value: Json, schema: JsonObject, place: Place, walk: Walk): Json {
    const { $ref: ref } = schema;
    const found = typeof ref === "string" ? findReferenced(ref, this.#named.schema) : null;
    if (found !== null)
      return this.#walk(value, found.schema, { ...place, pointer: found.pointer }, walk);
    const branches = listBranches(schema);
    if (branches !== null) {
      const others = branches.flatMap((branch, at) =>
        listTypes(branch)[0] === "null" ? [] : [{ branch, at }],
      );
      const [only] = others;
      if (value === null || only === undefined || others.length > 1) return value;
      return walk.visit(value, only.branch, {
        ...place,
        pointer: [...place.pointer, "anyOf", String(only.at)],
      });
    }
    if (isList(value)) {
      const { items } = schema;
      if (!isJsonObject(items)) return value;
      const pointer = [...place.pointer, "items"];
      // Rows that lost their brackets side by side would read as one row.
      const keepsLists = value.length > 1 && this.#isListOnly(items);
      return value.map((item, at) => {
        const visited = walk.visit(item, items, { pointer, position: at + 1 });
        return keepsLists && !isList(visited) ? item : visited;
      });
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      [...listProperties(schema)].flatMap(([key, property]) => {
        const pointer = [...place.pointer, "properties", key];
        const given = value[key];
        if (given === undefined) return [];
        const facts = { value: given, property, pointer, position: place.position };
        const defaults = this.#findDefaults(facts);
        if (walk.removes(facts)) {
          const isNulled = defaults.includes("null for it") && this.#oneIn(2);
          return isNulled ? [[key, null]] : [];
        }
        return [[key, walk.visit(given, property, { pointer, position: null })]];
      }),
    );
  }

  /** Returns how a key may say its value by not being there, if it may. */
  #findDefaults({ value, property, pointer, position }: KeyFacts): readonly string[] {
    const isNullable = this.#isNullable(property);
    const absent = this.#findAbsent(pointer);
    if (absent !== undefined) {
      const stated = "position" in absent ? position : absent.value;
      return stated === value ? ["nothing", "null for it"] : [];
    }
    if (isNullable) return value === null ? ["nothing"] : [];
    const isEmpty = isList(value) && value.length === 0 && this.#isListOnly(property);
    return isEmpty ? ["nothing", "null for it"] : [];
  }

  #hasDefault({ property, pointer }: KeyFacts): boolean {
    const isFilled = this.#isNullable(property) || this.#isListOnly(property);
    return isFilled || this.#findAbsent(pointer) !== undefined;
  }

  #findAbsent(pointer: readonly string[]): AbsentValue | undefined {
    const wanted = JSON.stringify(pointer);
    return this.#named.absent?.find((each) => JSON.stringify(each.pointer) === wanted);
  }

  #isNullable(schema: JsonObject): boolean {
    return listLeaves(schema, this.#named.schema).some((leaf) => listTypes(leaf).includes("null"));
  }

  #isListOnly(schema: JsonObject): boolean {
    const types = listLeaves(schema, this.#named.schema).flatMap(listTypes);
    return types.every((type) => type === "array" || type === "null");
  }

  #oneIn(many: number): boolean {
    return this.#numbers.below(many) === 0;
  }
}

interface KeyFacts {
  readonly value: Json;
  readonly property: JsonObject;
  readonly pointer: readonly string[];
  readonly position: number | null;
}

interface Walk {
  readonly visit: (value: Json, schema: JsonObject, place: Place) => Json;
  readonly removes: (key: KeyFacts) => boolean;
}

function fold(text: string): string {
  return text.replaceAll(/\s+/gu, "").toLowerCase();
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
