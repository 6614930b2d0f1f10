import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // One PostgreSQL serves the whole run; files work in databases of their own.
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a developer's shell holds decides nothing.
    env: { LANGSMITH_TRACING: "false" },
  },
});
