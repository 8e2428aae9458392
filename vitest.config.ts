import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/equality.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a browser shows may take a moment on a busy machine; the usual second is too short for that.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
