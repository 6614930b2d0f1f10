import { keepCompiledCode } from "./compile-cache.ts";
import {
  readAction,
  readCommandLine,
  renderCommandHelp,
  type ActionRequest,
  type Actions,
  type Command,
  type Values,
} from "./command-line.ts";
import { UnusableModelError } from "../app/unusable-model-error.ts";
import { UsageError } from "../app/usage-error.ts";
import { DatabaseUnavailableError } from "../storage/postgres/database-error.ts";

/**
 * Runs a command and sets the exit code: the one that it returns, 2 for a wrong argument or setting,
 * 3 for a model and 4 for a database that cannot be used, 1 for any other failure. Prints one sentence about a failure on standard error. A reader of
 * standard output or standard error that goes away is not a failure.
 */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", () => undefined);
  keepCompiledCode();
  try {
    process.exitCode = await command();
  } catch (error) {
    process.stderr.write(`${renderError(error)}\n`);
    process.exitCode = chooseExitCode(error);
  }
}

/** Chooses the exit code of a failure (models.md, section 2). */
function chooseExitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof UnusableModelError) return 3;
  return error instanceof DatabaseUnavailableError ? 4 : 1;
}

/** Reads the command line and runs the command with its values, or prints its help. */
export async function runWithArguments<T extends Command["arguments"]>(
  command: Command<T>,
  run: (values: Values<T>) => Promise<number>,
): Promise<void> {
  await runCommand(async () => {
    const values = readCommandLine(command, process.argv.slice(2));
    if (values !== null) return run(values);
    process.stdout.write(await renderProgramHelp([command]));
    return 0;
  });
}

/** Reads the command line and runs the action that it names, or prints the help of all actions. */
export async function runWithAction<A extends Actions>(
  actions: A,
  run: (request: ActionRequest<A>) => Promise<number>,
): Promise<void> {
  await runCommand(async () => {
    const request = readAction(actions, process.argv.slice(2));
    if (request !== null) return run(request);
    process.stdout.write(await renderProgramHelp(Object.values(actions)));
    return 0;
  });
}

/** Returns the help of commands that start with the same words, with the settings that they use. */
export async function renderProgramHelp(commands: readonly Command[]): Promise<string> {
  // The table of settings takes a while to load, and only help shows it.
  const { renderSettingsHelp } = await import("./settings-help.ts");
  const names = new Set(commands.flatMap(({ settings }) => settings ?? []));
  return [...commands.map(renderCommandHelp), ...[...names].map(renderSettingsHelp)].join("\n");
}

/** Returns an error as one sentence for the person at the terminal. */
export function renderError(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
