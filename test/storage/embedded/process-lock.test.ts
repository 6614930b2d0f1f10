import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withProcessLock } from "../../../storage/embedded/process-lock.ts";
import { isRunning, nameProcess } from "../../../storage/embedded/running-process.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "concierge-lock-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The name of a process that ran and is gone. */
async function deadName(): Promise<string> {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  const name = nameProcess(child.pid ?? 0) ?? "";
  expect(isRunning(name)).toBe(true);
  const exit = once(child, "exit");
  child.stdin.end();
  await exit;
  return name;
}

test("withProcessLock() lets one at a time in, and leaves nothing behind", async () => {
  const path = join(folder, "one-at-a-time");
  let inside = 0;
  const seen = await Promise.all(
    Array.from({ length: 6 }, () =>
      withProcessLock(path, async () => {
        inside += 1;
        const now = inside;
        await readdir(folder);
        inside -= 1;
        return now;
      }),
    ),
  );
  expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
  expect(await readdir(folder)).toEqual([]);
});

test("withProcessLock() frees the lock when the work throws", async () => {
  const path = join(folder, "throws");
  const failing = withProcessLock(path, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await withProcessLock(path, async () => "free")).toBe("free");
});

test("withProcessLock() takes over the lock of a process that is gone", async () => {
  const path = join(folder, "stale");
  await writeFile(path, `${await deadName()} left behind`);
  const content = await withProcessLock(path, () => readFile(path, "utf8"));
  expect(content.split(" ")[0]).toBe(nameProcess(process.pid));
});

test("withProcessLock() leaves a lock alone that another has taken from it", async () => {
  const path = join(folder, "taken");
  await withProcessLock(path, () => writeFile(path, "another's"));
  expect(await readFile(path, "utf8")).toBe("another's");
});

test("isRunning() knows running processes from those that are gone", async () => {
  const own = nameProcess(process.pid) ?? "";
  expect(isRunning(own)).toBe(true);
  expect(isRunning(await deadName())).toBe(false);
  expect(isRunning("")).toBe(false);
  expect(isRunning("no process")).toBe(false);
});

test.runIf(process.platform === "linux")("isRunning() compares when a process began", () => {
  expect(isRunning(`${process.pid}:1`)).toBe(false);
});
