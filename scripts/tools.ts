import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The script file behind a package's command, so that it runs on this very Node on every system. */
export function tool(packageName: string, command = packageName): string {
  const folder = join(import.meta.dirname, "..", "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === "string" ? bin : bin[command];
  if (!file) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, file);
}

/**
 * How the linter is run: with rules that need types, the errors of the TypeScript compiler, by the `tsconfig.json` nearest
 * to each file, and every suppression that suppresses nothing an error.
 */
export const LINT = [
  "--type-aware",
  "--type-check",
  "--deny-warnings",
  "--report-unused-disable-directives-severity=error",
];
