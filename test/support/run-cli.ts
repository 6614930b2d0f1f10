import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject, onTestFailed } from "vitest";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";
import { FollowedLines } from "./followed-lines.ts";

/** A command of the program, and where it runs. */
export interface CliOptions {
  /** The file in `cli/`, without its ending. */
  readonly command:
    | "chat"
    | "inspect"
    | "serve"
    | "models"
    | "doctor"
    | "keys"
    | "domain"
    | "user-data"
    | "main";
  readonly args?: readonly string[];
  /** Environment variables beside the few that every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder with the bundled programs. Default: the test run's. */
  readonly programs?: string;
}

/** Exit code and output of a process. */
export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end with a whole standard input. */
export async function runCli(
  options: CliOptions & { readonly input?: string | Uint8Array },
): Promise<CliResult> {
  const { child, remove } = start(options);
  // A process that ends without reading all of it is no error here.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  remove();
  return { exitCode: child.exitCode, stdout, stderr };
}

/** A running command whose events a test follows. */
export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  /** All events so far. */
  readonly events: readonly TurnEvent[];
  /** Waits for an event like this one; an end of the output before it is an error. */
  until(matches: (event: TurnEvent) => boolean): Promise<TurnEvent>;
  /** Waits for the end of the process. */
  ended(): Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

/** Starts a command whose standard output is events, one a line. */
export function startCli(options: CliOptions): RunningCli {
  const { child, remove } = start(options);
  const output = new FollowedLines(child.stdout, parseEvent);
  const stderr = text(child.stderr);
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  // A wait that ends by the test's time limit tells nothing of its own.
  onTestFailed(() => console.error(`${options.command} had come to`, output.lines.at(-1), printed));
  const closed = once(child, "close");
  return {
    child,
    events: output.lines,
    async until(matches) {
      const found = await output.until(matches);
      if (found === null) throw new Error("Cannot find the event: the output has ended");
      return found;
    },
    async ended() {
      await closed;
      remove();
      return { exitCode: child.exitCode, stderr: await stderr };
    },
  };
}

/** Starts a command whose standard output is text. */
export function startPlainCli(options: CliOptions) {
  const { child, remove } = start(options);
  const output = new FollowedLines(child.stdout, String);
  child.stderr.resume();
  const closed = once(child, "close");
  return {
    child,
    /** Waits for a line with these words. */
    async until(words: string): Promise<void> {
      const found = await output.until((line) => line.includes(words));
      if (found === null) throw new Error(`Cannot find "${words}": the output has ended`);
    },
    /** Waits for the end of the process; returns its exit code. */
    async ended(): Promise<number | null> {
      await closed;
      remove();
      return child.exitCode;
    },
  };
}

/** A running service whose lines a test follows. */
export interface RunningService {
  readonly child: ChildProcessWithoutNullStreams;
  /** Waits for a line of standard output that begins so, and returns the rest of it. */
  line(start: string): Promise<string>;
  /** Resolves with its address, once it answers. */
  url(): Promise<string>;
  /** Waits until the log has this message so many times (default: once), or ends. */
  logged(message: string, times?: number): Promise<void>;
  /** Waits for the end of the process. */
  ended(): Promise<CliResult>;
}

/** Starts `npm start`, on a port that is free. */
export function startService(options: Omit<CliOptions, "command"> = {}): RunningService {
  const env = { CONCIERGE_PORT: "0", ...options.env };
  const { child, remove } = start({ ...options, command: "serve", env });
  const output = new FollowedLines(child.stdout, String);
  const log = new FollowedLines(child.stderr, String);
  const closed = once(child, "close");
  const line = async (beginning: string): Promise<string> => {
    const found = await output.until((one) => one.startsWith(beginning));
    if (found !== null) return found.slice(beginning.length);
    throw new Error(`Cannot find the line "${beginning}": ${await readWhole(log)}`);
  };
  return {
    child,
    line,
    url: async () => (await line("Listening: ")).split(" ")[0] ?? "",
    async logged(message, times) {
      await log.until((one) => one.includes(JSON.stringify(message)), times);
    },
    async ended() {
      const [stdout, stderr] = await Promise.all([readWhole(output), readWhole(log), closed]);
      remove();
      return { exitCode: child.exitCode, stdout, stderr };
    },
  };
}

async function readWhole(output: FollowedLines<string>): Promise<string> {
  await output.ended;
  return output.lines.map((line) => `${line}\n`).join("");
}

/** The events of a command's output; every line must be one. */
export function eventsIn(stdout: string): TurnEvent[] {
  if (stdout === "") return [];
  if (!stdout.endsWith("\n")) throw new Error("Cannot read events: the last line has no end");
  return stdout.slice(0, -1).split("\n").map(parseEvent);
}

function parseEvent(line: string): TurnEvent {
  return TurnEventSchema.parse(JSON.parse(line));
}

/** In a folder of its own, so that no `.env` and no data of a developer decide anything. */
function start({ command, args = [], env = {}, programs = inject("programs") }: CliOptions) {
  const home = mkdtempSync(join(tmpdir(), "concierge-cli-"));
  const script = join(programs, `cli/${command}.js`);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: home,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      // One for all: each would compile everything anew in a home of its own.
      NODE_COMPILE_CACHE: join(programs, "compiled"),
      LANG: "C.UTF-8",
      TZ: "Europe/Berlin",
      ...env,
    },
  });
  return { child, remove: () => rmSync(home, { recursive: true, force: true }) };
}
