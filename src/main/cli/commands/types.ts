import type { Command } from "commander";
import type { ExitCode } from "../exit.ts";
import type { Shell } from "../shell.ts";

/** Makes the action of a command: opens a shell for it, closes it afterwards, and keeps the exit code. */
export type Run = <A extends unknown[]>(
  action: (shell: Shell, ...args: A) => Promise<ExitCode | void>,
) => (...args: A) => Promise<void>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, run: Run) => void;

/** Examples at the end of a command's help; each a line, with what it does. */
export function examples(...lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  const shown = lines.map(([command, meaning]) => `  zenith ${command.padEnd(width)}  ${meaning}`.trimEnd());
  return `\nExamples:\n${shown.join("\n")}\n`;
}
