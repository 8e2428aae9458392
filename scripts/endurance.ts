// npm run endurance [-- FILE…]: the tests that the gate runs only a share of (kills, damage, fuzzing, hostile services), in full.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failedTests, runVitest } from "./testing/vitest.ts";

/** Tests of the desktop program, which is the packed one here. */
const OF_PROGRAM = /support\/desktopProgram\.ts|forEachShell\(/;
/** Tests of which the gate tries a share. */
const TRIES_MORE = /support\/endurance\.ts/;
const LONGEST_TEST_MS = 3_600_000;

process.chdir(join(import.meta.dirname, ".."));
process.env["ZENITH_ENDURANCE"] = "1";
const given = process.argv.slice(2);
const tests = globSync("test/**/*.test.ts")
  .filter((name) => given.length === 0 || given.some((part) => name.includes(part)))
  .map((name) => ({ name, source: readFileSync(name, "utf8") }));
const isOfProgram = tests.some(({ source }) => OF_PROGRAM.test(source));
const more = tests.filter(({ source }) => OF_PROGRAM.test(source) || TRIES_MORE.test(source)).map(({ name }) => name);
const files = given.length > 0 ? given : more;
if (isOfProgram) {
  // Before the tests, whose hooks would do it several times, beside each other.
  const { desktopMain } = await import("../test/support/desktopProgram.ts");
  await desktopMain();
}
const run = await runVitest([`--testTimeout=${LONGEST_TEST_MS}`, ...files], {
  reporters: ["default", "./scripts/testing/costReporter.ts"],
  onDisk: true,
  env: { ZENITH_TIMES: "1" },
});
for (const name of failedTests(run.files ?? [])) console.log(`✗ ${name}`);
process.exit(run.ok ? 0 : 1);
