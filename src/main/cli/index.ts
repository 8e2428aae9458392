import { CommanderError } from "commander";
import { log } from "../log/index.ts";
import { asStop, EXIT, type ExitCode } from "./exit.ts";
import { refuseKeyArgument } from "./key.ts";
import { createOutput } from "./terminal/output.ts";
import { createProgram } from "./program.ts";
import { streamErrors } from "./terminal/streamErrors.ts";
import { createShell, type GlobalOptions } from "./shell.ts";
import type { Run } from "./commands/types.ts";

const args = process.argv.slice(2);
/** npm and the terminal may both forward the same Ctrl+C: another signal within this time is not a second one. */
const SAME_INTERRUPT_MS = 300;

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

function reportError(thrown: unknown): ExitCode {
  // Commander has already printed its error or the help.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const stop = asStop(thrown);
  if (stop.exitCode === EXIT.ok) return EXIT.ok;
  const output = createOutput({ json: args.includes("--json"), quiet: false });
  if (output.json) output.event("error", { message: stop.message, exitCode: stop.exitCode });
  else output.warn(stop.message);
  // Usage errors are not logged.
  if (stop.exitCode !== EXIT.usage) log.error(`${stop.message} (exit code ${stop.exitCode})`, stop.cause ?? stop);
  if (process.env["ZENITH_DEBUG"])
    output.warn((stop.cause instanceof Error ? stop.cause.stack : stop.stack) ?? stop.message);
  return stop.exitCode;
}

const exitCode = await main().catch(reportError);
await streamErrors.settled();
const fault = streamErrors.fault();
const isFinished = exitCode === EXIT.ok || exitCode === EXIT.incomplete;
process.exitCode = fault !== null && isFinished ? reportError(fault) : exitCode;

/**
 * Turns Ctrl+C and SIGTERM into an abort: the first stops cleanly, a second ends the program at once. Committed data is
 * safe either way.
 */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | null = null;
  const interrupted = (): void => {
    const nowMs = performance.now();
    if (firstMs === null) {
      firstMs = nowMs;
      controller.abort();
    } else if (nowMs - firstMs > SAME_INTERRUPT_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  return controller.signal;
}
