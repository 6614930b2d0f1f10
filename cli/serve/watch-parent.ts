import { readFileSync } from "node:fs";

/** The interval between checks, in milliseconds. */
const CHECK_MS = 500;

/**
 * Calls `onGone` once when a process that started this one is gone. Returns a function that stops the
 * watch.
 *
 * npm starts programs through a shell. A signal to both ends the shell, which does not forward it; a
 * signal to npm alone leaves the shell behind. Either way the end of `npm start` must end the program.
 */
export function watchParent(
  readParents: () => string,
  options: { readonly onGone: () => void; readonly everyMs?: number },
): () => void {
  const first = readParents();
  const timer = setInterval(() => {
    if (readParents() === first) return;
    clearInterval(timer);
    options.onGone();
  }, options.everyMs ?? CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** Returns the ids of this process's parent and, on Linux, of that one's parent. */
export function readParents(): string {
  return `${process.ppid} ${readParentOnLinux(process.ppid)}`;
}

function readParentOnLinux(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it, in parentheses, may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "";
  } catch {
    return "";
  }
}
