import { setTimeout as delay } from "node:timers/promises";
import { defineCommand } from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { bundlePrograms } from "../bundle-programs.ts";
import { playChaos, type ChaosOptions, type ChaosReport, type Stage } from "./play.ts";
import { startRestartablePostgres } from "./postgres.ts";

const CHAOS = defineCommand({
  start: "npm run chaos --",
  about: `
Disturbs two servers and two workers on one PostgreSQL, and checks the results.

First 40 threads of 10 messages each, while every 20 seconds a worker is killed with -9 and another
takes its place; then 20 threads while the PostgreSQL is restarted. Every message has to be answered
once and in order, every stream to be whole for a client that comes back, and what was under way to
go on within 20 seconds. It works on an embedded PostgreSQL of its own. Exits with 1 when a promise
was broken, with 2 for a wrong argument.`,
  arguments: {},
});

/** The longest pause that docs/operating.md promises. */
const BOUND_MS = 20_000;
const KILL_EVERY_MS = 20_000;
const LIMIT_MS = 30 * 60_000;

type Place = Pick<ChaosOptions, "postgres" | "programs">;
type Play = Omit<ChaosOptions, keyof Place | "limitMs">;

const KILLS: Play = {
  threads: 40,
  messages: 10,
  pauseMs: 20_000,
  modelMs: 200,
  async disturb({ fleet, over }) {
    while (await waitUnlessOver(KILL_EVERY_MS, over)) {
      await fleet.killWorker();
      fleet.startWorker();
    }
  },
};

const RESTART: Play = {
  threads: 20,
  messages: 1,
  pauseMs: 0,
  modelMs: 500,
  async disturb({ model, restart }) {
    await model.asked(30);
    await restart();
  },
};

/** Waits; returns false where the play was over before. */
async function waitUnlessOver(ms: number, over: Stage["over"]): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal: over });
    return true;
  } catch {
    return false;
  }
}

/** Plays and prints a report; returns true when every promise was kept. */
async function playAndReport(name: string, play: Play, place: Place): Promise<boolean> {
  print([`${name}: ${play.threads} threads of ${play.messages}`]);
  const report = await playChaos({ ...play, ...place, limitMs: LIMIT_MS });
  const problems = [...report.problems, ...checkPauses(report)];
  const { runs, returns, kills, restarts, longestPauseMs, longestSilenceMs, seconds } = report;
  print([
    `  ${runs} runs in ${seconds.toFixed(0)} s; ${kills} workers killed, ${restarts} restarts; clients came back ${returns} times`,
    `  the longest pause after a kill or a restart: ${formatSeconds(longestPauseMs)}; with those before it: ${formatSeconds(longestSilenceMs)}`,
    `  tries at one message that counted, at most: ${report.mostAttempts}`,
    ...problems.map((problem) => `  FAIL ${problem}`),
    problems.length === 0 ? "  ok" : `  ${problems.length} problems`,
  ]);
  return problems.length === 0;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function checkPauses({ longestPauseMs }: ChaosReport): readonly string[] {
  if (longestPauseMs <= BOUND_MS) return [];
  return [`A run went on after ${longestPauseMs.toFixed(0)} ms, not within ${BOUND_MS}`];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

await runWithArguments(CHAOS, async () => {
  const postgres = await startRestartablePostgres();
  const bundled = await bundlePrograms(["cli/serve"]);
  const place = { postgres, programs: bundled.folder };
  try {
    const killed = await playAndReport("Workers killed", KILLS, place);
    const restarted = await playAndReport("PostgreSQL restarted", RESTART, place);
    return killed && restarted ? 0 : 1;
  } finally {
    await Promise.all([postgres.close(), bundled.remove()]);
  }
});
