const YES: ReadonlySet<string> = new Set([
  "yes",
  "y",
  "yes please",
  "yep",
  "yeah",
  "ok",
  "okay",
  "sure",
  "go on",
  "yes go on",
  "go ahead",
  "yes go ahead",
  "continue",
  "please do",
]);
const NO: ReadonlySet<string> = new Set([
  "no",
  "n",
  "no thanks",
  "no thank you",
  "nope",
  "stop",
  "no stop",
  "dont",
  "cancel",
  "not now",
]);

/**
 * Reads a plain yes or no, for a question that no model may be asked about; null for anything else.
 * Pure.
 *
 * @example
 * readYesNo("Yes, please!"); // "yes"
 * readYesNo("yes, but only the curry"); // null
 */
export function readYesNo(message: string): "yes" | "no" | null {
  const words = message
    .toLowerCase()
    .replaceAll(/['’]/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  if (YES.has(words)) return "yes";
  return NO.has(words) ? "no" : null;
}
