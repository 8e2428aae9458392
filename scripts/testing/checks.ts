import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { LINT, tool } from "../tools.ts";

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What the tool said, where it found something. */
  readonly output: string;
}

/** Format, lint with the import walls, and types, all at once. */
export function runChecks(): Promise<readonly Check[]> {
  return Promise.all([
    check("format (oxfmt)", [tool("oxfmt"), "--check", "."]),
    check("lint and import walls (oxlint)", [tool("oxlint"), ...LINT, "."]),
    // The core has no DOM, the page no Node, and tests look at both.
    ...[".", "src/renderer", "test"].map((project) =>
      check(`types of ${project} (tsc)`, [tool("typescript", "tsc"), "-p", project]),
    ),
  ]);
}

async function check(name: string, args: readonly string[]): Promise<Check> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { name, ok: code === 0, output: `${stdout}${stderr}` };
}
