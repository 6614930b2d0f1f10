/** A promise that a turn has broken. */
export interface Violation {
  readonly invariant: string;
  readonly expected: string;
  readonly found: string;
}

export function compare(invariant: string, expected: string, found: string): Violation[] {
  return expected === found ? [] : [violation(invariant, expected, found)];
}

/** Compares two values of any shape by their JSON. */
export function compareValues(invariant: string, expected: unknown, found: unknown): Violation[] {
  return compare(invariant, JSON.stringify(expected), JSON.stringify(found));
}

export function violation(invariant: string, expected: string, found: string): Violation {
  return { invariant, expected, found };
}
