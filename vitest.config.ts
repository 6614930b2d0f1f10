import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/support/slowest-first.ts";

/**
 * With WITHOUT_PATTERNS=1, functions that read a message by patterns throw: they stand in for a model
 * that fails, and every play in which Understand answers has to do without them.
 */
const PATTERNS = /^.*\/(?:output-filter\/meta-query|summaries\/read-progress)\.ts$/u;

export default defineConfig({
  resolve: {
    alias:
      process.env["WITHOUT_PATTERNS"] === "1"
        ? [
            {
              find: PATTERNS,
              replacement: join(import.meta.dirname, "test/support/throwing-patterns.ts"),
            },
          ]
        : [],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/law-seed.ts"],
    pool: "forks",
    // Importing the stack takes a second: files of one worker share it. So a test leaves no trace in
    // the process (environment, listeners, working folder).
    isolate: false,
    // One more than there are processors: a worker waits for PostgreSQL a third of its time. One
    // PostgreSQL with a hundred connections serves all of them.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    sequence: { sequencer: SlowestFirst },
    // A failure names what it found, also where only its message is read.
    chaiConfig: { truncateThreshold: 2_000 },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a developer's shell holds sends nothing anywhere.
    env: { LANGSMITH_TRACING: "false" },
  },
});
