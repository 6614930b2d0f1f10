import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { TurnEventSchema, type TurnEvent } from "../../driver/events.ts";
import type { TurnContext } from "../../state/turn.ts";

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
  /** How each message that was sent ended, in that order: text and outcome. */
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
}): Promise<DriverProcess> {
  const { leaseMs = null, holdAt = null, ...where } = options;
  const script = fileURLToPath(new URL("../driver/driver-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify({ ...where, leaseMs, holdAt })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // One that was killed reads nothing any more.
  child.stdin.on("error", () => undefined);
  const closed = once(child, "close");
  const printed: Line[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  const wake = (): void => waiting.forEach((look) => look());
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    printed.push(LineSchema.parse(JSON.parse(line)));
    wake();
  });
  lines.on("close", () => {
    over = true;
    wake();
  });
  const driver: DriverProcess = {
    get events() {
      return printed.flatMap((line) => (line.kind === "event" ? [line.event] : []));
    },
    get sent() {
      return printed.flatMap((line) =>
        line.kind === "sent" ? [[line.text, line.outcome] as const] : [],
      );
    },
    send: (...texts) => void child.stdin.write(`${JSON.stringify(texts)}\n`),
    until(kind) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      function look(): void {
        const found = printed.some((line) => line.kind === kind);
        if (!found && !over) return;
        waiting.delete(look);
        if (found) resolve();
        else reject(new Error(`Cannot wait for "${kind}": the process has ended`));
      }
      waiting.add(look);
      look();
      return promise;
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
