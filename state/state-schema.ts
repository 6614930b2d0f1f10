import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "./json.ts";
import { TurnStateSchema } from "./turn.ts";

/** JSON Schemas of channels of the state, by channel. */
export type ChannelSchemas = Readonly<Record<string, JsonObject>>;

const DescriptionSchema = z.object({ properties: z.record(z.string(), JsonObjectSchema) });

/** Returns the JSON Schema of every channel of the turn's state, each with definitions of its own. */
export function readChannelSchemas(): ChannelSchemas {
  return DescriptionSchema.parse(TurnStateSchema.getJsonSchema()).properties;
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
