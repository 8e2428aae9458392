import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/equality.ts"];
// First, so that its hook at the end of a file comes last.
if (process.env["ZENITH_TIMES"]) setupFiles.unshift("test/support/cost.ts");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What a browser shows may take a moment on a busy machine; the usual second is too short for that.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
