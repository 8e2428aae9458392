// The whole verification: format, lint (with the import walls), types, tests. One closing line counts it all.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { LINT, tool } from "./tools.ts";

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

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** What a run of Vitest reported of each file, null where it reported nothing; and whether it ended well. */
function run(args: readonly string[]): { readonly files: readonly FileReport[] | null; readonly ok: boolean } {
  const folder = mkdtempSync(join(tmpdir(), "zenith-test-"));
  const report = join(folder, "report.json");
  const reporters = ["default", "json", "./scripts/skipReporter.ts"].map((name) => `--reporter=${name}`);
  const done = spawnSync(
    process.execPath,
    [tool("vitest"), "run", ...reporters, `--outputFile.json=${report}`, ...args],
    { stdio: "inherit" },
  );
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as { testResults: FileReport[] };
    return { files: testResults, ok: done.status === 0 };
  } catch {
    return { files: null, ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isFailed = ({ status }: { readonly status: string }): boolean => status === "failed";

function testsFailed(files: readonly FileReport[]): string[] {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isFailed).map((test) => `${relative(process.cwd(), name)}: ${test.fullName}`),
  );
}

/** More failed files than this are not the fault of a busy machine. */
const MOST_REPEATED = 4;

/**
 * All tests, or those asked for. Browsers and processes share the machine, and one that comes late can fail a test:
 * after a whole run the few files that failed run once more, each alone. What fails again has failed; what does not
 * is named, for an unsteady test is a fault as well.
 */
function tests(args: readonly string[]): void {
  let { files, ok } = run(args);
  const failed = (files ?? []).filter(isFailed).map(({ name }) => relative(process.cwd(), name));
  if (files && args.length === 0 && failed.length > 0 && failed.length <= MOST_REPEATED) {
    console.log(`Once more, each alone: ${failed.join(", ")}`);
    const again = run(["--no-file-parallelism", ...failed]);
    if (again.files) {
      const failedAgain = testsFailed(again.files);
      for (const name of testsFailed(files))
        if (!failedAgain.includes(name)) console.log(`unsteady, passed alone: ${name}`);
      files = [...files.filter((file) => !isFailed(file)), ...again.files];
      ok = again.ok;
    }
  }
  for (const { status, assertionResults } of files ?? []) {
    for (const test of assertionResults)
      total[test.status === "passed" || test.status === "failed" ? test.status : "skipped"]++;
    // A file that does not even load holds no failed test, yet it is a failure.
    if (status === "failed" && !assertionResults.some(isFailed)) total.failed++;
  }
  // Likewise an error outside every test, which only the exit code tells.
  if (!ok && total.failed === 0) total.failed++;
}

process.chdir(join(import.meta.dirname, ".."));
const args = process.argv.slice(2);
const checksOnly = args[0] === "--checks-only";
if (checksOnly || args.length === 0) {
  check("format (oxfmt)", [tool("oxfmt"), "--check", "."]);
  check("lint and import walls (oxlint)", [tool("oxlint"), ...LINT, "."]);
  // The core has no DOM, the page no Node, and tests look at both.
  for (const project of [".", "src/renderer", "test"])
    check(`types of ${project} (tsc)`, [tool("typescript", "tsc"), "-p", project]);
}
if (!checksOnly) tests(args);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);
