import type { Json } from "../../state/json.ts";

/** A key as text, as the journal writes it; empty for a value that is no key. */
export function keyText(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
