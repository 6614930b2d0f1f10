import { closest, distance } from "fastest-levenshtein";
import { EnvironmentSchema, type Environment } from "./config.ts";

/** The number of letters by which a name may differ from a setting's. */
const ALLOWED = 2;

/** A variable that is set but not read, and the setting that was probably meant. */
export interface MisspelledSetting {
  readonly name: string;
  readonly meant: string;
}

/** Returns one sentence for each variable whose name looks like a misspelled setting. */
export function describeMisspelled(env: Environment): readonly string[] {
  return findMisspelled(env, Object.keys(EnvironmentSchema.shape)).map(
    ({ name, meant }) => `Not used: ${name} is not a setting; did you mean ${meant}?`,
  );
}

/**
 * Finds variables whose names look like a setting's but are not: a few letters differ, the end is
 * missing (`CONCIERGE_DRAIN`) or a word in the middle is (`OPENAI_KEY`). Leaves other programs'
 * variables alone. Sorted by name.
 */
export function findMisspelled(
  env: Environment,
  settings: readonly string[],
): readonly MisspelledSetting[] {
  return Object.keys(env)
    .filter((name) => !settings.includes(name) && (env[name] ?? "") !== "")
    .toSorted()
    .flatMap((name) => {
      const meant = findMeant(name, settings);
      return meant === null ? [] : [{ name, meant }];
    });
}

function findMeant(name: string, settings: readonly string[]): string | null {
  const isOurs = name.startsWith("CONCIERGE_");
  const longer = settings.filter((setting) => isOurs && setting.startsWith(`${name}_`));
  if (longer.length > 0) return closest(name, longer);
  const fuller = settings.filter((setting) => lacksMiddleWord(name, setting));
  if (fuller.length > 0) return closest(name, fuller);
  const near = closest(name, [...settings]);
  return distance(name, near) <= ALLOWED ? near : null;
}

function lacksMiddleWord(name: string, setting: string): boolean {
  // Clients of the server use CONCIERGE_URL: two words are too few to tell ours from theirs.
  if (name.startsWith("CONCIERGE_") && name.split("_").length < 3) return false;
  const words = setting.split("_");
  return words.some(
    (_, index) =>
      index > 0 && index < words.length - 1 && words.toSpliced(index, 1).join("_") === name,
  );
}
