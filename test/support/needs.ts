/* oxlint-disable vitest/no-conditional-tests, vitest/expect-expect, vitest/valid-describe-callback -- tests are declared here for others */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import { IS_GATE } from "./endurance.ts";

/**
 * Declares a suite with a requirement. If the requirement is not met, one skipped test reports the reason.
 *
 * @param missing the reason, in a sentence; null if the requirement is met
 */
export function describeUnless(missing: string | null, name: string, suite: () => void): void {
  if (missing === null) describe(name, suite);
  else it(name, (context) => context.skip(missing));
}

/** Declares a test with a requirement. */
export function itUnless(missing: string | null, name: string, test: () => Promise<void> | void): void {
  it(name, (context) => (missing === null ? test() : context.skip(missing)));
}

/** Declares a test that `npm test -- --all` runs: the gate has a shorter one of the same promise. */
export function itNightly(
  name: string,
  test: (context: TestContext) => Promise<void> | void,
  timeoutMs?: number,
): void {
  if (!IS_GATE) it(name, test, timeoutMs);
}

/** Reports that a program is not on the PATH; null if it is. */
export function programMissing(program: string): string | null {
  const isFound = (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
  return isFound ? null : `${program} is not installed`;
}

/** Why tests of Unix files, modes or signals cannot run here. */
export const WINDOWS_LACKS = process.platform === "win32" ? "Windows has no such files" : null;
