/**
 * A wrong argument or setting, given by the person who starts the program.
 *
 * Contract: the message is one sentence that names what is wrong and what would be right; it holds
 * no secret. The program ends with exit code 2.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
