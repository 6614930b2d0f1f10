import { redact } from "../../models/failures/errors.ts";
import { UsageError } from "../usage-error.ts";
import { findMisspelled, OTHER_VENDOR } from "./misspelled.ts";
import { SETTING_RULES } from "./rules.ts";
import type { ProgramCommand, Environment, SettingPlace, SettingValue, Source } from "./setting.ts";
import { isModelSetting, SETTINGS, usesSetting, type SettingValues } from "./settings.ts";

/** Options of `readSettings`. */
export interface ReadSettingsOptions {
  /**
   * True where the simulated model may answer although a model setting is misspelled: a person at a
   * terminal reads the warning, or has asked for that model. Default: false.
   */
  readonly allowsSimulated?: boolean;
}

/** Settings as they were read, and a sentence for each thing that is set and not used. */
export interface ReadSettings {
  readonly values: SettingValues;
  readonly warnings: readonly string[];
}

/** Something wrong with a setting, as one sentence. */
interface Problem {
  readonly name: string;
  readonly sentence: string;
}

/**
 * Reads every setting for a command: of several sources the first that has a variable decides, an
 * empty value counts as not set. A bad value that the command does not use is a warning, and the
 * default takes its place. (models.md §6)
 *
 * @throws UsageError with one line for each bad value that the command uses, and for each model
 * setting that is misspelled or whose line cannot be read where no model is set; then the warnings.
 *
 * @example
 * const sources = [{ kind: "environment", values: { CONCIERGE_PORT: "80" } }] as const;
 * readSettings("start", sources).values.CONCIERGE_PORT.value; // 80
 */
export function readSettings(
  command: ProgramCommand,
  sources: readonly Source[],
  { allowsSimulated = false }: ReadSettingsOptions = {},
): ReadSettings {
  const set = findVariables(sources);
  const invalid = findInvalidValues(set);
  const parsed = parseSettings(set, nameAll(invalid));
  const broken = findBrokenRules(parsed, set);
  const { stopping, warning } = splitProblems(command, [...invalid, ...broken]);
  const values = broken.length === 0 ? parsed : parseSettings(set, nameAll(invalid, broken));
  const misspelled = describeMisspelled(set);
  const unreadable = sources.flatMap(describeUnreadable);
  const isModelSet = ["OPENAI_API_KEY", "OPENAI_BASE_URL"].some((name) => isFilled(set.get(name)));
  const meantModel =
    isModelSet || allowsSimulated || !usesSetting(command, "OPENAI_MODEL")
      ? []
      : [
          ...misspelled.filter((one) => one.isModel && !isForeign(one.name, set.get(one.name))),
          ...unreadable.filter(({ isModel }) => isModel),
        ];
  const errors = [
    ...stopping.map(({ sentence }) => sentence),
    ...meantModel.map(({ refusal }) => refusal),
  ];
  const named = misspelled.filter(({ name }) => name !== OTHER_VENDOR || !isModelSet);
  const warnings = [
    ...sayNotUsed(named.filter((one) => !meantModel.includes(one))),
    ...warning.map(({ sentence }) => `Not used here: ${sentence}`),
    ...sources.flatMap((source) => describeStrange(source, set)),
    ...sayNotUsed(unreadable.filter((one) => !meantModel.includes(one))),
  ];
  if (errors.length > 0) throw new UsageError([...errors, ...warnings].join("\n"));
  return { values, warnings };
}

function sayNotUsed(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ sentence }) => `Not used: ${sentence}`);
}

/** A variable as it is set. */
interface Variable {
  readonly text: string;
  readonly place: SettingPlace;
}
type Variables = ReadonlyMap<string, Variable>;

/** Returns every variable of the sources, the first source that has it winning. */
function findVariables(sources: readonly Source[]): Variables {
  const set = new Map<string, Variable>();
  for (const source of sources) {
    for (const [name, text] of Object.entries(source.values)) {
      if (text !== undefined && !set.has(name))
        set.set(name, { text, place: locate(name, source) });
    }
  }
  return set;
}

/** Returns every variable of the sources as one environment. */
export function mergeSources(sources: readonly Source[]): Environment {
  return toEnvironment(findVariables(sources));
}

function toEnvironment(set: Variables): Environment {
  return Object.fromEntries([...set].map(([name, { text }]) => [name, text]));
}

function locate(name: string, source: Source): SettingPlace {
  switch (source.kind) {
    case "option":
      return { kind: "option", option: source.options[name] ?? name };
    case "environment":
      return { kind: "environment" };
    case "file":
      return { kind: "file", path: source.path, line: source.lines.names.get(name) ?? null };
    case "choice":
      return { kind: "choice", path: source.path, dialect: source.dialect };
    default:
      return source satisfies never;
  }
}

function isFilled(variable: Variable | undefined): boolean {
  return variable !== undefined && variable.text.trim() !== "";
}

function nameAll(...problems: readonly (readonly Problem[])[]): ReadonlySet<string> {
  return new Set(problems.flat().map(({ name }) => name));
}

