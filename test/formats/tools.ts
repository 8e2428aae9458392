import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { type TestContext } from "vitest";
import type { Result } from "#shared/service/error.ts";
import type { FormatError } from "#formats/error.ts";
import { PYTHONS, runInPython } from "./python.ts";

export { scratchFolder } from "../support/folder.ts";

/** Names in a folder, including hidden files. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder).toSorted();
}

/** Runs a third-party program and returns its output; skips the test with a reason if it is not installed. */
export function runTool(context: TestContext, program: string, args: readonly string[]): string {
  const done = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.error) context.skip(`${program} is not installed (${done.error.message})`);
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${done.stderr}`);
  return done.stdout;
}

/** Exit code of Python if a module is missing. */
const MISSING_MODULE = 42;

/** Runs a script with the first Python that has the modules, and parses the JSON it prints. */
export function runPython(context: TestContext, modules: readonly string[], script: string): unknown {
  const imports = `try:\n  import ${modules.join(", ")}, json\nexcept ImportError:\n  raise SystemExit(${MISSING_MODULE})`;
  for (const python of PYTHONS) {
    const done = runInPython(python, `${imports}\n${script}`);
    if (done === null || done.status === MISSING_MODULE) continue;
    if (done.status !== 0) throw new Error(`${python} failed: ${done.stderr}`);
    return JSON.parse(done.stdout);
  }
  return context.skip(`no python3 with ${modules.join(", ")} is installed`);
}

/** Returns the value of a result, or throws its message and cause. */
export function mustSucceed<T>(result: Result<T, FormatError>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.message} ${result.error.cause}`);
}
