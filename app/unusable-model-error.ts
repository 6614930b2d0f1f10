/**
 * The configured model cannot be used, which was found when the program started.
 *
 * Contract: the message is a sentence for the operator that names the setting to check and no key.
 * The program ends with exit code 3.
 */
export class UnusableModelError extends Error {
  override readonly name = "UnusableModelError";
  readonly code = "model_unusable";
}
