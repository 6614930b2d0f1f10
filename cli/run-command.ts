import { keepCompiledCode } from "./compile-cache.ts";
import { UsageError } from "../app/usage-error.ts";

/**
 * Runs a command and sets the exit code: the one that it returns, 2 for a wrong argument or setting,
 * 1 for any other failure. Prints one sentence about a failure on standard error. A reader of
 * standard output or standard error that goes away is not a failure.
 */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", () => undefined);
  keepCompiledCode();
  try {
    process.exitCode = await command();
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Returns an error as one sentence for the person at the terminal. */
export function describeError(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
