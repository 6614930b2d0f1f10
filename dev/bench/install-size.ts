import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** An installed package: its name, whether only development needs it, and the bytes it takes on disk. */
export interface InstalledPackage {
  readonly name: string;
  readonly dev: boolean;
  readonly bytes: number;
}

const LockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

/** Weighs what npm installed under a project's folder, as npm's own list of it says. */
export async function weighInstall(root: string): Promise<readonly InstalledPackage[]> {
  const text = await readFile(join(root, "node_modules/.package-lock.json"), "utf8");
  const { packages } = LockSchema.parse(JSON.parse(text));
  const weighed: InstalledPackage[] = [];
  for (const [path, { dev = false, devOptional = false }] of Object.entries(packages)) {
    const name = path.replace(/^.*node_modules\//, "");
    weighed.push({ name, dev: dev || devOptional, bytes: await weigh(join(root, path)) });
  }
  return weighed;
}

/** Bytes on disk; packages inside a package weigh for themselves. */
async function weigh(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await weigh(path);
    else bytes += (await lstat(path)).blocks * 512;
  }
  return bytes;
}
