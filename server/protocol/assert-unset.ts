import { Problem } from "../problems.ts";

/**
 * Refuses a body that sets a field this server does not support.
 *
 * @throws Problem `not_supported`.
 */
export function assertUnset(body: object, fields: readonly string[]): void {
  const asked = fields.find((field) => isSet(Reflect.get(body, field)));
  if (asked === undefined) return;
  throw new Problem("not_supported", {
    detail: `Cannot use "${asked}": this server does not support it; leave it out`,
    field: `/${asked}`,
  });
}

/** Returns true for a value that asks for something: clients send empty ones for what they do not use. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
