interface Details extends ErrorOptions {
  /** The end of the message: a sentence on what the problems say to write. */
  readonly advice?: string;
}

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

  constructor(domain: string, problems: readonly string[], details: Details = {}) {
    const list = [`Cannot use the domain "${domain}":`, ...problems].join("\n- ");
    super(details.advice === undefined ? list : `${list}\n${details.advice}`, details);
    this.#problems = problems;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }
}

/** Refuses a domain with problems, with a sentence on what they say to write, if any. */
export function assertNoProblems(
  domain: string,
  problems: readonly string[],
  advice?: string,
): void {
  if (problems.length === 0) return;
  throw new DomainError(domain, problems, advice === undefined ? {} : { advice });
}
