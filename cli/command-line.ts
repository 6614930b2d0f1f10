import { parseArgs, type ParseArgsConfig } from "node:util";
import { isUserId, USER_ID_FORM } from "../server/access/user-id.ts";
import { didYouMean } from "../text/nearest.ts";
import type { ProgramCommand } from "../app/settings/setting.ts";
import { UsageError } from "../app/usage-error.ts";
import { hangRows } from "./wrap.ts";

/**
 * An option of a command, or an argument that is known by its place:
 * - its form: `--user ID`, `--json` or `THREAD`; `NAME…` may be repeated;
 * - its description in `--help`, which adds a default that is a text or a number;
 * - the reader of its text, which throws `InvalidValue`; absent for a flag;
 * - its value if it is not given; without one, an argument with a value must be given.
 */
export type Argument = readonly [
  form: string,
  about: string,
  read?: (text: string) => unknown,
  absent?: unknown,
];

type ArgumentTable = Readonly<Record<string, Argument>>;

/** One command: everything from which its command line is read and its `--help` is printed. */
export interface Command<T extends ArgumentTable = ArgumentTable> {
  /** The words that start it, as in `npm start --`. */
  readonly start: string;
  readonly about: string;
  readonly arguments: T;
  /** The name under which the table of settings knows it; absent for one that reads none. */
  readonly settings?: ProgramCommand;
  /** Advice for a word that is no argument; by default, to read `--help`. */
  readonly strayWord?: string;
}

/** The values of a command line. A repeatable argument gives a list, a flag a boolean. */
export type Values<T extends ArgumentTable> = {
  readonly [K in keyof T]: T[K] extends readonly [
    string,
    string,
    (text: string) => infer R,
    ...infer D,
  ]
    ? T[K][0] extends `${string}…`
      ? readonly R[]
      : R | D[number]
    : boolean;
};

/** Says what to write instead of a value that cannot be used: the end of a sentence. */
export class InvalidValue extends Error {}

/** Gives the table of a command its exact type. */
export function defineCommand<const T extends ArgumentTable>(command: Command<T>): Command<T> {
  return command;
}

const isOption = ([form]: Argument): boolean => form.startsWith("--");
const isNeeded = ([form, , read, ...absent]: Argument): boolean =>
  read !== undefined && absent.length === 0 && !form.endsWith("…");
const nameArgument = ([form]: Argument): string => form.split(/[ …]/)[0] ?? "";

/** The words that start a command: of an installed package, those of its program. */
function nameStart(start: string): string {
  const isPackage = /[/\\](?:main\.[jt]s|concierge-graph)$/.test(process.argv[1] ?? "");
  if (!isPackage) return start;
  const [, name = "", action = ""] = /^npm (?:run )?(?:--silent )?(\S+) --(.*)$/.exec(start) ?? [];
  return `concierge-graph ${name === "start" ? "serve" : name}${action}`;
}

/** Returns the text of `--help`. */
export function renderCommandHelp({ start, about, arguments: table }: Command): string {
  const listed: Argument[] = [...Object.values(table), HELP];
  const width = Math.max(...listed.map(([form]) => form.length));
  const rows = listed.flatMap(([form, text, , absent]) => {
    const isShown = typeof absent === "string" || typeof absent === "number";
    const needsDefault = isShown && absent !== "" && !text.includes("(default");
    const shown = needsDefault ? `${text} (default: ${absent})` : text;
    return hangRows(shown, { prefix: `  ${form.padEnd(width)}  `, columns: 100 });
  });
  const words = listed
    .filter((argument) => !isOption(argument) || isNeeded(argument))
    .map((argument) => (isNeeded(argument) ? argument[0] : `[${argument[0]}]`));
  const usage = ["Usage:", nameStart(start), ...words, "[options]"].join(" ");
  return `${usage}\n\n${about.trim()}\n\n${rows.join("\n")}\n`;
}

/**
 * Reads a command line with its command's table; null when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readCommandLine<T extends ArgumentTable>(
  command: Command<T>,
  argv: readonly string[],
): Values<T> | null;
export function readCommandLine(command: Command, argv: readonly string[]): unknown {
  const { options, words } = readTokens(Object.values(command.arguments).filter(isOption), argv);
  if (options.has("--help")) return null;
  const values = Object.entries(command.arguments).map(([key, argument]) => {
    const name = nameArgument(argument);
    const read = (text?: string): unknown => readValue(command.start, argument, text);
    if (argument[2] === undefined) return [key, options.has(name)];
    if (isOption(argument)) return [key, read(options.get(name))];
    return [key, argument[0].endsWith("…") ? words.splice(0).map(read) : read(words.shift())];
  });
  if (words.length === 0) return Object.fromEntries(values);
  const remedy = command.strayWord ?? "--help lists the options";
  throw new UsageError(`Cannot use "${words[0]}": ${remedy}`);
}

/** Several commands that begin with the same words; the next word names one of them. */
export type Actions = Readonly<Record<string, Command>>;

