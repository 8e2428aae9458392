// npm run endurance [-- FILE…]: runs in full the tests that the gate runs in part (kills, damage, fuzzing, hostile services).
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failedTests, runVitest } from "./testing/vitest.ts";

/** Tests of the desktop program, which is packed for this run, and of its command as a process. */
const USES_DESKTOP_PROGRAM = /support\/desktopProgram\.ts|forEachShell\(|\b(?:asProcess|onStart|onStderr|COMMAND)\b/;
/** Tests that the gate runs in part. */
const RUNS_LONGER = /support\/endurance\.ts/;
const MAX_TEST_MS = 3_600_000;

process.chdir(join(import.meta.dirname, ".."));
process.env["ZENITH_ENDURANCE"] = "1";
const given = process.argv.slice(2);
const tests = globSync("test/**/*.test.ts")
  .filter((name) => given.length === 0 || given.some((part) => name.includes(part)))
  .map((name) => ({ name, source: readFileSync(name, "utf8") }));
const needsDesktopProgram = tests.some(({ source }) => USES_DESKTOP_PROGRAM.test(source));
const enduranceTests = tests
  .filter(({ source }) => USES_DESKTOP_PROGRAM.test(source) || RUNS_LONGER.test(source))
  .map(({ name }) => name);
const files = given.length > 0 ? given : enduranceTests;
const env: NodeJS.ProcessEnv = { ZENITH_TIMES: "1" };
if (needsDesktopProgram) {
  // Packed before the tests, whose hooks would do it several times in parallel.
  const { desktopMain } = await import("../test/support/desktopProgram.ts");
  const { DESKTOP_MAIN } = await import("../test/support/endurance.ts");
  env[DESKTOP_MAIN] = await desktopMain();
  // For commands, which start without the driver of the stand-in, and open no window.
  env["ELECTRON_STANDIN"] = JSON.stringify({ chromium: null });
}
const run = await runVitest([`--testTimeout=${MAX_TEST_MS}`, ...files], {
  reporters: ["default", "./scripts/testing/costReporter.ts"],
  onDisk: true,
  env,
});
for (const name of failedTests(run.files ?? [])) console.log(`✗ ${name}`);
process.exit(run.ok ? 0 : 1);
