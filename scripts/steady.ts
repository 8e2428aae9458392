// npm run steady [-- FILE… --rounds N]: runs test files repeatedly under load, and reports every failure.
import { fork } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FileReport, isFailed, runVitest } from "./testing/vitest.ts";

const BUSY_LOOPS = 2;
/** Tests that depend on timing: those with browsers and processes. */
const TIMING_TESTS = ["test/e2e", "test/views", "test/electron", "test/electron-standin", "test/web", "test/cli"];

process.chdir(join(import.meta.dirname, ".."));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "20" } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number of at least 1, not “${values.rounds}”.`);
  process.exit(2);
}
const files = positionals.length > 0 ? positionals : TIMING_TESTS.filter((folder) => globSync(folder).length > 0);

const busy = Array.from({ length: BUSY_LOOPS }, () => fork(join(import.meta.dirname, "testing", "busyLoop.ts")));
process.on("exit", () => busy.forEach((loop) => loop.kill()));
console.log(
  `${rounds} rounds of ${files.join(", ")}, beside ${BUSY_LOOPS} busy loops on ${availableParallelism()} cores`,
);

const failures = new Map<string, number>();
for (let round = 1; round <= rounds; round++) {
  const startedMs = performance.now();
  const run = await runVitest(files, { reporters: ["dot"], quiet: true });
  const failed = run.files === null ? [["the run ended without a report", ""] as const] : failuresIn(run.files);
  if (run.files !== null && !run.ok && failed.length === 0) failed.push(["an error outside every test", ""]);
  for (const [name, trace] of failed) {
    failures.set(name, (failures.get(name) ?? 0) + 1);
    console.log(`✗ round ${round}: ${name}\n${trace}`);
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  console.log(`round ${round} of ${rounds}: ${failed.length} failures, ${seconds} s`);
}

console.log(failures.size === 0 ? "No test failed." : "Failures, by test:");
for (const [name, times] of [...failures].toSorted((a, b) => b[1] - a[1]))
  console.log(`${times} of ${rounds}  ${name}`);
process.exit(failures.size === 0 ? 0 : 1);

/** Name and trace of each failed test, or the name of a file that could not be loaded. */
function failuresIn(reports: readonly FileReport[]): (readonly [name: string, trace: string])[] {
  return reports.filter(isFailed).flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter(isFailed);
    if (tests.length === 0) return [[name, message ?? ""] as const];
    return tests.map((test) => [`${name}: ${test.fullName}`, (test.failureMessages ?? []).join("\n")] as const);
  });
}