function findInvalidValues(set: Variables): readonly Problem[] {
  return SETTINGS.flatMap(({ name, schema }) => {
    const { error } = schema.safeParse(set.get(name)?.text);
    const [issue] = error?.issues ?? [];
    return issue === undefined ? [] : [describeProblem(name, issue.message, set)];
  });
}

/** Reads the values, those with a problem as if they were not set. */
function parseSettings(set: Variables, bad: ReadonlySet<string>): SettingValues;
function parseSettings(set: Variables, bad: ReadonlySet<string>): unknown {
  return Object.fromEntries(
    SETTINGS.map(({ name, schema }): [string, SettingValue<unknown>] => {
      const found = set.get(name);
      if (found === undefined || !isFilled(found) || bad.has(name)) {
        return [name, { value: schema.parse(undefined), place: { kind: "default" } }];
      }
      return [name, { value: schema.parse(found.text), place: found.place }];
    }),
  );
}

function findBrokenRules(values: SettingValues, set: Variables): readonly Problem[] {
  const environment = toEnvironment(set);
  return SETTING_RULES.flatMap(({ setting, findProblem }) => {
    const problem = findProblem(values, environment);
    return problem === null ? [] : [describeProblem(setting, problem, set)];
  });
}

function splitProblems(command: ProgramCommand, problems: readonly Problem[]) {
  const { stopping = [], warning = [] } = Object.groupBy(problems, ({ name }) =>
    usesSetting(command, name) ? "stopping" : "warning",
  );
  return { stopping, warning };
}

const LONGEST_VALUE = 100;

/** Returns a problem with its place and value: `.env line 4: CONCIERGE_LOG "loud" must be …`. */
function describeProblem(name: string, problem: string, set: Variables): Problem {
  const variable = set.get(name);
  const isSecret = SETTINGS.some((setting) => setting.name === name && setting.secret);
  const shown = redact(variable?.text ?? "", []).slice(0, LONGEST_VALUE);
  const subject = isSecret || !isFilled(variable) ? name : `${name} "${shown}"`;
  return { name, sentence: describeAt(variable?.place, subject, problem) };
}

/** Puts a place before or into a sentence. */
function describeAt(place: SettingPlace | undefined, subject: string, rest: string): string {
  switch (place?.kind) {
    case "file": {
      const line = place.line === null ? "" : ` line ${place.line}`;
      return `${place.path}${line}: ${subject} ${rest}`;
    }
    case "choice":
      return `${place.path}: ${subject} ${rest}`;
    case "option":
      return `${subject} (${place.option}) ${rest}`;
    case "environment":
      return `${subject} (environment) ${rest}`;
    case "default":
    case undefined:
      return `${subject} ${rest}`;
    default:
      return place satisfies never;
  }
}

/** Returns the names of variables that have a value. */
function listFilled(set: Variables): readonly string[] {
  return [...set].filter(([, variable]) => isFilled(variable)).map(([name]) => name);
}

/** A name or line that sets nothing. */
interface Unused extends Problem {
  /** True where a setting of the model was meant. */
  readonly isModel: boolean;
  /** The sentence where the command needs a model and none is set. */
  readonly refusal: string;
}

const NAMES = SETTINGS.map(({ name }) => name);

function describeMisspelled(set: Variables): readonly Unused[] {
  return findMisspelled(listFilled(set), NAMES).map(({ name, meant, advice }) => {
    const sentence = describeAt(set.get(name)?.place, name, `is not a setting; ${advice}`);
    const refusal = `${sentence} ${askForModel("the name")}`;
    return { name, isModel: isModelSetting(meant), sentence, refusal };
  });
}

function askForModel(wrong: "the name" | "the line"): string {
  return `No model is set: correct ${wrong}, or remove it for the simulated model`;
}

/** Tests for a variable that another program has in the environment: `.env` is for this one. */
function isForeign(name: string, variable: Variable | undefined): boolean {
  return name === OTHER_VENDOR && variable?.place.kind !== "file";
}

/** Names the lines of a file that cannot be read. */
function describeUnreadable(source: Source): readonly Unused[] {
  if (source.kind !== "file") return [];
  const { path, lines } = source;
  return lines.unreadable.map(({ line, name }) => {
    const sentence = `${path} line ${line} cannot be read; write NAME=value, or # at its beginning`;
    const meant = [name, ...findMisspelled([name], NAMES).map((one) => one.meant)];
    const refusal = `${sentence}. ${askForModel("the line")}`;
    return { name, isModel: meant.some(isModelSetting), sentence, refusal };
  });
}

/** Names the lines of a file whose names begin like a setting's. */
function describeStrange(source: Source, set: Variables): readonly string[] {
  if (source.kind !== "file") return [];
  const { path, lines } = source;
  const misspelled = describeMisspelled(set).map(({ name }) => name);
  const known = new Set([...NAMES, ...misspelled]);
  const strange = [...lines.names].filter(
    ([name]) => name.toUpperCase().startsWith("CONCIERGE_") && !known.has(name),
  );
  return strange.map(
    ([name, line]) =>
      `Not used: ${path} line ${line}: ${name} is not a setting; docs/settings.md lists them`,
  );
}
