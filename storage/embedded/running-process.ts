import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { errorCode } from "../postgres/error-code.ts";

/**
 * Names a running process so that a later one with the same number can be distinguished; null when there is none.
 *
 * Contract: where the system does not say when a process began, the name is its number alone.
 */
export function nameProcess(pid: number): string | null {
  const stat = readProcessStat(pid);
  if (stat !== undefined) return stat === null ? null : `${pid}:${stat}`;
  try {
    process.kill(pid, 0);
    return `${pid}:`;
  } catch (error) {
    return errorCode(error) === "EPERM" ? `${pid}:` : null;
  }
}

/** Returns true if the process with this name from `nameProcess` is still running. */
export function isRunning(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return Number.isInteger(pid) && pid > 0 && nameProcess(pid) === name;
}

/** Returns the folder a process works in, or null if the system does not report it. */
export function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Returns the command a process was started with, or null if the system does not report it. */
export function commandLine(pid: number): string | null {
  try {
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}

/** Start time in clock ticks; null when the process is gone or a zombie; undefined without /proc. */
function readProcessStat(pid: number): string | null | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return readText("/proc/self/stat") === null ? undefined : null;
  // The second field is the command in brackets and may hold anything, brackets too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? null : (fields[19] ?? null);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
