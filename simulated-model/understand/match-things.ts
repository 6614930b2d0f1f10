import type { SimulatedWords } from "../../state/simulated-words.ts";
import { nameKey } from "../language/tokens.ts";

/** Tells whether a name is a whole label; articles and plurals do not count. */
export function isWholeLabel(name: string, label: string): boolean {
  return nameKey(name) === nameKey(label);
}

/** Tells whether a name's words stand together in a text. */
export function holdsName(text: string, name: string): boolean {
  const key = nameKey(name);
  return key !== "" && ` ${nameKey(text)} `.includes(` ${key} `);
}

/**
 * Finds the first of some texts that shows a name, or something of the kind that it names.
 *
 * "Milk" is found in "coconut milk" too: who avoids a food had better hear of one dish too many.
 */
export function findShown(
  texts: readonly string[],
  name: string,
  { kinds }: SimulatedWords,
): string | undefined {
  const kind = Object.entries(kinds).find(([each]) => isWholeLabel(each, name));
  const names = [name, ...(kind?.[1] ?? [])];
  return texts.find((text) => names.some((each) => holdsName(text, each)));
}

/** A label with the text for which it is left out: "Chickpea Curry (coconut milk)". */
export function describeReason(label: string, shown: string | undefined): string {
  return shown === undefined || shown === label ? label : `${label} (${shown})`;
}
