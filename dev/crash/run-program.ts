import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../driver/events.ts";

/** Who talks, where and when: the same in every run, so that runs can be compared. */
export const PERSON = {
  userId: "demo",
  threadId: "crash",
  today: "2026-01-12",
} as const;

/**
 * When the process dies: before a statement is sent, once it is sent, when its answer has come and
 * nobody has seen it; or once an event has been told.
 */
export const MOMENTS = ["before", "sent", "answered", "told"] as const;
export type Moment = (typeof MOMENTS)[number];

/** Where a process dies. */
export interface Death {
  /** Counted from 1 over the messages that this process is given. */
  readonly turn: number;
  /** `think` while the node runs, `after think` while what it came to is stored; as in `places.ts`. */
  readonly place: string;
  /** Counted from 1 over all statements that the turn sends (or events that it tells) in this place. */
  readonly number: number;
  readonly moment: Moment;
}

/** What is broken on purpose, to see that it is noticed: in the program; or, `writes-lost`, in the database after the kill. */
export type Fault = "effects-forgotten" | "replies-untold" | "resets-untold" | "writes-lost";

/** What a run of the program is given. */
export interface ProgramRun {
  readonly databaseUrl: string;
  readonly messages: readonly string[];
  /** `survey` reports every statement and event, and lets the process live. */
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

/** Where a process can die, as a survey has found it. */
export type Spot = z.infer<typeof SpotSchema>;

/** What a run has written, and how it ended. */
export interface ProgramEnd {
  /** Whether it was killed; a run that does not come to its position ends by itself. */
  readonly killed: boolean;
  readonly exitCode: number | null;
  /** What a survey has found, in order. */
  readonly spots: readonly Spot[];
  readonly events: readonly TurnEvent[];
  readonly stderr: string;
}

/** Runs the program (`chat --json`, with the simulated model) until it has answered the messages or died. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  // In a folder of its own, so that no `.env` of a developer decides anything.
  const home = await mkdtemp(join(tmpdir(), "concierge-crash-"));
  try {
    const child = spawn(process.execPath, argumentsOf(), {
      cwd: home,
      env: environmentOf(run, home),
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.messages.map((message) => `${message}\n`).join(""));
    const closed = once(child, "close");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    const lines = linesIn(stdout);
    const spots = lines.flatMap((line) => ("surveyed" in line ? [line.surveyed] : []));
    const events = lines.flatMap((line) => ("surveyed" in line ? [] : [line]));
    const killed = child.signalCode === "SIGKILL";
    return { killed, exitCode: child.exitCode, spots, events, stderr };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function argumentsOf(): string[] {
  const { userId, threadId, today } = PERSON;
  const options = { model: "simulated", user: userId, thread: threadId, today };
  return [
    "--import",
    new URL("preload.ts", import.meta.url).href,
    fileURLToPath(new URL("../../cli/chat.ts", import.meta.url)),
    "--json",
    "--time-zone",
    "Europe/Berlin",
    "--locale",
    "en",
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
}

function environmentOf({ databaseUrl, death, fault }: ProgramRun, home: string) {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    // One for all: each would compile everything anew in a home of its own.
    NODE_COMPILE_CACHE: join(tmpdir(), "concierge-cli-compiled"),
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

/** What has no line end was being written when the process died: a reader has not got it. */
function linesIn(stdout: string): z.infer<typeof LineSchema>[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => LineSchema.parse(JSON.parse(line)));
}
