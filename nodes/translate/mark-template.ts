import { createHash } from "node:crypto";

/** Returns a mark of a template's text, by which a translation of an older one is known. */
export function markTemplate(template: string): string {
  return createHash("sha256").update(template).digest("hex").slice(0, 16);
}
