import { type Json, JsonObjectSchema, JsonSchema } from "../state/json.ts";

/** A call the model makes, before it has an id. */
export interface AnswerCall {
  readonly name: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** What a role answers: a text, a value for a structured answer, or calls of tools. */
export type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "calls"; readonly calls: readonly AnswerCall[] };

/** A value whose types hold for the node that asked, as plain JSON. */
export function asJson(value: unknown): Json {
  return JsonSchema.parse(JSON.parse(JSON.stringify(value)));
}

/** Arguments of an earlier call, as they can be sent again. */
export function asArguments(args: unknown): Readonly<Record<string, Json>> {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(args)));
}
