import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/support/slowest-first.ts";

export default defineConfig({
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
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a developer's shell holds sends nothing anywhere.
    env: { LANGSMITH_TRACING: "false" },
  },
});
