import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/equality.ts"];
// First, so that its hook at the end of a file comes last.
if (process.env["ZENITH_TIMES"]) setupFiles.unshift("test/support/cost.ts");

/** Parts without state, and without anything that goes on when a test has ended; one test changes the time zone. */
const pure = ["test/{analysis,guide,planner,world}/**/*.test.ts", "test/shared/**/!(utc).test.ts"];

export default defineConfig({
  test: {
    setupFiles,
    // What hangs fails. What a busy machine makes slow does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a browser shows may take a moment on a busy machine; the usual second is too short for that.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // While one file waits for a browser or a program, another one works.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: pure } },
      // To start a process for each file, and to read its sources there, takes longer than most of these.
      { extends: true, test: { name: "together", include: pure, isolate: false } },
    ],
  },
});
