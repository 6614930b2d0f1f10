import { MODEL_SETTINGS } from "./model-settings.ts";
import {
  DATABASE_SETTINGS,
  LIMIT_SETTINGS,
  LOG_SETTINGS,
  TRACING_SETTINGS,
} from "./program-settings.ts";
import { RETENTION_SETTINGS, SERVER_SETTINGS, WORKER_SETTINGS } from "./server-settings.ts";
import type { ProgramCommand, Setting, SettingValue } from "./setting.ts";

/** Every setting, in the order in which people read them. */
export const SETTING_GROUPS = [
  { title: "Database", settings: DATABASE_SETTINGS },
  { title: "Models", settings: MODEL_SETTINGS },
  { title: "Limits", settings: LIMIT_SETTINGS },
  { title: "Server", settings: SERVER_SETTINGS },
  { title: "Worker", settings: WORKER_SETTINGS },
  { title: "Retention", settings: RETENTION_SETTINGS },
  { title: "Log", settings: LOG_SETTINGS },
  { title: "Tracing", settings: TRACING_SETTINGS },
] as const;

type KnownSetting = (typeof SETTING_GROUPS)[number]["settings"][number];

/** The name of a setting. */
export type SettingName = KnownSetting["name"];

/** Every setting with its value, read and checked, and the place it comes from. */
export type SettingValues = {
  readonly [S in KnownSetting as S["name"]]: SettingValue<S extends Setting<infer T> ? T : never>;
};

/** Every setting, groups joined. */
export const SETTINGS: readonly Setting<unknown>[] = SETTING_GROUPS.flatMap(
  ({ settings }): readonly Setting<unknown>[] => settings,
);

const MODEL_NAMES: ReadonlySet<string> = new Set(MODEL_SETTINGS.map(({ name }) => name));

/** Returns true for a setting of the endpoint, its models and their cost. */
export function isModelSetting(name: string): boolean {
  return MODEL_NAMES.has(name);
}

/** Returns true where a bad value of a setting stops a command. */
export function usesSetting(command: ProgramCommand, name: string): boolean {
  return SETTINGS.some((setting) => setting.name === name && setting.commands.includes(command));
}

/** Lists the settings that a command uses, in the order of the table. */
export function listSettings(command: ProgramCommand): readonly Setting<unknown>[] {
  return SETTINGS.filter(({ commands }) => commands.includes(command));
}
