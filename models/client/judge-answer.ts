import type { ModelAnswer, NamedSchema } from "../../state/model.ts";
import { parseJson } from "../answers/find-json.ts";
import { findStrictBreaches } from "../schema/find-breaches.ts";
import type { EndpointAnswer } from "./ask-endpoint.ts";

/** Returns the calls that an answer lists. */
export function toListedCalls(value: unknown): ModelAnswer["toolCalls"] {
  const calls: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "calls") : [];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown, index) => {
    if (typeof call !== "object" || call === null) return [];
    const name: unknown = Reflect.get(call, "tool");
    if (typeof name !== "string") return [];
    return [
      { id: `call_${index + 1}`, name, args: Reflect.get(call, "arguments"), argsError: null },
    ];
  });
}

/** True for an answer that nothing but its model has ended. */
export function isComplete(answer: EndpointAnswer): boolean {
  return !answer.truncated && !answer.refused && !isFiltered(answer) && answer.text.trim() !== "";
}

/** True for an answer that a filter of its endpoint has ended: it leaves none, or half of one. */
export function isFiltered({ finishReason }: EndpointAnswer): boolean {
  return finishReason !== null && /filter/i.test(finishReason);
}

/** True for an answer that no endpoint would give which holds to a schema. */
export function breaksSchema({ text }: EndpointAnswer, { schema }: NamedSchema): boolean {
  return findStrictBreaches(parseJson(text), schema).length > 0;
}
