import { readProfile } from "../prompt/read-profile.ts";
import { linesOf, unfenced } from "../prompt/read-prompt.ts";
import { FOODS } from "../world/food-words.ts";
import type { Instance } from "./instance.ts";
import { rootOf, shortened } from "./sayings.ts";

const EATING = new Set(
  [
    ..."eat food meal cook cooking kitchen recipe snack breakfast lunch dinner supper takeout prep diet grocery groceries leftover vegetable".split(
      " ",
    ),
    ...FOODS,
  ].map(rootOf),
);

/**
 * What a concierge has to keep to besides what was said to it: wishes and rules that hold for all
 * advice, allergies and diets where it is about food. Empty where nothing is known that matters.
 */
export function personLimits({ first }: Instance, about: string): string {
  const known = unfenced("data", first("The Person"));
  const rules = linesOf(known).flatMap((line) => /^- (.+?)(?: \(.*\))?$/.exec(line)?.[1] ?? []);
  const { allergies, diets } = readProfile(known);
  const food = isAboutFood(about) ? [...allergies.map((each) => `no ${each}`), ...diets] : [];
  const limits = [...food, ...rules];
  return limits.length === 0
    ? ""
    : `Whatever it is, this holds: ${shortened(limits.join("; "), 240)}.`;
}

function isAboutFood(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.some((word) => EATING.has(rootOf(word)));
}