/** The named action with the values of its command line. */
export type ActionRequest<A extends Actions> = {
  [K in keyof A]: { readonly action: K; readonly values: Values<A[K]["arguments"]> };
}[keyof A];

/** Reads the command line of one of several actions; null when help is asked for. @throws UsageError */
export function readAction<A extends Actions>(
  actions: A,
  argv: readonly string[],
): ActionRequest<A> | null;
export function readAction(actions: Actions, [word, ...rest]: readonly string[]): unknown {
  const names = Object.keys(actions);
  const action = names.find((name) => name === word);
  const command = action === undefined ? undefined : actions[action];
  if (command !== undefined) {
    const values = readCommandLine(command, rest);
    return values === null ? null : { action, values };
  }
  if (word === "--help") return null;
  const attempt = word === undefined ? "start without an action" : `use the action "${word}"`;
  const hint = didYouMean(word ?? "", names);
  throw new UsageError(`Cannot ${attempt}: write ${renderChoice(names)}${hint}`);
}

/** "create, list or revoke". */
function renderChoice(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)]
    .filter((part) => part !== "")
    .join(" or ");
}

function readValue(start: string, argument: Argument, text: string | undefined): unknown {
  const [form, about, read, absent] = argument;
  if (text === undefined) {
    if (!isNeeded(argument)) return absent;
    throw new UsageError(
      `Cannot start without ${form}: write ${nameStart(start)} ${form} (${about})`,
    );
  }
  try {
    return read?.(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    const found = `${nameArgument(argument)} "${text.slice(0, 40)}"`;
    throw new UsageError(`Cannot use ${found}: ${error.message}`);
  }
}

/** Returns the given options by name, and the words beside them. */
function readTokens(known: readonly Argument[], argv: readonly string[]) {
  const forms = new Map([...known, HELP].map((one) => [nameArgument(one), one[0]] as const));
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, form] of forms) {
    config[name.slice(2)] = { type: form === name ? "boolean" : "string" };
  }
  // The messages of the strict mode are written for programmers.
  const { tokens } = parseArgs({ args: [...argv], options: config, strict: false, tokens: true });
  const options = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName: name, value } = token;
    const form = forms.get(name);
    if (form === undefined) throw unknownOption(name, [...forms.keys()]);
    if (options.has(name)) throw new UsageError(`Cannot use ${name} twice: give it once`);
    // A negative number is a value; its reader rejects it with a better sentence.
    const isMissing = value === undefined || (!token.inlineValue && /^-(?!\d)/.test(value));
    if (form !== name && isMissing) {
      throw new UsageError(`Cannot use ${name} without a value: write ${form}`);
    }
    if (form === name && value !== undefined) {
      throw new UsageError(`Cannot use ${name} with the value "${value}": it takes none`);
    }
    options.set(name, value ?? "");
  }
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  return { options, words };
}

const HELP: Argument = ["--help", "print this"];

function unknownOption(typed: string, names: readonly string[]): UsageError {
  const hint = didYouMean(typed, names) || "; --help lists them";
  return new UsageError(`Cannot use the option "${typed}": the option is unknown${hint}`);
}

/** Makes the reader of one of several words. */
export function readChoice<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return choice;
    throw new InvalidValue(`write ${choices.join(" or ")}${didYouMean(text, choices)}`);
  };
}

/** The argument with which a command chooses its models. */
export const MODEL_ARGUMENT = [
  "--model NAME",
  "simulated, or a model at the configured endpoint, for every role (default: the configured models)",
  readModelName,
  null,
] as const satisfies Argument;

function readModelName(text: string): string {
  const name = text.trim();
  if (name === "openai") {
    throw new InvalidValue("leave --model out for the configured model, or name one");
  }
  if (name !== "") return name;
  throw new InvalidValue("write simulated, or the name of a model");
}

/** Makes the reader of a whole number between two others. */
export function readWholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidValue(`write a whole number from ${least} to ${most}`);
  };
}

/** Reads the id of a user or thread: every id that the server accepts for a user. */
export function readId(text: string): string {
  const id = text.toWellFormed();
  if (isUserId(id)) return id;
  throw new InvalidValue(`write an id of ${USER_ID_FORM}`);
}
