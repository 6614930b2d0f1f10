import type { World } from "../world/world.ts";

/** Words of time that every world has. */
const TIMES = ["slot", "evening", "night", "day", "session"];

/** How many times are to be filled ("8 meals", "3 dinners"); null where no number is named. */
export function countedTimes(text: string, world: World): number | null {
  const words = [...new Set([...world.choiceWords, ...timeWords(world), ...TIMES])].join("|");
  const found = new RegExp(`\\b(\\d+) (?:\\w+ ){0,2}(?:${words})(?:e?s)?\\b`).exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** Every word for a time of day or another value of a choice. */
export function timeWords(world: World): string[] {
  return [...new Set([...Object.keys(world.values), ...Object.values(world.values)])];
}

/** Words that name a kind or a time, and no single thing. */
export function paleWords(world: World): string[] {
  return [...world.choiceWords, ...timeWords(world), "draft"];
}
