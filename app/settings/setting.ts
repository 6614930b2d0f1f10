import type { z } from "zod";
import type { EndpointDialect } from "../../models/config.ts";

/**
 * The commands that read settings: those of `npm run` (`start`: `npm start`), and `library` for a
 * program of somebody else, which may use all of them.
 */
export const COMMAND_NAMES = [
  "chat",
  "start",
  "inspect",
  "keys",
  "user-data",
  "domain",
  "models",
  "studio",
  "simulate",
  "evaluate",
  "bench",
  "library",
] as const;
export type ProgramCommand = (typeof COMMAND_NAMES)[number];

/** One variable that the program reads. */
export interface Setting<T, N extends string = string> {
  readonly name: N;
  /** Reads its text; `undefined` where it is not set or empty. Its messages are ends of sentences. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** The commands that a bad value stops; to others it is a warning. */
  readonly commands: readonly ProgramCommand[];
  /** True for values that are never repeated. */
  readonly secret: boolean;
  /** One line with the default, for `--help`. Begins with a capital and has no final period. */
  readonly help: string;
  /** Sentences that only `.env.example` and the documentation have; null for none. */
  readonly details: string | null;
  /** A value to copy; null where the help says it all. */
  readonly example: string | null;
}

/** A setting as it is written in the table: what is left out has a default. */
type SettingRow<T, N extends string> = Pick<
  Setting<T, N>,
  "name" | "schema" | "commands" | "help"
> &
  Partial<Pick<Setting<T, N>, "secret" | "details" | "example">>;

/** Makes a setting that is no secret and has neither details nor an example, unless they are given. */
export function defineSetting<T, const N extends string>(row: SettingRow<T, N>): Setting<T, N> {
  return { secret: false, details: null, example: null, ...row };
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The lines of a file `.env`. */
export interface EnvironmentLines {
  /** Line numbers, from 1 on, by the variable that they set. */
  readonly names: ReadonlyMap<string, number>;
  /** The lines that set nothing and are neither empty nor comments. */
  readonly unreadable: readonly UnreadableLine[];
}

/** A line of a file `.env` that cannot be read. */
export interface UnreadableLine {
  /** From 1 on. */
  readonly line: number;
  /** The word at its beginning, which may be a setting's name; empty where there is none. */
  readonly name: string;
}

/** Values of options that stand for settings, as a source without its kind. */
export type OptionValues = Omit<Extract<Source, { readonly kind: "option" }>, "kind">;

/** A place that settings are read from. */
export type Source =
  | {
      readonly kind: "option";
      readonly values: Environment;
      /** The option that stands for a setting, as in `--port`. */
      readonly options: Readonly<Record<string, string>>;
    }
  | { readonly kind: "environment"; readonly values: Environment }
  | {
      readonly kind: "file";
      /** The file as a message names it. */
      readonly path: string;
      readonly values: Environment;
      readonly lines: EnvironmentLines;
    }
  | {
      /** The model that was chosen in the terminal. */
      readonly kind: "choice";
      readonly path: string;
      readonly dialect: EndpointDialect;
      readonly values: Environment;
    };

/** The place that a value comes from. */
export type SettingPlace =
  | { readonly kind: "option"; readonly option: string }
  | { readonly kind: "environment" }
  | { readonly kind: "file"; readonly path: string; readonly line: number | null }
  | { readonly kind: "choice"; readonly path: string; readonly dialect: EndpointDialect }
  | { readonly kind: "default" };

/** A value and where it was set. */
export interface SettingValue<T> {
  readonly value: T;
  readonly place: SettingPlace;
}
