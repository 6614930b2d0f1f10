import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";
import type { TurnContext } from "../../state/turn.ts";
import { FollowedLines } from "./followed-lines.ts";
import type { OrderService } from "./ordering.ts";

const LineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("held") }),
  z.object({ kind: z.literal("event"), event: TurnEventSchema }),
  z.object({ kind: z.literal("sent"), text: z.string(), outcome: z.string() }),
]);
type Line = z.infer<typeof LineSchema>;

/** A process of its own that works on a thread: `test/driver/driver-process.ts`. */
export interface DriverProcess {
  readonly events: readonly TurnEvent[];
  /** Text and outcome of each message that was sent, in the order of their ends. */
  readonly sent: readonly (readonly [string, string])[];
  /** Sends messages at once. */
  send(...texts: string[]): void;
  /** Waits until it has printed a line of this kind; its end before that is an error. */
  until(kind: Line["kind"]): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Ends its input and waits until it has gone. */
  leave(): Promise<void>;
}

/** Starts a process that works on the run's thread, ready to be sent messages. */
export async function startDriver(options: {
  readonly url: string;
  readonly run: TurnContext;
  /** Default: as the program has it. */
  readonly leaseMs?: number;
  /** The item whose reply waits for another line of input. Default: none. */
  readonly holdAt?: string;
  /** The service at which "order flour" orders. Default: none. */
  readonly service?: OrderService;
  /** Type of an event at which the process kills itself. Default: none. */
  readonly dieAt?: string;
}): Promise<DriverProcess> {
  const programs = inject("programs");
  const script = join(programs, "test/driver/driver-process.js");
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(programs, "compiled") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  // One that was killed reads nothing any more.
  child.stdin.on("error", () => undefined);
  const closed = once(child, "close");
  const printed = new FollowedLines(child.stdout, (line) => LineSchema.parse(JSON.parse(line)));
  const driver: DriverProcess = {
    get events() {
      return printed.lines.flatMap((line) => (line.kind === "event" ? [line.event] : []));
    },
    get sent() {
      return printed.lines.flatMap((line) =>
        line.kind === "sent" ? [[line.text, line.outcome] as const] : [],
      );
    },
    send: (...texts) => void child.stdin.write(`${JSON.stringify(texts)}\n`),
    async until(kind) {
      if ((await printed.until((line) => line.kind === kind)) !== null) return;
      throw new Error(`Cannot wait for "${kind}": the process has ended`);
    },
    signal: (name) => void child.kill(name),
    async leave() {
      child.stdin.end();
      await closed;
    },
  };
  await driver.until("ready");
  return driver;
}
