import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { tool } from "../tools.ts";

export interface TestReport {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[];
}

export interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly TestReport[];
}

export interface VitestRun {
  /** Null if the run ended without a report. */
  readonly files: readonly FileReport[] | null;
  readonly ok: boolean;
}

/** `reporters` print to the terminal; the JSON report is always written to a temporary file. */
export interface RunOptions {
  readonly reporters: readonly string[];
  readonly quiet?: boolean;
  /** Whether temporary files are on the disk, as a user's are, even if memory would be faster. */
  readonly onDisk?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Free bytes required for temporary files in memory; the tests need up to half a gigabyte. */
const SPACE_IN_MEMORY = 4 * 2 ** 30;

/**
 * A folder for temporary files, in memory if the system has one (Linux) with enough space, because syncing hundreds of
 * databases to a disk takes a quarter of the run. No test needs the disk: files in memory survive a killed process too.
 */
function temporaryFolder(): string {
  const inMemory = "/dev/shm";
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, freemem()) >= SPACE_IN_MEMORY ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Ignores an interrupt, which ends the child, so that its files in memory are deleted. */
function ignoreInterrupt(): void {}

/** Runs Vitest once with the given files, or all, and deletes leftovers of the tests. */
export async function runVitest(
  args: readonly string[],
  { reporters, quiet, onDisk, env }: RunOptions,
): Promise<VitestRun> {
  const folder = mkdtempSync(join(onDisk === true ? tmpdir() : temporaryFolder(), "zenith-test-"));
  const report = join(folder, "report.json");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const named = [...reporters, "json"].map((name) => `--reporter=${name}`);
  const child = spawn(process.execPath, [tool("vitest"), "run", ...named, `--outputFile.json=${report}`, ...args], {
    stdio: quiet === true ? "ignore" : "inherit",
    env: { ...process.env, TMPDIR: temporary, ...env },
  });
  process.on("SIGINT", ignoreInterrupt);
  const [code] = (await once(child, "exit")) as [number | null];
  process.off("SIGINT", ignoreInterrupt);
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as { testResults: FileReport[] };
    return { files: testResults.map((file) => ({ ...file, name: relative(".", file.name) })), ok: code === 0 };
  } catch {
    return { files: null, ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function isFailed({ status }: { readonly status: string }): boolean {
  return status === "failed";
}

/** Names of the failed tests of all files, with their file. */
export function failedTests(files: readonly FileReport[]): string[] {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isFailed).map((test) => `${name}: ${test.fullName}`),
  );
}
