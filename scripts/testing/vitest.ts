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
  /** Null where the run ended without a report. */
  readonly files: readonly FileReport[] | null;
  readonly ok: boolean;
}

/** Which reporters print to the terminal; the JSON report is always written, to a file that is read and removed. */
export interface RunOptions {
  readonly reporters: readonly string[];
  readonly quiet?: boolean;
  /** Temporary files lie on the disk, as a user's do, even where memory would be quicker. */
  readonly onDisk?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Bytes that must be free in memory before temporary files may lie there: the tests need up to half a gigabyte. */
const SPACE_IN_MEMORY = 4 * 2 ** 30;

/**
 * A folder for temporary files that is kept in memory where the system has one (Linux) and much is free. Hundreds of
 * databases that are synced to a disk after every transaction cost a quarter of the run. No test needs the disk: a
 * killed process leaves its files in memory as well.
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

/** An interruption ends the child, which is waited for: what it left in memory has to go. */
function waitForChild(): void {}

/** Runs Vitest once over the files asked for, all of them without any. What the tests leave behind is removed. */
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
  process.on("SIGINT", waitForChild);
  const [code] = (await once(child, "exit")) as [number | null];
  process.off("SIGINT", waitForChild);
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

/** The failed tests of all files, each named with its file. */
export function failedTests(files: readonly FileReport[]): string[] {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isFailed).map((test) => `${name}: ${test.fullName}`),
  );
}
