import type { Registry } from "../state/registry.ts";

const NAMED = /\s*\(([a-z_]+_[1-9]\d*)\)|\b([a-z_]+_[1-9]\d*)\b/gu;

/** Returns a text for a person: labels in place of refs, and a ref in brackets, which stands beside its label, left out. Pure. */
export function replaceRefs(text: string, { entries }: Pick<Registry, "entries">): string {
  return text.replace(NAMED, (whole, bracketed?: string, plain?: string) => {
    const entry = entries.find(({ ref }) => ref === (bracketed ?? plain));
    if (entry === undefined) return whole;
    return bracketed === undefined ? entry.label : "";
  });
}
