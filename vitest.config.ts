import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/law-seed.ts"],
    pool: "forks",
    // Importing the stack takes a second: files of one worker share it. So a test leaves no trace in
    // the process (environment, listeners, working folder).
    isolate: false,
    // One PostgreSQL with a hundred connections serves all workers.
    maxWorkers: Math.min(availableParallelism(), 4),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a developer's shell holds sends nothing anywhere.
    env: { LANGSMITH_TRACING: "false" },
  },
});
