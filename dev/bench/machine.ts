import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** The machine that figures come from. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly os: string;
  /** Of the last minute, when the run began: above 0.5 other programs took a part of it. */
  readonly load: number;
}

/** The versions that were measured. */
export interface Versions {
  readonly node: string;
  readonly langgraph: string;
  readonly checkpointPostgres: string;
  /** Null where there is no repository. Ends in "+" where files were changed since. */
  readonly commit: string | null;
}

const ROOT = join(import.meta.dirname, "../..");

/** Describes the machine, without its name. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}`,
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** Reads the versions of this checkout. */
export async function readVersions(): Promise<Versions> {
  const [langgraph, checkpointPostgres, commit] = await Promise.all([
    readVersion("@langchain/langgraph"),
    readVersion("@langchain/langgraph-checkpoint-postgres"),
    readCommit(),
  ]);
  return { node: process.version, langgraph, checkpointPostgres, commit };
}

const Manifest = z.object({ version: z.string() });

async function readVersion(name: string): Promise<string> {
  const text = await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8");
  return Manifest.parse(JSON.parse(text)).version;
}

async function readCommit(): Promise<string | null> {
  try {
    const [head, changes] = await Promise.all([
      git(["rev-parse", "HEAD"]),
      git(["status", "--porcelain"]),
    ]);
    return changes === "" ? head : `${head}+`;
  } catch {
    return null;
  }
}

async function git(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", [...args], { cwd: ROOT });
  return stdout.trim();
}
