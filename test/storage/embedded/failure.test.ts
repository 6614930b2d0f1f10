import { expect, test } from "vitest";
import { explainServerFailure } from "../../../storage/embedded/failure.ts";

const DISK_FULL =
  "the disk is full; free some space, or set CONCIERGE_DATA_DIR to a folder on another disk";

test.each([
  ['FATAL:  could not write to file "base/4/1249": No space left on device', DISK_FULL],
  [
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.\nPANIC:  cannot abort transaction 1, it was already committed',
    DISK_FULL,
  ],
  [
    "initdb: error while loading shared libraries: libpq.so.5: cannot open shared object file",
    'a library beside the programs is missing; run "npm rebuild" so that the package\'s install script links them',
  ],
  [
    "initdb: error: could not look up effective user ID 1234: user does not exist",
    "this user has no entry among the machine's users; start the program as one that has, or set DATABASE_URL",
  ],
  [
    "spawn /app/native/bin/initdb ENOENT",
    "its programs do not run on this system (they need glibc); set DATABASE_URL to a PostgreSQL server of your own",
  ],
  [
    "LOG:  starting\nFATAL:  something new\nLOG:  database system is shut down\n",
    "FATAL:  something new; see /data/server.log, or set DATABASE_URL",
  ],
  ["", "; see /data/server.log, or set DATABASE_URL"],
])("explainServerFailure() explains %j", (output, meaning) => {
  const error = explainServerFailure({ action: "start", folder: "/data", output });
  expect(error.message).toBe(`Cannot start the database in "/data": ${meaning}`);
  expect(error.cause).toBe(output);
});
