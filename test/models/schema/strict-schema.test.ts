import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { z } from "zod";
import type { Json, JsonObject } from "../../../state/json.ts";
import {
  assertStrictSchema,
  nameSchema,
  STRICT_LIMITS,
  strictSchemaProblems,
  toStrictSchema,
} from "../../../state/strict-schema.ts";

const TEXT = { type: "string" };

function object(properties: JsonObject): JsonObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function nested(levels: number): JsonObject {
  return levels === 1 ? object({ end: TEXT }) : object({ next: nested(levels - 1) });
}

function words(count: number, length: number): Json {
  return Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "w"));
}

test.each<[string, JsonObject]>([
  ["no parameters", object({})],
  ["a plain pattern", object({ a: { type: "string", pattern: "^[a-z]+_\\d+$" } })],
  ["number bounds", object({ a: { type: "integer", minimum: 1, maximum: 5, multipleOf: 2 } })],
  ["array bounds", object({ a: { type: "array", items: TEXT, minItems: 1, maxItems: 3 } })],
  ["anyOf below the root", object({ a: { anyOf: [object({ b: TEXT }), { type: "null" }] } })],
  [
    "anyOf of objects told apart by a constant",
    object({
      a: {
        anyOf: [
          object({ kind: { type: "string", const: "x" } }),
          object({ kind: { type: "string", const: "y" } }),
        ],
      },
    }),
  ],
  ["definitions", { ...object({ a: { $ref: "#/$defs/word" } }), $defs: { word: TEXT } }],
  ["recursion", object({ children: { type: "array", items: { $ref: "#" } } })],
  ["as many levels as allowed", nested(STRICT_LIMITS.levels)],
  ["as many enum values as allowed", object({ a: { type: "string", enum: words(1_000, 4) } })],
])("strictSchemaProblems() finds nothing wrong with %s", (_, schema) => {
  expect(strictSchemaProblems(schema)).toEqual([]);
});

test.each<[string, JsonObject, string]>([
  [
    "an array at the root",
    { type: "array", items: TEXT },
    '(root): must be of type "object", and not an anyOf',
  ],
  [
    "an open object",
    { type: "object", properties: { a: TEXT }, required: ["a"] },
    '(root): "additionalProperties" must be false; records are not possible',
  ],
  [
    "an optional key",
    object({ a: { ...object({ b: TEXT, c: TEXT }), required: ["c"] } }),
    'properties.a: "b" must be required; make it nullable instead of optional',
  ],
  [
    "a required key that does not exist",
    { ...object({ a: TEXT }), required: ["a", "b"] },
    '(root): "required" names keys that are no properties',
  ],
  [
    "a record",
    object({ a: { type: "object", additionalProperties: TEXT } }),
    'properties.a: "additionalProperties" must be false; records are not possible\nproperties.a: an object must list its "properties"',
  ],
  [
    "oneOf",
    object({ a: { type: "string", oneOf: [TEXT] } }),
    'properties.a: "oneOf" is not permitted here; use one flat object with null for what does not apply, or anyOf',
  ],
  [
    "a length",
    object({ a: { type: "string", minLength: 1 } }),
    'properties.a: "minLength" is not permitted here; check lengths after parsing',
  ],
  ["no type", object({ a: {} }), 'properties.a: must have a "type" (or an "anyOf" or a "$ref")'],
  ["an unknown type", object({ a: { type: "date" } }), 'properties.a: type "date" does not exist'],
  [
    "a pattern that looks around",
    object({ a: { type: "string", pattern: "^(?!x)" } }),
    'properties.a: "pattern" must not look around or refer back',
  ],
  [
    "a problem deep inside",
    object({ a: { type: "array", items: { anyOf: [object({ b: { ...TEXT, default: "x" } })] } } }),
    'properties.a.items.anyOf.0.properties.b: "default" is not permitted here; make the key required and nullable, and fill the default in after parsing',
  ],
  [
    "anyOf of objects that begin alike",
    object({ a: { anyOf: [object({ k: TEXT, x: TEXT }), object({ k: TEXT, y: TEXT })] } }),
    "properties.a.anyOf: objects must not share their first key; begin each with a constant of its own",
  ],
  [
    "a reference to nothing",
    object({ a: { $ref: "#/$defs/gone" } }),
    'properties.a: "$ref" must be "#" or name a definition in the root\'s "$defs"',
  ],
  [
    "one level too many",
    nested(STRICT_LIMITS.levels + 1),
    `${Array.from({ length: 10 }, () => "properties.next").join(".")}: more than 10 levels of nesting`,
  ],
  [
    "too many enum values",
    object({ a: { type: "string", enum: words(1_001, 4) } }),
    "(root): 1001 enum values, at most 1000 are allowed",
  ],
  [
    "too many properties",
    object(Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`k${index}`, TEXT]))),
    "(root): 5001 properties, at most 5000 are allowed",
  ],
])("strictSchemaProblems() finds %s", (_, schema, problems) => {
  expect(strictSchemaProblems(schema).join("\n")).toBe(problems);
});

test("assertStrictSchema() names the schema and every problem", () => {
  const schema = object({ a: {}, b: { type: "date" } });

  expect(() => assertStrictSchema(schema, "plan")).toThrow(
    new TypeError(
      'Cannot send "plan" as a strict schema: properties.a: must have a "type" (or an "anyOf" or a "$ref"); properties.b: type "date" does not exist',
    ),
  );
});

