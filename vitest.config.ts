import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
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
  "test/renderer/{autoFetch,coreGone,localClock,stationsAgain,undoLast}.test.ts",
  "test/shared/{scheduleTimes,utc}.test.ts",
  "test/store/{maintenance,threadEnd}.test.ts",
];

const BUNDLES = join(import.meta.dirname, "out", "main");
/** Modules that start threads and processes, whose scripts are beside them: a source, or the bundle that is built from it. */
const STARTERS = /\/src\/main\/(store\/thread\/thread|app\/files\/guest\/start|demo\/index)\.ts$/;

/** Places these modules among the bundles, which the gate has built: a thread loads its bundle in a quarter of the time of the sources. */
const startBundles: Plugin = {
  name: "start-bundles",
  enforce: "pre",
  transform: (code, id) =>
    STARTERS.test(id)
      ? code
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(join(BUNDLES, "index.js")).href))
          .replaceAll("import.meta.dirname", JSON.stringify(BUNDLES))
      : null,
};

export default defineConfig({
  plugins: process.env["ZENITH_GATE"] === "1" ? [startBundles] : [],
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
