import { spawn } from "node:child_process";
import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, "../..");
/** A mutant whose tests take longer hangs them, which is noticed too. */
const LONGEST_MS = 240_000;

/** Copies the tracked and new files as they are now: the working tree itself is never changed. */
export async function copyTree(copy: string): Promise<string> {
  const { output } = await execute("git", ["ls-files", "-z", "-co", "--exclude-standard"], ROOT);
  for (const file of output.split("\0").filter((name) => name !== "" && name !== "node_modules")) {
    await cp(join(ROOT, file), join(copy, file)).catch(ignoreMissing);
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** A tracked file may have been deleted in the working tree. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** The end of a program. */
export interface Execution {
  /** Null where it took too long and was ended. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program and returns what it has printed. */
export function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.stderr.on("data", (part: Buffer) => parts.push(part));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: Buffer.concat(parts).toString() }));
  });
}
