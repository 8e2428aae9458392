import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs Vitest once over the files asked for, all of them without any. */
export async function runVitest(args: readonly string[], { reporters, quiet, env }: RunOptions): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), "zenith-test-"));
  const report = join(folder, "report.json");
  const named = [...reporters, "json"].map((name) => `--reporter=${name}`);
  const child = spawn(process.execPath, [tool("vitest"), "run", ...named, `--outputFile.json=${report}`, ...args], {
    stdio: quiet === true ? "ignore" : "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, "exit")) as [number | null];
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