test("toStrictSchema() leaves out what only parsing can check", () => {
  const schema = z.object({
    reasoning: z.string().min(1).max(200).describe("Why."),
    count: z.number().int().positive().nullable(),
    day: z.iso.date().nullable(),
    kind: z.enum(["a", "b"]).nullable(),
    ref: z.string().regex(/^[a-z]+_\d+$/),
    odd: z.string().regex(/^(?!x)/),
    url: z.url(),
    items: z.array(z.object({ id: z.uuid() })).max(3),
  });

  expect(toStrictSchema(schema)).toEqual(
    object({
      reasoning: { type: "string", description: "Why." },
      count: { type: ["integer", "null"], exclusiveMinimum: 0 },
      day: { type: ["string", "null"], format: "date" },
      kind: { type: ["string", "null"], enum: ["a", "b", null] },
      ref: { type: "string", pattern: "^[a-z]+_\\d+$" },
      odd: TEXT,
      url: TEXT,
      items: {
        type: "array",
        maxItems: 3,
        items: object({ id: { type: "string", format: "uuid" } }),
      },
    }),
  );
});

test("toStrictSchema() keeps a recursive schema", () => {
  const Node = z.object({
    label: z.string(),
    get children() {
      return z.array(Node);
    },
  });

  expect(toStrictSchema(Node)).toEqual(
    object({ label: TEXT, children: { type: "array", items: { $ref: "#" } } }),
  );
});

test.each([
  ["optional keys", z.object({ a: z.string().optional() }), '"a" must be required'],
  ["defaults", z.object({ a: z.string().default("x") }), '"default" is not permitted here'],
  ["tuples", z.object({ a: z.tuple([z.string()]) }), "use an object instead of a tuple"],
  ["unknown values", z.object({ a: z.unknown() }), 'must have a "type"'],
])("toStrictSchema() refuses %s", (_, schema, reason) => {
  expect(() => toStrictSchema(schema, "answer")).toThrow(reason);
});

const scalar = fc.constantFrom(
  z.string().min(1),
  z.int(),
  z.boolean(),
  z.iso.date(),
  z.enum(["a", "b"]),
);
const key = fc.stringMatching(/^[a-z]{1,6}$/);
const shape = fc.letrec<{ value: z.ZodType; object: z.ZodObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    scalar.map((type) => type.nullable()),
    tie("object").map((type) => z.array(type)),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4 }).map((keys) => z.object(keys)),
})).object;

test.prop([shape])("toStrictSchema() renders every flat shape, always alike", (schema) => {
  const rendered = toStrictSchema(schema);

  expect(strictSchemaProblems(rendered)).toEqual([]);
  expect(JSON.stringify(toStrictSchema(schema))).toBe(JSON.stringify(rendered));
});

test.prop([
  shape,
  fc.constantFrom("oneOf", "allOf", "not", "default", "propertyNames", "minLength"),
])("strictSchemaProblems() finds a forbidden keyword wherever it stands", (schema, keyword) => {
  const rendered = toStrictSchema(z.object({ outer: z.array(z.object({ inner: schema })) }));
  const text = JSON.stringify(rendered).replace('"inner":{', `"inner":{"${keyword}":[],`);

  const spoiled = z.record(z.string(), z.json()).parse(JSON.parse(text));

  expect(strictSchemaProblems(spoiled).join()).toContain(`"${keyword}" is not permitted here`);
});

test("nameSchema() collects the values of keys that may be left out, and sends none of them", () => {
  const step = z.object({
    title: z.string(),
    group: z.int().meta({ absent: { position: true } }),
  });
  const named = nameSchema("plan", {
    description: "A plan.",
    schema: z.object({
      reasoning: z.string().meta({ absent: "" }),
      steps: z.array(step).nullable(),
      rare: z.object({ meta: z.boolean().meta({ absent: false }) }).nullable(),
      place: z.enum(["home", "away"]).nullable().meta({ absent: null }),
    }),
  });

  expect(named.absent).toEqual([
    { pointer: ["properties", "reasoning"], value: "" },
    {
      pointer: ["properties", "steps", "anyOf", "0", "items", "properties", "group"],
      position: true,
    },
    { pointer: ["properties", "rare", "anyOf", "0", "properties", "meta"], value: false },
    { pointer: ["properties", "place"], value: null },
  ]);
  expect(JSON.stringify(named.schema)).not.toContain('"absent"');
  expect(strictSchemaProblems(named.schema)).toEqual([]);
});

test.each([
  [
    "an item of a list",
    z.object({ steps: z.array(z.string().meta({ absent: "" })) }),
    'Cannot read "absent" of "plan" at properties.steps.items: only a key of an object has one',
  ],
  [
    "a position outside a list",
    z.object({ group: z.int().meta({ absent: { position: true } }) }),
    `Cannot read "absent" of "plan" at properties.group: only an integer of a list's object has a position`,
  ],
  [
    "a position that is no integer",
    z.object({
      steps: z.array(z.object({ group: z.string().meta({ absent: { position: true } }) })),
    }),
    `Cannot read "absent" of "plan" at properties.steps.items.properties.group: only an integer of a list's object has a position`,
  ],
])("nameSchema() refuses an absent value of %s", (_, schema, message) => {
  expect(() => nameSchema("plan", { description: "A plan.", schema })).toThrow(
    new TypeError(message),
  );
});
