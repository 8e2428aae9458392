// npm run endurance [-- FILE…]: the tests that the gate runs only a share of (kills, damage, fuzzing, hostile services), in full.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failedTests, runVitest } from "./testing/vitest.ts";

/** Tests of which the gate tries a share, and those of the desktop program, which is the packed one here. */
const TRIES_MORE = /support\/(endurance|desktopProgram)\.ts|forEachShell\(/;
const LONGEST_TEST_MS = 3_600_000;

process.chdir(join(import.meta.dirname, ".."));
const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given
    : globSync("test/**/*.test.ts").filter((file) => TRIES_MORE.test(readFileSync(file, "utf8")));
const run = await runVitest([`--testTimeout=${LONGEST_TEST_MS}`, ...files], {
  reporters: ["default", "./scripts/testing/costReporter.ts"],
  env: { ZENITH_ENDURANCE: "1", ZENITH_TIMES: "1" },
});
for (const name of failedTests(run.files ?? [])) console.log(`✗ ${name}`);
process.exit(run.ok ? 0 : 1);
