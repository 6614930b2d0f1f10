import { z } from "zod";
import { isJsonObject, JsonObjectSchema, type Json, type JsonObject } from "./json.ts";
import { TurnStateSchema } from "./turn.ts";

/** JSON Schemas of channels of the state, by channel. */
export type ChannelSchemas = Readonly<Record<string, JsonObject>>;

const DescriptionSchema = z.object({ properties: z.record(z.string(), JsonObjectSchema) });

/** Returns the JSON Schema of every channel of the turn's state, each with definitions of its own; below a channel nothing is described. */
export function readChannelSchemas(): ChannelSchemas {
  const { properties } = DescriptionSchema.parse(TurnStateSchema.getJsonSchema());
  return mapEntries(properties, ({ description, ...channel }) => ({
    ...removeDescriptions(channel),
    ...(description === undefined ? {} : { description }),
  }));
}

/** Keywords whose keys are names, and those whose values are data: neither is a schema itself. */
const NAMING: ReadonlySet<string> = new Set(["properties", "definitions", "$defs"]);
const HOLDING_DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/**
 * Removes every description from a JSON Schema. Those of answers tell a model what to write, which is
 * less than what may be stored: "null for none" of a channel in which code writes an empty text. Pure.
 */
export function removeDescriptions(schema: JsonObject): JsonObject {
  const { description: _description, ...rest } = schema;
  return mapEntries(rest, (value, keyword) => {
    if (HOLDING_DATA.has(keyword)) return value;
    return NAMING.has(keyword) && isJsonObject(value)
      ? mapEntries(value, removeInside)
      : removeInside(value);
  });
}

function removeInside(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => removeInside(each));
  return isJsonObject(value) ? removeDescriptions(value) : value;
}

function mapEntries<T extends Json>(
  object: Readonly<Record<string, T>>,
  map: (value: T, key: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

const DefinitionsSchema = z.object({
  definitions: z.record(z.string(), JsonObjectSchema).default({}),
});

/**
 * Joins the JSON Schemas of channels into the schema of an object. The definitions of each channel
 * move to the root: that is where readers resolve references. Pure.
 */
export function joinChannelSchemas(channels: ChannelSchemas): JsonObject {
  const definitions: Record<string, JsonObject> = {};
  const properties: Record<string, JsonObject> = {};
  for (const [channel, schema] of Object.entries(channels)) {
    const text = JSON.stringify(schema).replaceAll('"#/definitions/', `"#/definitions/${channel}.`);
    const {
      $schema: _dialect,
      definitions: _own,
      ...described
    } = JsonObjectSchema.parse(JSON.parse(text));
    properties[channel] = described;
    const { definitions: own } = DefinitionsSchema.parse(JSON.parse(text));
    for (const [name, one] of Object.entries(own)) definitions[`${channel}.${name}`] = one;
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties,
    definitions,
  };
}
