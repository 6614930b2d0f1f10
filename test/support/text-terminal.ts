import { Writable } from "node:stream";
import type { TerminalStream } from "../../cli/chat/screen.ts";

/** A terminal of that width that keeps everything which is written to it. */
export function textTerminal(columns: number): TerminalStream & { shown(): string } {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString("utf8");
      done();
    },
  });
  return Object.assign(stream, { columns, shown: () => text });
}
