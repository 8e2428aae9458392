import { CommanderError } from "commander";
import { asStop, EXIT, type ExitCode } from "./exit.ts";
import { log } from "../log/index.ts";
import { onInterrupt } from "./interrupt.ts";
import { refuseKeyArgument } from "./key.ts";
import { createOutput } from "./terminal/output.ts";
import { createProgram } from "./program.ts";
import { readers } from "./terminal/readers.ts";
import { createShell, type GlobalOptions } from "./shell.ts";
import type { Run } from "./commands/types.ts";

const args = process.argv.slice(2);

async function main(): Promise<ExitCode> {
  refuseKeyArgument(args);
  let code: ExitCode = EXIT.ok;
  const run: Run =
    (action) =>
    async (...words) => {
      const interrupted = onInterrupt();
      const shell = createShell(program.opts<GlobalOptions>(), interrupted);
      interrupted.addEventListener("abort", () => shell.output.note("\nStopping … (press again to stop at once)"));
      try {
        code = (await action(shell, ...words)) ?? EXIT.ok;
        if ((await shell.reportDamage()) && code === EXIT.ok) code = EXIT.incomplete;
      } finally {
        await shell.close();
      }
    };
  const program = createProgram(run);
  await program.parseAsync(args, { from: "user" });
  return code;
}

function complain(thrown: unknown): ExitCode {
  // Commander has said already what is wrong with the words, or shown the help that was asked for.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const stop = asStop(thrown);
  if (stop.exitCode === EXIT.ok) return EXIT.ok;
  const output = createOutput({ json: args.includes("--json"), quiet: false });
  if (output.json) output.event("error", { message: stop.message, exitCode: stop.exitCode });
  else output.warn(stop.message);
  // Only where the command came to work in the data folder: what is wrong with the words is nothing to keep.
  if (stop.exitCode !== EXIT.usage) log.error(`${stop.message} (exit code ${stop.exitCode})`, stop.cause ?? stop);
  if (process.env["ZENITH_DEBUG"])
    output.warn((stop.cause instanceof Error ? stop.cause.stack : stop.stack) ?? stop.message);
  return stop.exitCode;
}

const exitCode = await main().catch(complain);
const fault = readers.fault();
process.exitCode = fault !== null && exitCode === EXIT.ok ? complain(fault) : exitCode;
