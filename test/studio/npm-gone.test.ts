import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { freePort } from "./running-studio.ts";

const database = await testDatabase();

const START = join(import.meta.dirname, "../../studio/start.ts");

/** A dev server whose first process ends at SIGTERM and whose second one, which listens, does not. */
const NPX = `#!${process.execPath}
const { createServer } = require("node:http");
const { spawn } = require("node:child_process");
const args = process.argv.slice(2);
if (args.includes("--version")) process.exit(0);
if (args[0] !== "listen") {
  spawn(process.execPath, [__filename, "listen", ...args], { stdio: "inherit" });
} else {
  process.on("SIGTERM", () => undefined);
  const port = Number(args[args.indexOf("--port") + 1]);
  createServer((_request, response) => response.end("{}")).listen(port, "127.0.0.1");
}
`;

test("npm run studio ends the dev server's whole process group within five seconds once npm is gone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "concierge-npm-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "npx"), NPX);
  chmodSync(join(folder, "npx"), 0o755);
  writeFileSync(join(folder, "langgraph.json"), "{}");
  const port = await freePort();
  const config = join(folder, "langgraph.json");
  const command = `"${process.execPath}" "${START}" --port ${port} --config "${config}" --origin http://localhost:3000; exit $?`;
  // The shell stands for npm: the program is its child, and hears nothing of its end.
  const npm = spawn("sh", ["-c", command], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
      npm_lifecycle_event: "studio",
      DATABASE_URL: database.url,
      CONCIERGE_LOG: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: npm.stdout })) {
    if (line.startsWith("The API is at ")) break;
  }
  expect(await isFree(port)).toBe(false);
  expect(readdirSync(folder)).toContain(`.langgraph.${port}.json`);

  npm.kill("SIGKILL");
  const killed = performance.now();
  while (!(await isFree(port)) && performance.now() - killed < 10_000) await delay(100);

  expect(performance.now() - killed).toBeLessThan(5_000);
  await expect
    .poll(() => readdirSync(folder), { timeout: 10_000 })
    .not.toContain(`.langgraph.${port}.json`);
});

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  probe.once("error", () => resolve(false));
  probe.listen({ port, host: "127.0.0.1" }, () => resolve(true));
  const isOpen = await promise;
  if (isOpen) {
    probe.close();
    await once(probe, "close");
  }
  return isOpen;
}
