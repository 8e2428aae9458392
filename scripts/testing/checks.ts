import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { writeCssTypes } from "../cssTypes.ts";
import { LINT, tool } from "../tools.ts";

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Output of the tool if it failed. */
  readonly output: string;
}

/** Builds the programs for tests of the window and the command line, which would otherwise wait for the build. */
export function runBuild(): Promise<Check> {
  return check("build (electron-vite)", [join(import.meta.dirname, "..", "build.ts")]);
}

/**
 * The compiler of types, which is written in Go, collects garbage only beyond this size: a third of its time otherwise.
 */
const FEW_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: "3GiB" };

/** Checks format, lint with the import walls, and types, in parallel. */
export function runChecks(): Promise<readonly Check[]> {
  writeCssTypes();
  return Promise.all([
    check("format (oxfmt)", [tool("oxfmt"), "--check", "."]),
    check("lint, import walls and types (oxlint)", [tool("oxlint"), ...LINT, "."]),
  ]);
}

async function check(name: string, args: readonly string[]): Promise<Check> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...FEW_COLLECTIONS },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { name, ok: code === 0, output: `${stdout}${stderr}` };
}
