/** A mistake that a careless change could make, and the tests that must notice it. */
export interface Mutant {
  /** The promise that the mistake breaks, in a few words: what the report names. */
  readonly breaks: string;
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files or folders that run against it. */
  readonly tests: readonly string[];
}
