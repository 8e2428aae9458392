// What each change has to pass: format, lint (with the import walls), types, tests. One closing line counts it all.
//   npm test [-- FILE…]     the checks and the tests of the gate, or the tests of these files alone
//   npm test -- --all       the checks and all tests
//   npm test -- --times     also lists the slowest files, hooks and tests
//   npm test -- --watch     repeats tests when their sources change
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runBuild, runChecks } from "./testing/checks.ts";
import { gateFiles } from "./testing/gate.ts";
import { missingRequirements } from "./testing/requirements.ts";
import { failedTests, type FileReport, isFailed, runVitest } from "./testing/vitest.ts";
import { tool } from "./tools.ts";

const total = { passed: 0, failed: 0, skipped: 0 };
const unsteady: string[] = [];

/** More failed files than this are not caused by load, so they are not repeated. */
const MAX_REPEATED_FILES = 8;
/** An unsteady test fails the run. */
const isStrict = process.env["ZENITH_STRICT"] === "1";
const isCi = Boolean(process.env["CI"]);

async function checks(withBuild: boolean): Promise<void> {
  const [all, built] = await Promise.all([runChecks(), withBuild ? runBuild() : null]);
  for (const { name, ok, output } of [...all, ...(built ? [built] : [])]) {
    console.log(`${ok ? "✓" : "✗"} ${name}`);
    if (!ok) console.log(output);
    total[ok ? "passed" : "failed"]++;
  }
}

/** On CI, a missing program is a failure, because nobody would notice the tests skipped without it. */
function requirements(): void {
  if (!isCi) return;
  for (const name of missingRequirements()) {
    console.log(`✗ ${name} is not installed: install it, or the tests that need it cannot run.`);
    total.failed++;
  }
}

/**
 * Runs the tests of the gate, all, or the requested ones. Under load, a late browser or process can fail a test, so after
 * a whole run a few failed files are repeated, each alone. Tests that pass then are reported as unsteady, and fail a strict run.
 */
async function tests(args: readonly string[], reporters: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const gate = args.length > 0 || isAll ? null : gateFiles();
  const share = gate ? { ZENITH_GATE: "1" } : {};
  let { files, ok } = await runVitest(gate?.files ?? args, { reporters, env: { ...env, ...share } });
  if (gate) console.log(`${gate.left} test files are not in the gate: npm test -- --all runs them.`);
  const failed = (files ?? []).filter(isFailed).map(({ name }) => name);
  if (files && args.length === 0 && failed.length > 0 && failed.length <= MAX_REPEATED_FILES) {
    console.log(`Once more, each alone: ${failed.join(", ")}`);
    const again = await runVitest(["--no-file-parallelism", ...failed], { reporters, env: share });
    if (again.files) {
      const failedAgain = failedTests(again.files);
      unsteady.push(...failedTests(files).filter((name) => !failedAgain.includes(name)));
      files = [...files.filter((file) => !isFailed(file)), ...again.files];
      ok = again.ok;
    }
  }
  count(files ?? []);
  // An error outside of tests shows only in the exit code.
  if (!ok && total.failed === 0) total.failed++;
}

function count(files: readonly FileReport[]): void {
  for (const { status, assertionResults } of files) {
    for (const test of assertionResults)
      total[test.status === "passed" || test.status === "failed" ? test.status : "skipped"]++;
    // A file that cannot be loaded has no failed tests, but is a failure.
    if (status === "failed" && !assertionResults.some(isFailed)) total.failed++;
  }
}

const POLL_MS = 200;

/** Waits for the file that says that the programs of the tests are installed (`.ci/run`), and removes it. */
async function created(path: string): Promise<void> {
  while (!existsSync(path)) await delay(POLL_MS);
  rmSync(path);
}

async function watch(args: readonly string[]): Promise<never> {
  const child = spawn(process.execPath, [tool("vitest"), "watch", ...args], { stdio: "inherit" });
  process.on("SIGINT", () => {});
  const [code] = (await once(child, "exit")) as [number | null];
  process.exit(code ?? 0);
}

process.chdir(join(import.meta.dirname, ".."));
const options = new Set(["--all", "--checks-only", "--times", "--watch"]);
const given = process.argv.slice(2);
const args = given.filter((arg) => !options.has(arg));
if (given.includes("--watch")) await watch(args);
const isAll = given.includes("--all");
const isTimed = given.includes("--times");
const reporters = ["default", "./scripts/testing/skipReporter.ts"];
if (isTimed) reporters.push("./scripts/testing/costReporter.ts");

const isWhole = !given.includes("--checks-only");
if (args.length === 0) await checks(isWhole);
if (isWhole) {
  const after = process.env["ZENITH_TESTS_AFTER"];
  if (after !== undefined) await created(after);
  if (args.length === 0) requirements();
  await tests(args, reporters, isTimed ? { ZENITH_TIMES: "1" } : {});
}
for (const name of unsteady) console.log(`unsteady, passed alone: ${name}`);
if (isStrict) total.failed += unsteady.length;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);
