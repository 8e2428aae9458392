/* oxlint-disable vitest/no-conditional-tests, vitest/expect-expect, vitest/valid-describe-callback -- tests are declared here for others */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it } from "vitest";
import { chromiumMissing } from "../e2e/harness/chromium.ts";

/**
 * A suite that needs something of this computer. Where it is missing, one skipped test tells why.
 *
 * @param missing the reason, in a sentence; null where nothing is missing
 */
export function describeUnless(missing: string | null, name: string, suite: () => void): void {
  if (missing === null) describe(name, suite);
  else it(name, (context) => context.skip(missing));
}

/** The same for a single test. */
export function itUnless(missing: string | null, name: string, test: () => Promise<void> | void): void {
  it(name, (context) => (missing === null ? test() : context.skip(missing)));
}

/** Why a test of a program cannot run: it is not on the PATH; null where it is. */
export function programMissing(program: string): string | null {
  const isFound = (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
  return isFound ? null : `${program} is not installed`;
}

/** A suite whose tests run in a real browser. */
export function describeInChromium(name: string, suite: () => void): void {
  describeUnless(chromiumMissing(), name, suite);
}

/** Why a test of Unix files, modes or signals says nothing here. */
export const WINDOWS_LACKS = process.platform === "win32" ? "Windows has no such files" : null;
