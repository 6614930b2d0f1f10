import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";

const ROOT = join(import.meta.dirname, "..");

/** Programs that tests start again and again, each in a file of the same name that ends in `.js`. */
export interface BundledPrograms {
  /** Path of the folder that holds them: `cli/chat.js` and so on. */
  readonly folder: string;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/**
 * Bundles programs, given by their paths in the project without `.ts`: a process that reads its
 * 1,600 modules from a few files starts in half the time. Programs of one bundle share their
 * modules, so that one loaded before another (`node --import`) meets the same classes.
 */
export async function bundlePrograms(paths: readonly string[]): Promise<BundledPrograms> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-programs-"));
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: Object.fromEntries(paths.map((path) => [path, `${path}.ts`])),
    plugins: [keepPlaces],
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
  // Without it Node would read each file once more to see what kind of module it is.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Returns the paths of the commands: `cli/chat` and so on. */
export function listCommands(): readonly string[] {
  return globSync("cli/*.ts", { cwd: ROOT }).map((path) => path.slice(0, -".ts".length));
}

/** Lets a module find the files beside it from where its source is. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, path) {
    if (!code.includes("import.meta.")) return null;
    return code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
      .replaceAll("import.meta.filename", JSON.stringify(path));
  },
};
