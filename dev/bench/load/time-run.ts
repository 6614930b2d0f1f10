import { randomUUID } from "node:crypto";
import type { Asker } from "./ask.ts";

/** How long a client waited, in milliseconds from its request on. */
export interface TimedRun {
  /** Until the first event of a node came; null where none did. */
  readonly firstEventMs: number | null;
  /** Until the stream had ended. */
  readonly endMs: number;
  /** Why it is no answer; null for one. */
  readonly error: string | null;
}

/** Sends a message to a thread of its own and follows its turn. */
export async function timeRun(asker: Asker, message: string): Promise<TimedRun> {
  const began = performance.now();
  let firstEventMs: number | null = null;
  let text = "";
  const end = (error: string | null): TimedRun => {
    return { firstEventMs, endMs: performance.now() - began, error };
  };
  try {
    const { status, response } = await asker.ask("/chat", { message, thread: randomUUID() });
    response.setEncoding("utf8");
    for await (const piece of response) {
      text += String(piece);
      if (firstEventMs === null && text.includes("event: node-start\n")) {
        firstEventMs = performance.now() - began;
      }
    }
    if (status !== 200) return end(`status ${status}: ${text}`);
    return end(text.includes('"status":"success"') ? null : whyNot(text));
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

/** The turn's error, or how its stream ended. */
function whyNot(text: string): string {
  const [, error] = /event: error\ndata: (.*)/u.exec(text) ?? [];
  return `the run did not succeed: ${error ?? `…${text.slice(-200)}`}`;
}
