import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { basename } from "node:path";
import { CommanderError } from "commander";
import { log } from "../log/index.ts";
import type { Run } from "./command.ts";
import { asStop, EXIT, exitKind, type ExitCode, exitMeaning, usage } from "./exit.ts";
import { refuseKeyArgument } from "./key.ts";
import { createProgram } from "./program.ts";
import { Shell, type GlobalOptions } from "./shell.ts";
import { StoreError } from "../store/errors.ts";
import { Output, streamErrors } from "./terminal/output.ts";

/** npm and the terminal may both forward the same Ctrl+C: another signal within this time is not a second one. */
const SAME_INTERRUPT_MS = 300;

/**
 * Turns signals that end a program into an abort: the first stops cleanly, a second ends the program at once. Committed
 * data is safe either way. These are Ctrl+C, SIGTERM, Ctrl+Break on Windows, and the end of the terminal or of the SSH
 * session (SIGHUP; on Windows, closing the console).
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
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) process.on(signal, interrupted);
  process.on("SIGHUP", isHangupIgnored() ? () => {} : interrupted);
  return controller.signal;
}

/**
 * Whether this program was started with SIGHUP ignored, as nohup does, so that it outlives its session. Node.js restores
 * the default at its start, so other signs tell: nohup replaces a terminal at stdin by a file that cannot be read, which
 * all programs between it and this one pass on; bash names the started program in `_`; and the parent, where /proc shows
 * it, passed on the signals that it ignores itself.
 */
export function isHangupIgnored(
  env: NodeJS.ProcessEnv = process.env,
  statusOfParent = readText(`/proc/${process.ppid}/status`),
  stdin = readText("/proc/self/fdinfo/0"),
): boolean {
  // Opened for writing only.
  if (/^flags:\s*[0-7]*1$/m.test(stdin)) return true;
  if (basename(env["_"] ?? "") === "nohup") return true;
  const [, ignored = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(statusOfParent) ?? [];
  return ((BigInt(`0x${ignored}`) >> BigInt(constants.signals.SIGHUP - 1)) & 1n) === 1n;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Runs a command as this process, whose exit code is 0 only if the command returned it: also if the process ends in its
 * middle, or after an error that nobody handles, which is reported and logged.
 */
export async function runProcess(args: readonly string[]): Promise<void> {
  process.exitCode = EXIT.unexpected;
  const end = (thrown: unknown): void => {
    process.exit(reportError(thrown, args.includes("--json")));
  };
  process.on("uncaughtException", end);
  // In Electron, these are only warnings.
  process.on("unhandledRejection", end);
  process.exitCode = await runCommandLine(args, onInterrupt);
  // Everything is closed and written. What still runs must not keep a finished command; Electron's main process ends itself.
  if (process.versions["electron"] === undefined) process.exit();
}

/**
 * Runs a command and reports its error, if any.
 *
 * @param args words after the name of the program
 * @param onInterrupt called when a command starts, for the signal that stops it
 */
export async function runCommandLine(args: readonly string[], onInterrupt: () => AbortSignal): Promise<ExitCode> {
  const isJson = args.includes("--json");
  const report = (thrown: unknown): ExitCode => reportError(thrown, isJson);
  const exitCode = await runCommand(args, isJson, onInterrupt).catch(report);
  await streamErrors.settled();
  const fault = streamErrors.fault();
  const isFinished = exitCode === EXIT.ok || exitCode === EXIT.incomplete;
  if (fault !== null && isFinished) return report(fault);
  if (isJson && exitCode === EXIT.incomplete)
    new Output({ json: true, quiet: false }).event("incomplete", { message: exitMeaning(exitCode), exitCode });
  return exitCode;
}

async function runCommand(args: readonly string[], isJson: boolean, onInterrupt: () => AbortSignal): Promise<ExitCode> {
  refuseKeyArgument(args);
  let code: ExitCode = EXIT.ok;
  const run: Run = async (action) => {
    const interrupted = onInterrupt();
    const shell = new Shell(program.opts<GlobalOptions>(), interrupted);
    interrupted.addEventListener("abort", () => shell.output.note("\nStopping … (press again to stop at once)"));
    const work = async (): Promise<void> => {
      try {
        code = (await action(shell)) ?? EXIT.ok;
        if ((await shell.reportDamage()) && code === EXIT.ok) code = EXIT.incomplete;
      } finally {
        await shell.close();
      }
    };
    await work().catch((thrown: unknown) => {
      throw thrown instanceof StoreError ? withOwnCommands(thrown, shell) : thrown;
    });
  };
  const program = createProgram(run, isJson);
  await program.parseAsync(args, { from: "user" });
  return code;
}

/** An error of the store, whose advice names commands as they are to be typed here, with the data folder in use. */
function withOwnCommands({ kind, path, message, cause }: StoreError, { suggest }: Shell): StoreError {
  const own = message.replaceAll(/“zenith ([^”]+)”/g, (_, words: string) => `“${suggest(words)}”`);
  return new StoreError(kind, path, own, cause);
}

function reportError(thrown: unknown, isJson: boolean): ExitCode {
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return EXIT.ok;
    // Without --json, Commander has already printed its error or the help.
    if (!isJson) return EXIT.usage;
  }
  const stop = thrown instanceof CommanderError ? usage(usageSentence(thrown)) : asStop(thrown);
  if (stop.exitCode === EXIT.ok) return EXIT.ok;
  const output = new Output({ json: isJson, quiet: false });
  if (output.json)
    output.event("error", { kind: exitKind(stop.exitCode), message: stop.message, exitCode: stop.exitCode });
  else output.error(stop.message);
  // Usage errors are not logged.
  if (stop.exitCode !== EXIT.usage) log.error(`${stop.message} (exit code ${stop.exitCode})`, stop.cause ?? stop);
  if (process.env["ZENITH_DEBUG"])
    output.error((stop.cause instanceof Error ? stop.cause.stack : stop.stack) ?? stop.message);
  return stop.exitCode;
}

/** The sentence of an error of Commander, whose message is `error: …` in one or two lines, or none if help was due. */
function usageSentence({ code, message }: CommanderError): string {
  if (code === "commander.help") return "Name a command. “zenith --help” lists them.";
  return `${message.replace(/^error: /, "").replaceAll("\n", " ")} (see --help)`;
}
