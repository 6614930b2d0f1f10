import { join } from "node:path";

/** The failure of a program of the embedded server, with all its output. */
export interface ServerFailure {
  readonly action: "create" | "start";
  /** Folder of the server. */
  readonly folder: string;
  readonly output: string;
}

/** Known messages of servers, each with advice for the operator. */
const KNOWN_FAILURES: readonly { readonly sign: RegExp; readonly meaning: string }[] = [
  {
    sign: /No space left on device|Check free disk space|wrote only \d+ of \d+ bytes/i,
    meaning:
      "the disk is full; free some space, or set CONCIERGE_DATA_DIR to a folder on another disk",
  },
  {
    sign: /error while loading shared libraries|Library not loaded/i,
    meaning:
      'a library beside the programs is missing; run "npm rebuild" so that the package\'s install script links them',
  },
  {
    sign: /could not look up effective user ID/i,
    meaning:
      "this user has no entry among the machine's users; start the program as one that has, or set DATABASE_URL",
  },
  {
    sign: /could not create shared memory|could not resize shared memory/i,
    meaning:
      "the machine gives too little shared memory; give it more (/dev/shm), or set DATABASE_URL",
  },
  {
    // initdb looks for the server through a shell.
    sign: /program "postgres" is needed by/,
    meaning:
      'the path of its programs contains one of the characters " $ ` \\, which they cannot handle; use a path without them for the program and CONCIERGE_DATA_DIR',
  },
  {
    sign: /ENOENT/,
    meaning:
      "its programs do not run on this system (they need glibc); set DATABASE_URL to a PostgreSQL server of your own",
  },
];

/** Explains a failure in a sentence that says what to do; the whole output is the cause. Pure. */
export function explainServerFailure({ action, folder, output }: ServerFailure): Error {
  const start = `Cannot ${action} the database in "${folder}": `;
  const known = KNOWN_FAILURES.find(({ sign }) => sign.test(output));
  if (known !== undefined) return new Error(start + known.meaning, { cause: output });
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const reason =
    lines.findLast((line) => /FATAL|PANIC/.test(line)) ??
    lines.find((line) => /could not|error/i.test(line)) ??
    lines.at(-1) ??
    "";
  return new Error(
    `${start}${reason.trim()}; see ${join(folder, "server.log")}, or set DATABASE_URL`,
    { cause: output },
  );
}
