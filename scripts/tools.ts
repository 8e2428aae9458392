import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the tools that make installers and kernels, which `run.mjs` installs for the tasks that need them. */
export const MAKERS = join(import.meta.dirname, "makers");

/** The script of a package's command, to run it with this Node on every system. */
export function tool(packageName: string, command = packageName, home = join(import.meta.dirname, "..")): string {
  const folder = join(home, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === "string" ? bin : bin[command];
  if (!file) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, file);
}

/**
 * Arguments of the linter: rules that need types, errors of the TypeScript compiler with the nearest `tsconfig.json`, and
 * unused suppressions as errors.
 */
export const LINT = [
  "--type-aware",
  "--type-check",
  "--deny-warnings",
  "--report-unused-disable-directives-severity=error",
];
