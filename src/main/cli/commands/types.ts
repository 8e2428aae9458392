import type { Command } from "commander";
import type { ExitCode } from "../exit.ts";
import type { Shell } from "../shell.ts";

/** Wraps the action of a command: opens a shell, closes it afterwards, and stores the exit code. */
export type Run = <A extends unknown[]>(
  action: (shell: Shell, ...args: A) => Promise<ExitCode | void>,
) => (...args: A) => Promise<void>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: Run) => void;

/** Formats the examples at the end of a command's help, one per line with its meaning. */
export function examples(...lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  const shown = lines.map(([command, meaning]) => `  zenith ${command.padEnd(width)}  ${meaning}`.trimEnd());
  return `\nExamples:\n${shown.join("\n")}\n`;
}
