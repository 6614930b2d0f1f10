/**
 * A domain that cannot be used: its description contradicts itself or the database.
 *
 * Contract: `problems` has every problem that was found, one sentence each, with its place and its remedy.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code = "domain_invalid";
  // Not a property of its own: Node prints those below the message, which has the problems already.
  readonly #problems: readonly string[];

  constructor(domain: string, problems: readonly string[], options?: ErrorOptions) {
    super([`Cannot use the domain "${domain}":`, ...problems].join("\n- "), options);
    this.#problems = problems;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }
}

/** Refuses a domain with problems. */
export function assertNoProblems(domain: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new DomainError(domain, problems);
}
