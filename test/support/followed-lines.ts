import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The lines of a stream as they come, each as what it is read as. */
export class FollowedLines<Line> {
  /** All lines so far. */
  readonly lines: Line[] = [];
  /** Resolves with the end of the stream. */
  readonly ended: Promise<void>;
  private readonly waiting = new Set<() => void>();
  private hasEnded = false;

  constructor(input: Readable, read: (line: string) => Line) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const reader = createInterface({ input });
    reader.on("line", (line) => {
      this.lines.push(read(line));
      this.wake();
    });
    reader.on("close", () => {
      this.hasEnded = true;
      resolve();
      this.wake();
    });
  }

  /** Waits for the n-th line like this one; null where the stream ends before it. */
  async until(matches: (line: Line) => boolean, nth = 1): Promise<Line | null> {
    for (;;) {
      const found = this.lines.filter(matches)[nth - 1];
      if (found !== undefined || this.hasEnded) return found ?? null;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
