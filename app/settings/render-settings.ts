import wrapAnsi from "wrap-ansi";
import { COMMAND_NAMES, type ProgramCommand, type Setting } from "./setting.ts";
import { SETTING_GROUPS } from "./settings.ts";

/** The sentence above a list of settings in `--help`. */
export const SETTINGS_HEADING =
  "Settings, from the environment, else from the file .env (docs/settings.md has more about them):";

const COLUMNS = 100;

interface ListedGroup {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

const GROUPS: readonly ListedGroup[] = SETTING_GROUPS;

/** Returns the file `.env.example`: every setting, empty. Pure. */
export function renderEnvExample(): string {
  const head = renderComment(
    "Settings of the program. Copy this file to .env and fill in what you need; nothing is required. Variables of the environment win over .env. An empty value counts as not set. Printed from app/settings/ by npm run schemas.",
  );
  const groups = GROUPS.map(
    ({ title, settings }) => `${renderRule(title)}\n\n${settings.map(renderExample).join("\n\n")}`,
  );
  return `${[head, ...groups].join("\n\n")}\n`;
}

/** Returns the page `docs/settings.md`. Pure. */
export function renderSettingsPage(): string {
  const groups = GROUPS.map(({ title, settings }) => {
    const rows = settings.map((setting) => {
      const cells = [`\`${setting.name}\``, describe(setting), listCommands(setting.commands)];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    });
    return [`## ${title}`, "", "| setting | use | used by |", "| --- | --- | --- |", ...rows].join(
      "\n",
    );
  });
  return `${[HEAD, ...groups].join("\n\n")}\n`;
}

const HEAD = `# Settings

Printed from \`app/settings/\` (\`npm run schemas\`). \`--help\` of a command lists the settings that it uses.

A value is taken from the command's option (\`--port\`), else from the environment, else from the file \`.env\` in the working directory; else the default holds. An empty value counts as not set; an empty variable of the environment hides the one in \`.env\`.

A bad value stops the commands that use it, with exit code 2 and one line for each: \`.env line 4: CONCIERGE_LOG "loud" must be one of silent, error, warn, info, debug\`. Other commands name it and go on. Every command names misspelled settings and lines of \`.env\` that it cannot read. If a setting of the model is misspelled or its line cannot be read and no model is set, a command that uses one does not start, except \`npm run chat\` in a terminal and with \`--model simulated\`. Secrets are never repeated.`;

function renderExample({ name, help, details, example }: Setting<unknown>): string {
  const comment = renderComment(details === null ? `${help}.` : `${help}. ${details}`);
  const lines = example === null ? [] : [`# ${name}=${example}`];
  return [comment, ...lines, `${name}=`].join("\n");
}

function renderComment(words: string): string {
  return wrapAnsi(words, COLUMNS - 2)
    .split("\n")
    .map((line) => `# ${line}`)
    .join("\n");
}

function renderRule(title: string): string {
  return `# --- ${title} `.padEnd(COLUMNS - 4, "-");
}

function describe({ help, details, example, secret }: Setting<unknown>): string {
  return [
    `${help}.`,
    ...(details === null ? [] : [details]),
    ...(example === null ? [] : [`Example: \`${example}\``]),
    ...(secret ? ["(Secret.)"] : []),
  ].join(" ");
}

function listCommands(commands: readonly ProgramCommand[]): string {
  if (commands.length === COMMAND_NAMES.length) return "all";
  return commands.map((command) => (command === "library" ? "`readConfig`" : command)).join(", ");
}
