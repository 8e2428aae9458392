import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/testing/sequencer.ts";

const setupFiles = ["test/support/equality.ts", "test/support/cases.ts"];
// First, so that its hook at the end of a file comes last.
if (process.env["ZENITH_TIMES"]) setupFiles.unshift("test/support/cost.ts");

/** Files that change the process for those after them: its clock, environment, time zone, globals or modules. */
const apart = [
  "test/cli/environment.test.ts",
  "test/client/secure.test.ts",
  "test/formats/atomic.test.ts",
  "test/log/log.test.ts",
  "test/renderer/{autoFetch,engineGone,localClock,stationsAgain,undoLast}.test.ts",
  "test/shared/{scheduleTimes,utc}.test.ts",
  "test/store/{maintenance,threadEnd}.test.ts",
];

export default defineConfig({
  test: {
    setupFiles,
    // What hangs fails. What a busy machine makes slow does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a browser shows may take a moment on a busy machine; the usual second is too short for that.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    sequence: { sequencer: LongFirst },
    // While one file waits for a browser or a program, another one works.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      { extends: true, test: { name: "apart", include: apart } },
      // To start a process for each file, and to read its sources there, takes longer than most files.
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: apart, isolate: false } },
    ],
  },
});
