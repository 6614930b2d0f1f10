import { Toolbox } from "../../domain/toolbox.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { Numbers } from "./numbers.ts";

/** A made-up domain: what it is about means nothing, so that no node can be tuned to it. */
export interface MadeUpDomain {
  readonly domain: Domain;
  readonly toolbox: Toolbox;
  readonly types: readonly EntityType[];
}

/** Number of different domains. */
export const MADE_UP_DOMAINS = 24;

const made = new Map<number, MadeUpDomain>();

/** Returns the domain of that number, made once. */
export function getMadeUpDomain(number: number): MadeUpDomain {
  const known = made.get(number);
  if (known !== undefined) return known;
  const shape = makeMadeUpDomain(new Numbers(number));
  made.set(number, shape);
  return shape;
}

const ONSETS = ["b", "d", "fl", "g", "kr", "l", "m", "n", "pr", "r", "s", "t", "v", "z"] as const;
const VOWELS = ["a", "e", "i", "o", "u"] as const;

/** Makes a word that nobody knows. */
export function makeWord(numbers: Numbers, syllables = 2): string {
  const parts = Array.from(
    { length: syllables },
    () => `${numbers.pick(ONSETS)}${numbers.pick(VOWELS)}`,
  );
  return `${parts.join("")}${numbers.pick(["l", "n", "r", "x"])}`;
}

function makeMadeUpDomain(numbers: Numbers): MadeUpDomain {
  const words = new Set<string>();
  const newWord = (): string => {
    const word = makeWord(numbers);
    if (words.has(word)) return newWord();
    words.add(word);
    return word;
  };
  const types: EntityType[] = [];
  const count = 2 + numbers.below(3);
  for (let index = 0; index < count; index += 1) {
    types.push(makeType(newWord(), { newWord, numbers, before: types }));
  }
  const domain: Domain = {
    ...NO_DOMAIN,
    name: "made-up",
    persona: "an assistant for made-up things",
    activity: "sorting things",
    entityTypes: types,
    subdomains: types.map(({ type, words }) => ({
      name: `${type}_part`,
      type,
      reads: types.map((other) => other.type),
      about: `the ${words.many}`,
    })),
    formatQuick: numbers.below(2) === 0 ? () => null : formatList,
    emptyText: () => "There is nothing there.",
  };
  return { domain, toolbox: new Toolbox(domain), types };
}

const formatList: Domain["formatQuick"] = ({ reads }) =>
  reads.flatMap(({ rows }) => rows.map(({ values }) => `- ${toText(values["name"])}`)).join("\n");

interface TypeContext {
  readonly newWord: () => string;
  readonly numbers: Numbers;
  readonly before: readonly EntityType[];
}

const KINDS = [
  "integer",
  "number",
  "boolean",
  "date",
  "timestamp",
  "choice",
  "tags",
  "text",
] as const;

function makeType(word: string, { newWord, numbers, before }: TypeContext): EntityType {
  const columns: Column[] = [{ name: "name", kind: "text", nullable: false, set: "always" }];
  const count = 2 + numbers.below(4);
  for (let index = 0; index < count; index += 1) {
    const kind = numbers.pick(KINDS);
    const values = kind === "choice" ? [newWord(), newWord(), newWord()] : undefined;
    columns.push({
      name: newWord(),
      kind,
      set: "always",
      ...(values === undefined ? {} : { values }),
    });
  }
  const [first, ...others] = before;
  if (first !== undefined && numbers.below(2) === 0) {
    const references = numbers.pick([first, ...others]).type;
    columns.push({ name: `${newWord()}_id`, kind: "text", set: "always", references });
  }
  const plain = columns.filter(({ name, references }) => name !== "name" && !references);
  const facts = plain.slice(0, 2).map(({ name }) => name);
  return {
    type: word,
    table: `${word}s`,
    words: { one: word, many: `${word}s` },
    rights: ["read", "create", "update", "delete"],
    columns,
    summary: ["name", ...facts],
    orderBy: ["name"],
    label: ({ name }) => (typeof name === "string" ? name : ""),
    facts: (values) => facts.map((name) => renderFact(name, values[name] ?? null)).join(", "),
  };
}

function renderFact(name: string, value: Json): string {
  return `${name} ${value === null ? "unknown" : toText(value)}`;
}

/** Makes a value of a column; null for some, and for a column that points at another row. */
export function makeValue(column: Column, numbers: Numbers): Json {
  if (column.references !== undefined || numbers.below(8) === 0) return null;
  switch (column.kind) {
    case "integer":
      return numbers.below(20);
    case "number":
      return numbers.below(40) / 4;
    case "boolean":
      return numbers.below(2) === 0;
    case "date":
      return `2026-02-${String(1 + numbers.below(28)).padStart(2, "0")}`;
    case "timestamp":
      return `2026-03-${String(1 + numbers.below(28)).padStart(2, "0")}T10:00:00+00:00`;
    case "choice":
      return column.values?.[numbers.below(column.values.length)] ?? null;
    case "tags":
      return Array.from({ length: 1 + numbers.below(3) }, () => makeWord(numbers));
    case "text":
    case "json":
      return makeWord(numbers, 3);
  }
  return column.kind satisfies never;
}

/** Returns the values of a row whose columns point at nothing. */
export function makeValues({ columns }: EntityType, name: string, numbers: Numbers): JsonObject {
  return Object.fromEntries(
    columns.map((column): [string, Json] => [
      column.name,
      column.name === "name" ? name : makeValue(column, numbers),
    ]),
  );
}

/** Returns a value as a person reads it. */
export function toText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
