import { closest, distance } from "fastest-levenshtein";

/** How many letters a name may be off. */
const ALLOWED = 2;

/** A variable that is set and that nobody reads, and the one that was probably meant. */
export interface Misspelled {
  readonly name: string;
  readonly meant: string;
}

/**
 * Finds variables whose names look like a setting's and are none: some letters off, or without their
 * end (`CONCIERGE_DRAIN`). Other programs' variables are left alone. In the order of their names.
 */
export function findMisspelled(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly Misspelled[] {
  return Object.keys(env)
    .filter((name) => !settings.includes(name) && (env[name] ?? "") !== "")
    .toSorted()
    .flatMap((name) => {
      const meant = meantBy(name, settings);
      return meant === null ? [] : [{ name, meant }];
    });
}

function meantBy(name: string, settings: readonly string[]): string | null {
  const isOurs = name.startsWith("CONCIERGE_");
  const longer = settings.filter((setting) => isOurs && setting.startsWith(`${name}_`));
  if (longer.length > 0) return closest(name, longer);
  const near = closest(name, [...settings]);
  return distance(name, near) <= ALLOWED ? near : null;
}
