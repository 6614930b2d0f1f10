import { closest, distance } from "fastest-levenshtein";

/** The number of letters by which a name may differ from a setting's. */
const ALLOWED = 2;

/** A variable that is set but not read, and the setting that was probably meant. */
export interface MisspelledSetting {
  readonly name: string;
  readonly meant: string;
  /** The remedy as the end of a sentence. */
  readonly advice: string;
}

/** Names that people type for names that are not ours, and the setting they mean. (models.md §6) */
const TYPED_FOR: ReadonlyMap<string, string> = new Map([
  ["OPENAI_KEY", "OPENAI_API_KEY"],
  ["OPENAI_APIKEY", "OPENAI_API_KEY"],
  ["OPENAI_API_BASE", "OPENAI_BASE_URL"],
  ["OPENAI_URL", "OPENAI_BASE_URL"],
  ["OPENAI_MODEL_NAME", "OPENAI_MODEL"],
  ["CONCIERGE_MODEL", "OPENAI_MODEL"],
]);

/** Another vendor's variable: no misspelling where an endpoint is set, whose experts may use it. */
export const OTHER_VENDOR = "ANTHROPIC_API_KEY";

/**
 * Finds variables that are set and whose names look like a setting's but are not: a few letters
 * or only their case differ, the end is missing (`CONCIERGE_DRAIN`), a word in the middle is (`OPENAI_KEY`), or people
 * are known to type them. Leaves other programs' variables alone. Sorted by name.
 */
export function findMisspelled(
  names: readonly string[],
  settings: readonly string[],
): readonly MisspelledSetting[] {
  return names
    .filter((name) => !settings.includes(name))
    .toSorted()
    .flatMap((name) => {
      if (name === OTHER_VENDOR) {
        const advice = "set OPENAI_BASE_URL and OPENAI_API_KEY for that endpoint";
        return [{ name, meant: "OPENAI_BASE_URL", advice }];
      }
      const typed = name.toUpperCase();
      const meant = TYPED_FOR.get(typed) ?? findMeant(typed, settings);
      return meant === null ? [] : [{ name, meant, advice: `did you mean ${meant}?` }];
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
