/**
 * Returns a pattern for a name in small letters, capitals or both. Modifiers (`(?i:…)`) would say the same, but
 * V8 does not heed them once it has stopped optimizing patterns, as it does where a process has many; and what
 * stands beside a name keeps its case, so the flag cannot.
 */
export function inAnyCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
