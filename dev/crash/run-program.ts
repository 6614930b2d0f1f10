import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";

/** The person of every run: the same, so that runs can be compared. */
export const PERSON = {
  userId: "demo",
  threadId: "crash",
  today: "2026-01-12",
} as const;

/**
 * The moment of a death: before a statement is sent, once it is sent, when its answer has come and
 * the program has not read it; or once an event was emitted.
 */
export const MOMENTS = ["before", "sent", "answered", "emitted"] as const;
export type Moment = (typeof MOMENTS)[number];

/** The place and moment of a death. */
export interface Death {
  /** Counted from 1 over the messages that this process is given. */
  readonly turn: number;
  /** `think` while the node runs, `after think` while its result is stored; see `places.ts`. */
  readonly place: string;
  /** Counted from 1 over all statements (or events) of the turn in this place. */
  readonly number: number;
  readonly moment: Moment;
}

/** Something broken on purpose that the harness must notice: in the program or, for `writes-lost`, in the database after the kill. */
export type Fault = "effects-forgotten" | "replies-dropped" | "resets-dropped" | "writes-lost";

/** Options of a run of the program. */
export interface ProgramRun {
  /** Path of the folder with the bundled programs: `cli/chat.js` and `dev/crash/preload.js`. */
  readonly programs: string;
  readonly databaseUrl: string;
  readonly messages: readonly string[];
  /** `survey` reports every statement and event and kills nothing. */
  readonly death: Death | "survey" | null;
  readonly fault: Fault | null;
}

const SpotSchema = z.object({
  turn: z.number(),
  place: z.string(),
  kind: z.enum(["statement", "event"]),
  number: z.number(),
  /** The statement's beginning, the event's type. */
  text: z.string(),
});
const LineSchema = z.union([z.object({ surveyed: SpotSchema }), TurnEventSchema]);

/** A statement or event at which a process can die, found by a survey. */
export type Spot = z.infer<typeof SpotSchema>;

/** The output of a run, and its end. */
export interface ProgramEnd {
  /** True where it was killed; a run that does not reach its position ends by itself. */
  readonly killed: boolean;
  readonly exitCode: number | null;
  /** The findings of a survey, in order. */
  readonly spots: readonly Spot[];
  readonly events: readonly TurnEvent[];
  readonly stderr: string;
}

/** Runs the program (`chat --json`, with the simulated model) until it has answered the messages or died. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  // A separate folder, so that no `.env` of a developer is read.
  const home = await mkdtemp(join(tmpdir(), "concierge-crash-"));
  try {
    const child = spawn(process.execPath, buildArguments(run.programs), {
      cwd: home,
      env: buildEnvironment(run, home),
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.messages.map((message) => `${message}\n`).join(""));
    const closed = once(child, "close");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    const lines = parseLines(stdout);
    const spots = lines.flatMap((line) => ("surveyed" in line ? [line.surveyed] : []));
    const events = lines.flatMap((line) => ("surveyed" in line ? [] : [line]));
    const killed = child.signalCode === "SIGKILL";
    return { killed, exitCode: child.exitCode, spots, events, stderr };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function buildArguments(programs: string): string[] {
  const { userId, threadId, today } = PERSON;
  const options = { model: "simulated", user: userId, thread: threadId, today };
  return [
    "--import",
    pathToFileURL(join(programs, "dev/crash/preload.js")).href,
    join(programs, "cli/chat.js"),
    "--json",
    "--time-zone",
    "Europe/Berlin",
    "--locale",
    "en",
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
}

function buildEnvironment({ programs, databaseUrl, death, fault }: ProgramRun, home: string) {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    // One for all: otherwise each run would compile everything.
    NODE_COMPILE_CACHE: join(programs, "compiled"),
    LANG: "C.UTF-8",
    TZ: "Europe/Berlin",
    DATABASE_URL: databaseUrl,
    ...(death === "survey" ? { CRASH_MOMENT: "survey" } : {}),
    ...(death === null || death === "survey"
      ? {}
      : {
          CRASH_TURN: String(death.turn),
          CRASH_PLACE: death.place,
          CRASH_NUMBER: String(death.number),
          CRASH_MOMENT: death.moment,
        }),
    ...(fault === null ? {} : { CRASH_FAULT: fault }),
  };
}

/** Parses the complete lines: the last one was being written when the process died. */
function parseLines(stdout: string): z.infer<typeof LineSchema>[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => LineSchema.parse(JSON.parse(line)));
}
