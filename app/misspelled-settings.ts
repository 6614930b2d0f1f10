import { closest, distance } from "fastest-levenshtein";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The number of letters by which a name may differ from a setting's. */
const ALLOWED = 2;

/** A variable that is set but not read, and the setting that was probably meant. */
export interface MisspelledSetting {
  readonly name: string;
  readonly meant: string;
}

/** The lines of the file `.env`. */
export interface EnvironmentLines {
  /** Line numbers by the variable that they set. */
  readonly names: ReadonlyMap<string, number>;
  /** Numbers of the lines that set nothing and are neither empty nor comments. */
  readonly unreadable: readonly number[];
}

const SETTING_LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;

/** Finds the lines of a file `.env` that set a variable, and those that cannot be read. */
export function readEnvironmentLines(text: string): EnvironmentLines {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const names = new Map<string, number>();
  const unreadable: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [, name, value = ""] = SETTING_LINE.exec(line) ?? [];
    if (name !== undefined) {
      names.set(name, index + 1);
      // A value in quotation marks may go on for several lines.
      const quote = /^["'`]/.exec(value)?.[0];
      const isOpen = quote !== undefined && !value.slice(1).includes(quote);
      const end = isOpen ? lines.findIndex((next, at) => at > index && next.includes(quote)) : -1;
      index = Math.max(index, end);
    } else if (!/^\s*(?:#|$)/.test(line)) unreadable.push(index + 1);
  }
  return { names, unreadable };
}

/**
 * Returns one sentence for each variable whose name looks like a misspelled setting, for each
 * variable of the file that begins like a setting, and for each of the file's unreadable lines.
 */
export function describeIgnored(
  env: Environment,
  settings: readonly string[],
  { names, unreadable }: EnvironmentLines,
): readonly string[] {
  const misspelled = findMisspelled(env, settings);
  const known = new Set([...settings, ...misspelled.map(({ name }) => name)]);
  const strange = [...names].filter(([name]) => name.startsWith("CONCIERGE_") && !known.has(name));
  return [
    ...misspelled.map(({ name, meant }) => `${name} is not a setting; did you mean ${meant}?`),
    ...strange.map(
      ([name, line]) =>
        `${name} in line ${line} of the file ".env" is not a setting; .env.example lists them`,
    ),
    ...unreadable.map(
      (line) => `line ${line} of the file ".env" cannot be read; write NAME=value, or # first`,
    ),
  ].map((problem) => `Not used: ${problem}`);
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
