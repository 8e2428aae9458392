import { spawnSync } from "node:child_process";
import { PYTHONS } from "../../test/formats/python.ts";
import { chromiumPath } from "../../test/e2e/harness/chromium.ts";

/** A program that tests need and the gate requires. */
interface Requirement {
  readonly name: string;
  isInstalled(): boolean;
}

function canRun(program: string, ...args: string[]): () => boolean {
  return () => spawnSync(program, args, { stdio: "ignore" }).error === undefined;
}

const CHROMIUM: Requirement = { name: "Chromium", isInstalled: () => chromiumPath() !== null };

/** Packaged for Linux; tests that need them run only there. */
const FILE_TOOLS: readonly Requirement[] = [
  { name: "ncdump", isInstalled: canRun("ncdump") },
  { name: "NCO (ncks)", isInstalled: canRun("ncks", "--version") },
  { name: "CDO (cdo)", isInstalled: canRun("cdo", "--version") },
  {
    name: "Python with xarray",
    isInstalled: () =>
      PYTHONS.some((python) => spawnSync(python, ["-c", "import xarray, netCDF4, pandas"]).status === 0),
  },
];

/** Missing programs, without which tests would be skipped. */
export function missingRequirements(): readonly string[] {
  const wanted = process.platform === "linux" ? [CHROMIUM, ...FILE_TOOLS] : [CHROMIUM];
  return wanted.filter((requirement) => !requirement.isInstalled()).map(({ name }) => name);
}
