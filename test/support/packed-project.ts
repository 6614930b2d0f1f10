import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, "../..");

/** The package as `npm pack` makes it. */
export interface PackedProject {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths of the files in it. */
  readonly files: readonly string[];
  /** Removes the tarball. */
  remove(): Promise<void>;
}

const Report = z.array(
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/** Builds and packs the project as an operator does. */
export async function packProject(): Promise<PackedProject> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-pack-"));
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--foreground-scripts=false", "--pack-destination", folder],
    {
      cwd: ROOT,
      // npm scripts find the project's own Node first.
      env: { ...process.env, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}` },
      maxBuffer: 16_000_000,
    },
  );
  // Before it stands what the scripts print.
  const [packed] = Report.parse(JSON.parse(stdout.slice(stdout.indexOf("[\n"))));
  if (packed === undefined) throw new Error("Cannot pack the project: npm made nothing");
  return {
    tarball: join(folder, packed.filename),
    files: packed.files.map(({ path }) => path).toSorted(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A folder that holds a program of its own, with the package installed. */
export interface InstalledProject {
  readonly folder: string;
  /** Runs the compiler or a program. */
  run(
    command: "node" | "tsc",
    args: readonly string[],
    options?: { readonly env?: Readonly<Record<string, string>>; readonly input?: string },
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
  /** Starts a program that runs until it is told to end. */
  start(script: string, env: Readonly<Record<string, string>>): ChildProcess;
  remove(): Promise<void>;
}

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Writes the files of a program into an empty folder and installs the tarball there, without a
 * network: what the package and the program say they depend on is linked from this project, and
 * nothing else is.
 */
export async function installPacked(
  { tarball }: PackedProject,
  files: ReadonlyMap<string, string>,
): Promise<InstalledProject> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-installed-"));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const installed = join(folder, "node_modules/concierge-graph");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  const own = Manifest.parse(JSON.parse(files.get("package.json") ?? "{}"));
  const its = Manifest.parse(JSON.parse(await readFile(join(installed, "package.json"), "utf8")));
  const needed = { ...its.dependencies, ...own.dependencies, ...own.devDependencies };
  for (const name of Object.keys(needed)) {
    if (name !== "concierge-graph") await link(name, folder);
  }
  const environment = (env: Readonly<Record<string, string>>) => ({
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8", TZ: "UTC", ...env },
  });
  return {
    folder,
    start: (script, env) =>
      spawn(process.execPath, [script], {
        ...environment(env),
        stdio: ["ignore", "pipe", "inherit"],
      }),
    async run(command, args, { env = {}, input = "" } = {}) {
      const script = command === "tsc" ? [COMPILER] : [];
      const running = run(process.execPath, [...script, ...args], {
        ...environment(env),
        maxBuffer: 16_000_000,
      });
      running.child.stdin?.end(input);
      try {
        return { exitCode: 0, ...(await running) };
      } catch (error) {
        return Failed.parse(error);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const Failed = z
  .object({ code: z.number(), stdout: z.string(), stderr: z.string() })
  .transform(({ code, ...written }) => ({ exitCode: code, ...written }));

const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");

async function link(name: string, folder: string): Promise<void> {
  const path = join(folder, "node_modules", name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), path, "dir");
}

/** The blocks of a Markdown page that are files: their fence names a path after the language. */
export async function readFiles(page: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(ROOT, page), "utf8");
  const blocks = text.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm);
  return new Map([...blocks].map(([, path = "", content = ""]) => [path, content]));
}
