import { spawnSync } from "node:child_process";
import { chromiumPath } from "../../test/e2e/harness/chromium.ts";

/** A program that tests need, and that the gate must not do without. */
interface Requirement {
  readonly name: string;
  isThere(): boolean;
}

function answers(program: string, ...args: string[]): () => boolean {
  return () => spawnSync(program, args, { stdio: "ignore" }).error === undefined;
}

const CHROMIUM: Requirement = { name: "Chromium", isThere: () => chromiumPath() !== null };

/** Packaged for Linux; the tests that need them run there alone. */
const FILE_TOOLS: readonly Requirement[] = [
  { name: "ncdump", isThere: answers("ncdump") },
  { name: "NCO (ncks)", isThere: answers("ncks", "--version") },
  { name: "CDO (cdo)", isThere: answers("cdo", "--version") },
  {
    name: "Python with xarray",
    isThere: () =>
      ["/usr/bin/python3", "python3"].some(
        (python) => spawnSync(python, ["-c", "import xarray, netCDF4, pandas"]).status === 0,
      ),
  },
];

/** The programs that a whole run needs and this computer lacks: without them tests would be skipped, not run. */
export function missingRequirements(): readonly string[] {
  const wanted = process.platform === "linux" ? [CHROMIUM, ...FILE_TOOLS] : [CHROMIUM];
  return wanted.filter((requirement) => !requirement.isThere()).map(({ name }) => name);
}
