import { parseArgs } from "node:util";
import { isUserId, USER_ID_FORM } from "../server/access/user-id.ts";
import { didYouMean } from "../text/nearest.ts";
import { UsageError } from "../app/usage-error.ts";

/** The options a command knows: those with a value, and those without. */
export interface KnownOptions {
  readonly values: readonly string[];
  readonly flags: readonly string[];
}

/** The given arguments, of which only the names are checked. */
export interface GivenArguments {
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/**
 * Reads a command line: `--name value`, `--name=value`, `--flag`. `--help` is always known.
 *
 * @throws UsageError for an option that is unknown, given twice, lacks its value or takes none.
 */
export function readArguments(argv: readonly string[], known: KnownOptions): GivenArguments {
  const options = Object.fromEntries([
    ...known.values.map((name) => [name, { type: "string" }] as const),
    ...[...known.flags, "help"].map((name) => [name, { type: "boolean" }] as const),
  ]);
  // The messages of the strict mode are written for programmers.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    if (options[name] === undefined) throw unknownOption(rawName, Object.keys(options));
    if (values.has(name) || flags.has(name)) {
      throw new UsageError(`Cannot use ${rawName} twice: give it once`);
    }
    if (known.values.includes(name)) {
      // A negative number is a value; its reader rejects it with a better sentence.
      if (value === undefined || (!inlineValue && /^-(?!\d)/.test(value))) {
        throw new UsageError(`Cannot use ${rawName} without a value: write ${rawName} VALUE`);
      }
      values.set(name, value);
      continue;
    }
    if (value !== undefined) {
      throw new UsageError(`Cannot use ${rawName} with the value "${value}": it takes none`);
    }
    flags.add(name);
  }
  return { values, flags, positionals };
}

function unknownOption(typed: string, names: readonly string[]): UsageError {
  const meant = didYouMean(
    typed,
    names.map((name) => `--${name}`),
  );
  return new UsageError(
    `Cannot use the option "${typed}": the option is unknown${meant === "" ? "; --help lists them" : meant}`,
  );
}

/**
 * Reads the id of a user or thread. Accepts every id that the server accepts for a user, which is
 * more than it accepts for a thread.
 *
 * @throws UsageError if the value cannot be an id.
 */
export function readId(option: string, value: string): string {
  const id = value.toWellFormed();
  if (isUserId(id)) return id;
  throw new UsageError(
    `Cannot use ${option} "${value.slice(0, 40)}": write an id of ${USER_ID_FORM}`,
  );
}
