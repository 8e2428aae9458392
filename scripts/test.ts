// The whole verification: format, lint (with the import walls), types, tests. One closing line counts it all.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "./tools.ts";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };

function check(name: string, args: string[]): void {
  const done = spawnSync(process.execPath, args, { encoding: "utf8" });
  const ok = done.status === 0;
  console.log(`${ok ? "✓" : "✗"} ${name}`);
  if (!ok) console.log(`${done.stdout}${done.stderr}`);
  total[ok ? "passed" : "failed"]++;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
}

function tests(args: string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "zenith-test-"));
  const report = join(folder, "report.json");
  const done = spawnSync(
    process.execPath,
    [
      tool("vitest"),
      "run",
      "--reporter=default",
      "--reporter=json",
      "--reporter=./scripts/skipReporter.ts",
      `--outputFile.json=${report}`,
      ...args,
    ],
    { stdio: "inherit" },
  );
  try {
    const read = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
    total.passed += read.numPassedTests;
    total.failed += read.numFailedTests;
    total.skipped += read.numPendingTests + read.numTodoTests;
    // A file that does not even load holds no failed test, yet it is a failure.
    total.failed += read.testResults.filter((r) => r.status === "failed" && r.assertionResults.length === 0).length;
    // Likewise an error outside every test, which only the exit code tells.
    if (done.status !== 0 && total.failed === 0) total.failed++;
  } catch {
    total.failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.chdir(join(import.meta.dirname, ".."));
const args = process.argv.slice(2);
const checksOnly = args[0] === "--checks-only";
if (checksOnly || args.length === 0) {
  check("format (oxfmt)", [tool("oxfmt"), "--check", "."]);
  check("lint and import walls (oxlint)", [tool("oxlint"), "--deny-warnings", "."]);
  // The core has no DOM, the page no Node, and tests look at both.
  for (const project of [".", "src/renderer", "test"])
    check(`types of ${project} (tsc)`, [tool("typescript", "tsc"), "-p", project]);
}
if (!checksOnly) tests(args);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);
