import { type Json, JsonObjectSchema, type JsonObject } from "../state/json.ts";

/** A call the model makes, before it has an id. */
export interface AnswerCall {
  readonly name: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** Answer of a role: a text, a value for a structured answer, or calls of tools. */
export type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: JsonObject }
  | { readonly kind: "calls"; readonly calls: readonly AnswerCall[] };

/** A structured answer whose type holds for the node that asked, as plain JSON. */
export function answerValue(value: unknown): Answer {
  return { kind: "value", value: JsonObjectSchema.parse(JSON.parse(JSON.stringify(value))) };
}
