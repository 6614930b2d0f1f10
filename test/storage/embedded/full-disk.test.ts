import { testEffect } from "../../support/effect.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync } from "node:fs";
import { chmod, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { startEmbeddedPostgres } from "../../../storage/embedded/embedded.ts";
import { silentLog } from "../../../state/log.ts";
import { probeMigrations } from "../probe.ts";

/*
 * On real file systems of a few megabytes, which only root can make, and not everywhere: the tests
 * are skipped where it may not.
 */
const base = mkdtempSync(join(tmpdir(), "concierge-full-"));
const disks: string[] = [];

/** A file system of so many megabytes; null where none may be mounted. */
function smallDisk(megabytes: number): string | null {
  const folder = join(base, `disk-${megabytes}`);
  mkdirSync(folder);
  try {
    const options = `size=${megabytes}m,mode=0711`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  disks.push(folder);
  return folder;
}

// The data takes 40 MB, and the programs 60 MB where they are copied for the user that root's server runs as.
const tiny = smallDisk(4);
const small = smallDisk(30);
const enough = smallDisk(220);

afterAll(async () => {
  for (const disk of disks) execFileSync("umount", ["-l", disk]);
  await rm(base, { recursive: true });
});

test.skipIf(tiny === null || small === null)(
  "a disk that is too small for the database is explained when it is made, as often as it is tried",
  async () => {
    await chmod(base, 0o711);
    for (const disk of [tiny, small, small]) {
      const dataDir = join(disk ?? "", "data");
      await expect(startEmbeddedPostgres({ dataDir, log: silentLog })).rejects.toThrow(
        /: the disk is full; free some space, or set CONCIERGE_DATA_DIR to a folder on another disk$/,
      );
    }
  },
);

test.skipIf(enough === null)(
  "a disk that is full in the middle is a sentence, what was stored stays, and it goes on once there is space",
  async () => {
    await chmod(base, 0o711);
    const dataDir = join(enough ?? "", "data");
    const options = { url: null, dataDir, migrations: [probeMigrations], log: silentLog };
    const database = await openDatabase(options);
    const filler = join(enough ?? "", "filler");
    const write = async (key: string, kilobytes: number): Promise<unknown> =>
      database.userData.write("ada", testEffect(key), async (tx) => {
        await tx.query(
          `insert into notes (text)
           select (select string_agg(md5(random()::text || row || part), '') from generate_series(1, 32) as part)
             from generate_series(1, $1::int) as row`,
          [kilobytes],
        );
        return key;
      });
    try {
      await write("before", 1);
      const { bavail, bsize } = await statfs(enough ?? "");
      await writeFile(filler, Buffer.alloc(bavail * bsize - 1_000_000));

      const full = write("full", 4_000);
      await expect(full).rejects.toBeInstanceOf(DatabaseUnavailableError);
      await expect(full).rejects.toThrow(
        "Cannot write to the database: the server's disk is full; free some space on it",
      );

      await rm(filler);
      expect(await write("full", 4_000)).toMatchObject({ result: "full", repeated: false });
      expect(await write("before", 1)).toMatchObject({ result: "before", repeated: true });
    } finally {
      await database.close();
    }
  },
);
