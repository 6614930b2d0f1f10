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

/** Tells whether one of some texts shows a name, or something of the kind that it names. */
export function showsName(
  texts: readonly string[],
  name: string,
  { kinds }: SimulatedWords,
): boolean {
  const kind = Object.entries(kinds).find(([each]) => isWholeLabel(each, name));
  return [name, ...(kind?.[1] ?? [])].some((each) => texts.some((text) => holdsName(text, each)));
}
