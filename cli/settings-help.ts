import { SETTINGS_HEADING } from "../app/settings/render-settings.ts";
import type { ProgramCommand } from "../app/settings/setting.ts";
import { listSettings } from "../app/settings/settings.ts";
import { hangRows } from "./wrap.ts";

/** Returns the part of `--help` that lists the settings of a command. */
export function renderSettingsHelp(command: ProgramCommand): string {
  const settings = listSettings(command);
  const width = Math.max(...settings.map(({ name }) => name.length));
  const rows = settings.flatMap(({ name, help }) =>
    hangRows(help, { prefix: `  ${name.padEnd(width)}  `, columns: 100 }),
  );
  return `${SETTINGS_HEADING}\n\n${rows.join("\n")}\n`;
}
