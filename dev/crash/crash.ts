import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { runWithArguments } from "../../cli/run-command.ts";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { silentLog } from "../../state/log.ts";
import { embeddedUrl } from "../../test/support/database-url.ts";
import { bundlePrograms } from "../bundle-programs.ts";
import { CRASH } from "./arguments.ts";
import { prepareKitchens, type KitchenCopies } from "./kitchen-copies.ts";
import { describeKill, playAllUndisturbed, playKills } from "./play-all.ts";
import type { KillReport } from "./play.ts";

/** Kills the program `count` times, over both lanes; returns false where anything was lost, done twice or announced in vain. */
async function crash(kitchens: KitchenCopies, count: number): Promise<boolean> {
  const began = performance.now();
  const atOnce = availableParallelism();
  const undisturbed = await playAllUndisturbed(kitchens, atOnce);
  const faults = undisturbed.flatMap(({ conversation, problems }) =>
    problems.map((problem) => `${conversation.id}, undisturbed: ${problem}`),
  );
  print(faults);
  const spots = undisturbed.reduce((sum, { positions }) => sum + positions.length, 0);
  print([`${count} kills at ${spots} positions of ${undisturbed.length} conversations`, ""]);
  let done = 0;
  const onReport = (report: KillReport): void => {
    done += 1;
    print(describeReport(report, done));
  };
  const reports = await playKills(kitchens, { undisturbed, count, atOnce, onReport });
  const seconds = (performance.now() - began) / 1_000;
  print(["", ...summarize(reports), `${seconds.toFixed(0)} s`]);
  return faults.length === 0 && reports.every(({ problems }) => problems.length === 0);
}

function describeReport({ kill, stood, problems }: KillReport, number: number): string[] {
  const result = problems.length === 0 ? "ok  " : "FAIL";
  const line = `${String(number).padStart(4)} ${result} ${describeKill(kill)} → ${stood.join("; ")}`;
  return [line, ...problems.map((problem) => `          ${problem}`)];
}

function summarize(reports: readonly KillReport[]): string[] {
  const deaths = reports.reduce((sum, report) => sum + report.deaths, 0);
  const failed = reports.filter(({ problems }) => problems.length > 0).length;
  return [
    ...table("lane", reports, ({ kill }) => kill.position.conversation.lane),
    ...table("node", reports, ({ kill }) => kill.position.place.replace(/^after /u, "")),
    ...table("place", reports, ({ kill }) => kill.position.place),
    ...table("moment", reports, ({ kill }) => kill.moment),
    ...table("went on at", reports, ({ stood }) => stood[0] ?? ""),
    `${reports.length} kills (${deaths} deaths: some die twice), ${failed} failed`,
  ];
}

function table(
  title: string,
  reports: readonly KillReport[],
  readKey: (report: KillReport) => string,
): string[] {
  const groups = [...Map.groupBy(reports, readKey)].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    title,
    ...groups.map(([key, group]) => {
      const failed = group.filter(({ problems }) => problems.length > 0).length;
      return `  ${key.padEnd(40)}${String(group.length).padStart(4)}${failed === 0 ? "" : `, ${failed} failed`}`;
    }),
    "",
  ];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

await runWithArguments(CRASH, async ({ count }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-crash-server-"));
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false });
  const programs = await bundlePrograms(["cli/chat", "dev/crash/preload"]);
  try {
    const kitchens = await prepareKitchens({
      serverUrl: embeddedUrl(server.connection),
      programs: programs.folder,
    });
    const interrupted = new Promise<"interrupted">((resolve) => {
      process.once("SIGINT", () => resolve("interrupted"));
    });
    const whole = await Promise.race([crash(kitchens, count), interrupted]);
    if (whole === "interrupted") return 130;
    return whole ? 0 : 1;
  } finally {
    await Promise.all([server.stop(), programs.remove()]);
    await rm(dataDir, { recursive: true, force: true });
  }
});
